import * as z from "zod";
import { executionId } from "../../contract/execution.ts";
import { KEPT_REVISIONS } from "../../contract/revision.ts";
import type { CasePage } from "../../contract/webhooks/case.ts";
import type { LogPosition } from "../../contract/webhooks/inbox.ts";
import { storedWorkflow } from "../../contract/workflow.ts";
import { accountStub, inboxStub, sessionHostStub } from "../../durable/stubs.ts";
import { toBase64 } from "../../lib/encoding.ts";
import { archivedSettings } from "../../records/endpoint-rows.ts";
import {
  type EndpointPage,
  type EndpointPosition,
  selectEndpoints,
} from "../../records/endpoints.ts";
import { executionIdsAfter } from "../../records/execution-ids.ts";
import { selectRevisions } from "../../records/revisions.ts";
import {
  selectWorkflows,
  type WorkflowPage,
  type WorkflowPosition,
} from "../../records/workflows.ts";
import { adminToken as auth } from "../authentication.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { notFound } from "../problem.ts";
import { type ResponseRule, route } from "../route.ts";
import { recordOf as scheduleOf } from "../schedules/changes.ts";
import { recordOf as endpointOf } from "../webhooks/resource.ts";
import { shown as shownEndpoint } from "../webhooks/revisions.ts";
import { recordOf as workflowOf } from "../workflows/definition.ts";
import { shown as shownWorkflow } from "../workflows/revisions.ts";
import { ACCOUNTS, accountParams, EXAMPLE_ACCOUNT_ID, overviewOf } from "./accounts.ts";

const PAGE = 100;
const EVENTS = 1_000;

const line = z
  .looseObject({ type: z.string().describe("What the line has.") })
  .meta({ id: "ExportLine", description: "A line of an export." });

const linesResponse: ResponseRule<ReadableStream<Uint8Array>> = {
  status: 200,
  description: "The account, one JSON object on each line. The last line has the type `end`.",
  content: {
    "application/x-ndjson": {
      schema: line,
      example: { type: "account", accountId: EXAMPLE_ACCOUNT_ID, name: "Acme" },
    },
  },
  render: (lines) =>
    new Response(lines, { headers: { "Content-Type": "application/x-ndjson; charset=utf-8" } }),
};

/** Exports an account. */
export const exportAccount = route({
  method: "GET",
  path: `${ACCOUNTS}/:accountId/export`,
  operationId: "exportAccount",
  tag: "Operators",
  summary: "Export an account",
  description:
    "Streams all that an account has as JSON lines, without secrets: the account, keys, MCP servers, connections, model providers, destinations, credits that it was granted, schedules, workflows, endpoints with their requests, earlier revisions of both, cases and calls that wait for an event, and executions with their task, result, events and files (in base64). If the stream ends without the line `end`, continue with `after`, the id of the last execution.",
  auth,
  params: accountParams,
  query: z.strictObject({
    after: executionId
      .optional()
      .describe("Exports only the executions after this one, in the order of their ids."),
  }),
  response: linesResponse,
  problems: ["not_found", "unavailable"],
  async handler({ http, params: { accountId }, query: { after } }) {
    const account = await overviewOf(http.env, accountId);
    if (account === null) throw notFound();
    return { value: streamOf(linesOf(http, accountId, account, after)) };
  },
});

type Line = { type: string } & Record<string, unknown>;

/** Reads only as fast as the operator does. */
function streamOf(lines: AsyncGenerator<Line>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

async function* linesOf(
  http: Http,
  accountId: string,
  account: object,
  after: string | undefined,
): AsyncGenerator<Line> {
  if (after === undefined) {
    yield { type: "account", ...account };
    yield* settingsOf(http.env, accountId);
    yield* workflowsOf(http.env, accountId);
    yield* endpointsOf(http, accountId);
  }
  yield* executionsOf(http.env, accountId, after ?? "");
  yield { type: "end" };
}

async function* settingsOf(env: CloudflareEnv, accountId: string): AsyncGenerator<Line> {
  const contents = await callWithRetry(() => accountStub(env, accountId).contents());
  if (contents === null) return;
  for (const each of contents.keys) yield { type: "key", ...each };
  for (const each of contents.mcpServers) yield { type: "mcpServer", ...each };
  for (const each of contents.connections) yield { type: "connection", ...each };
  for (const each of contents.modelProviders) yield { type: "modelProvider", ...each };
  for (const each of contents.destinations) yield { type: "destination", ...each };
  for (const each of contents.grants) yield { type: "grant", ...each };
  for (const each of contents.schedules) yield { type: "schedule", ...scheduleOf(each) };
}

async function* workflowsOf(env: CloudflareEnv, accountId: string): AsyncGenerator<Line> {
  let cursor: WorkflowPosition | null = null;
  do {
    const page: WorkflowPage = await selectWorkflows(env.DB, accountId, { limit: PAGE, cursor });
    for (const each of page.workflows) {
      const { workflowId } = each.definition;
      yield { type: "workflow", ...workflowOf(each) };
      for (const content of await revisionsOf(env, accountId, workflowId)) {
        const settings = storedWorkflow.parse(JSON.parse(content));
        yield { type: "workflowRevision", workflowId, ...shownWorkflow(settings, each) };
      }
    }
    cursor = page.next;
  } while (cursor !== null);
}

async function* endpointsOf(http: Http, accountId: string): AsyncGenerator<Line> {
  let position: EndpointPosition | null = null;
  do {
    const page: EndpointPage = await selectEndpoints(http.env.DB, accountId, position, PAGE);
    for (const each of page.endpoints) {
      const { endpointId } = each;
      yield { type: "endpoint", ...(await endpointOf(http, each)) };
      for (const text of await revisionsOf(http.env, accountId, endpointId)) {
        const settings = archivedSettings(text);
        yield { type: "endpointRevision", endpointId, ...shownEndpoint(settings, each) };
      }
      yield* requestsOf(http.env, each.endpointId);
      yield* casesOf(http.env, each.endpointId);
    }
    position = page.next;
  } while (position !== null);
}

async function* requestsOf(env: CloudflareEnv, endpointId: string): AsyncGenerator<Line> {
  let cursor: LogPosition | null = null;
  do {
    const query = { ...EVERY_REQUEST, cursor };
    const page: Awaited<ReturnType<ReturnType<typeof inboxStub>["list"]>> = await callWithRetry(
      () => inboxStub(env, endpointId).list(query),
    );
    for (const entry of page.entries) yield { type: "request", ...entry };
    cursor = page.next;
  } while (cursor !== null);
}

async function* casesOf(env: CloudflareEnv, endpointId: string): AsyncGenerator<Line> {
  let before: number | null = null;
  do {
    const query = { key: null, route: null, before, limit: PAGE };
    const page: CasePage = await callWithRetry(() => inboxStub(env, endpointId).cases(query));
    for (const each of page.cases) yield { type: "case", ...each };
    before = page.next;
  } while (before !== null);
  const calls = await callWithRetry(() => inboxStub(env, endpointId).waiting());
  for (const { until, ...call } of calls) {
    yield { type: "waitingCall", endpointId, ...call, until: new Date(until).toISOString() };
  }
}

/** Returns the earlier revisions of a workflow or an endpoint, the newest first. */
async function revisionsOf(
  env: CloudflareEnv,
  accountId: string,
  resourceId: string,
): Promise<string[]> {
  const all = { before: Number.MAX_SAFE_INTEGER, limit: KEPT_REVISIONS };
  const rows = await selectRevisions(env.DB, accountId, resourceId, all);
  return rows.map(({ content }) => content);
}

const EVERY_REQUEST = {
  limit: PAGE,
  statuses: [],
  duplicate: null,
  receivedAfter: null,
  receivedBefore: null,
  eventId: null,
  eventType: null,
  text: null,
};

async function* executionsOf(
  env: CloudflareEnv,
  accountId: string,
  from: string,
): AsyncGenerator<Line> {
  const own = await callWithRetry(() => accountStub(env, accountId).executionIds());
  for (let after = from; ; ) {
    const ids = await executionIdsAfter(env, accountId, own, { after, limit: PAGE });
    for (const id of ids) yield* executionOf(env, accountId, id);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function* executionOf(
  env: CloudflareEnv,
  accountId: string,
  id: string,
): AsyncGenerator<Line> {
  const host = () => sessionHostStub(env, accountId, id);
  const [task, result] = await Promise.all([
    callWithRetry(() => host().task(id)),
    callWithRetry(() => host().result(id, { partial: true })),
  ]);
  if (task.kind !== "found" || result.kind !== "ready") return;
  for (const { type, outputId } of result.result.outputs) {
    if (type !== "file") continue;
    const file = await callWithRetry(() => host().file(id, outputId));
    if (file.kind !== "found") continue;
    const base64 = toBase64(file.bytes);
    yield { type: "file", executionId: id, outputId, filename: file.filename, base64 };
  }
  for (let after = 0; ; ) {
    const query = { after, limit: EVENTS };
    const page = await callWithRetry(() => host().events(id, query));
    const events = page.kind === "found" ? page.events : [];
    for (const event of events) yield { type: "event", executionId: id, event };
    const last = events.at(-1);
    if (last === undefined) break;
    after = last.seq;
  }
  // The last of its lines: with it the execution is whole.
  yield { type: "execution", executionId: id, task: task.task, result: result.result };
}
