import { schemaViolations } from "../../agent/schema-check.ts";
import type { PromisedExecution } from "../../contract/account.ts";
import type { ExecutionResult } from "../../contract/execution.ts";
import { type JobState, type RehearseBody, rehearseBody } from "../../contract/jobs.ts";
import type { Json } from "../../contract/json.ts";
import { violationLine } from "../../contract/problem.ts";
import {
  type Expectation,
  type Rehearsal,
  type RehearsalResult,
  type RehearsedCall,
  rehearsalAccepted,
  rehearsalRecord,
} from "../../contract/rehearsals.ts";
import type { CallsReply } from "../../contract/session.ts";
import { isFinal, ORIGINS } from "../../contract/words.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { accountStub, inboxStub, sessionHostStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { differencesBetween } from "../../lib/differences.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import { newExecutionId, slotOf, withSlot } from "../../lib/execution-id.ts";
import { canonicalJson } from "../../lib/json-values.ts";
import { endpointIdsOf } from "../../records/endpoints.ts";
import { draftOfRehearsal } from "../../workflows/draft.ts";
import { apiKey } from "../authentication.ts";
import type { Http } from "../context.ts";
import { EVERY_EXECUTION, executionsBy, job } from "../jobs.ts";
import { callWithRetry, conflict, type HttpProblem, invalid, notFound } from "../problem.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { changedDefinition, existingWorkflow, reader, WORKFLOWS } from "./definition.ts";

const PATH = "/api/v1/rehearsals";

const rehearse = route("POST", `${WORKFLOWS}/:workflowId/rehearse`, {
  operationId: "rehearseWorkflow",
  summary: "Rehearse a workflow",
  description:
    "Runs a workflow, or a draft of it, on the inputs of earlier executions. The model is asked; effects are noted and never done; reads return what the original read. The executions have the origin `rehearsal`, tell nobody, and are charged.",
  auth: apiKey("executions:write", "management"),
  body: jsonBody(rehearseBody, { draft: { prompt: "Say what the order is about." }, last: 20 }),
  response: jsonResponse(202, "The rehearsal runs.", rehearsalAccepted),
  async handler({ http, caller, params: { workflowId }, body }) {
    const { accountId } = caller;
    const { definition } = await existingWorkflow(http, accountId, workflowId);
    const { draft, reads } = body;
    const tried =
      draft === undefined
        ? definition
        : await changedDefinition(http, accountId, definition, draft);
    const originals = await originalsOf(http, accountId, workflowId, body);
    const runs = await mapConcurrently(
      AT_ONCE,
      originals,
      async (of): Promise<PromisedExecution> => {
        const host = sessionHostStub(http.env, accountId, of);
        const found = await callWithRetry(() => host.task(of));
        if (found.kind === "unknown") throw notFound();
        const rehearsal = { of, reads };
        // It lives where its original is, and reads what that has read.
        return {
          executionId: withSlot(newExecutionId(), slotOf(of)),
          draft: draftOfRehearsal(tried, found.task.inputs ?? {}, rehearsal, settingsOf(http.env)),
        };
      },
    );
    const rehearsalId = crypto.randomUUID();
    const settings = {
      kind: "rehearsal" as const,
      perMinute: 1,
      workflowId,
      expect: tried.expect,
      tried: await contentKey(tried),
    };
    const subjects = runs.map(({ executionId: madeId }, at) => {
      return { id: originals[at] ?? "", endpointId: null, madeId };
    });
    const command = { do: "create" as const, jobId: rehearsalId, settings, subjects };
    await job(http, caller, "rehearsal", command, runs);
    return { value: { rehearsalId } };
  },
});

/** Returns the executions whose inputs are used, the newest first. */
async function originalsOf(
  { env }: Http,
  accountId: string,
  workflowId: string,
  { executionIds, requestIds, last = 0 }: RehearseBody,
): Promise<string[]> {
  if (executionIds !== undefined) return executionIds;
  if (requestIds !== undefined) {
    const endpointIds = await callWithRetry(() => endpointIdsOf(env.DB, accountId));
    const found = await mapConcurrently(AT_ONCE, endpointIds, (id) =>
      callWithRetry(() => inboxStub(env, id).entries(requestIds)),
    );
    const started = found.flat().flatMap((entry) => entry.executionId ?? []);
    if (started.length === requestIds.length) return started;
    throw invalid("requestIds", "started", "must be requests that started an execution");
  }
  const origins = ORIGINS.filter((origin) => origin !== "rehearsal");
  const statuses = ["completed" as const, "failed" as const];
  const query = { ...EVERY_EXECUTION, workflowId, origins, statuses, limit: last };
  const { executions } = await executionsBy(env, accountId, query);
  return executions.map((row) => row.executionId);
}

const get = route("GET", `${PATH}/:rehearsalId`, {
  operationId: "getRehearsal",
  summary: "Get a rehearsal",
  description: "Returns for each input what would change, and what the workflow's `expect` finds.",
  auth: reader,
  response: jsonResponse(200, "The rehearsal.", rehearsalRecord),
  async handler({ http, caller, params: { rehearsalId } }) {
    const command = { do: "get" as const, jobId: rehearsalId };
    const { rehearsal } = await job(http, caller, "rehearsal", command);
    if (rehearsal === undefined) throw notFound();
    return { value: await foundBy(http, caller.accountId, rehearsalId, rehearsal) };
  },
});

export const rehearsalRoutes = [rehearse, get];

/** Calls to other objects that run side by side. */
const AT_ONCE = 10;

/** Returns a key of what a rehearsal of a workflow tries: equal for equal prompts, models, tools, limits and expectations. */
async function contentKey(definition: WorkflowDefinition): Promise<string> {
  const { workflowId, prompt, inputs, model, fallbacks, tools, outputSchema, expect } = definition;
  const { allowedHosts, connections, maxCredits, maxCostUsd, maxSteps, timeoutSeconds } =
    definition;
  const task = [workflowId, prompt, inputs, model, fallbacks, outputSchema, expect];
  const reach = [tools, allowedHosts, connections];
  const limits = [maxCredits, maxCostUsd, maxSteps, timeoutSeconds];
  return await sha256Hex(JSON.stringify([task, reach, limits]));
}

/**
 * Throws a 409 for a change of a workflow that wants changes rehearsed, unless the latest rehearsal of exactly
 * this content has completed without a failure.
 */
export async function assertRehearsed(
  http: Http,
  accountId: string,
  before: WorkflowDefinition,
  after: WorkflowDefinition,
): Promise<void> {
  if (!after.rehearseBeforeSave) return;
  const tried = await contentKey(after);
  if (tried === (await contentKey(before))) return;
  const account = accountStub(http.env, accountId);
  const job = await callWithRetry(() => account.rehearsalOf(tried));
  if (job?.rehearsal === undefined)
    throw unrehearsed("Rehearse this change before you save it: this workflow requires that.");
  const found = await foundBy(http, accountId, job.jobId, job.rehearsal);
  if (found.status === "running")
    throw unrehearsed(`The rehearsal ${job.jobId} of this change is running. Save it afterwards.`);
  const { failed, rehearsed } = found.totals;
  if (failed > 0)
    throw unrehearsed(
      `The rehearsal ${job.jobId} of this change failed on ${failed} of ${rehearsed} inputs.`,
    );
}

function unrehearsed(detail: string): HttpProblem {
  const message = "wants a passed rehearsal of the change";
  return conflict(detail, [{ path: "rehearseBeforeSave", rule: "rehearsed", message }]);
}

/** Returns what a rehearsal found so far. */
async function foundBy(
  http: Http,
  accountId: string,
  rehearsalId: string,
  { items, settings }: NonNullable<JobState["rehearsal"]>,
): Promise<Rehearsal> {
  const read = (id: string) => readRun(http, accountId, id);
  const results = await mapConcurrently(AT_ONCE, items, async ({ of, executionId: id }) => {
    const [before, after] = await Promise.all([read(of), read(id)]);
    return after && compared({ of, id, before, after }, settings.expect);
  });
  const known = results.filter((result) => result !== null);
  const isOver = known.length === items.length && known.every(({ status }) => isFinal(status));
  const sum = (of: (result: RehearsalResult) => number) =>
    known.reduce((total, result) => total + of(result), 0);
  return {
    rehearsalId,
    workflowId: settings.workflowId,
    status: isOver ? ("completed" as const) : ("running" as const),
    results: known,
    totals: {
      rehearsed: items.length,
      changed: known.filter(hasChanged).length,
      failed: known.filter(({ failures }) => failures.length > 0).length,
      credits: sum(({ credits }) => credits),
      creditsBefore: sum(({ before }) => before.credits),
    },
  };
}

const hasChanged = ({ effects, dataDiff }: RehearsalResult): boolean =>
  effects.added.length + effects.removed.length + effects.changed.length + dataDiff.length > 0;

type Calls = Extract<CallsReply, { kind: "found" }>["calls"];

interface Run {
  result: ExecutionResult;
  calls: Calls;
  /** The webhook request that started it, or null. */
  requestId: string | null;
}

async function readRun({ env }: Http, accountId: string, id: string): Promise<Run | null> {
  const host = () => sessionHostStub(env, accountId, id);
  const reply = await callWithRetry(() => host().result(id, { partial: true }));
  const found = await callWithRetry(() => host().calls(id));
  const started = await callWithRetry(() => host().task(id));
  if (reply.kind !== "ready" || found.kind !== "found" || started.kind !== "found") return null;
  const requestId = started.task.inbound?.requestId ?? null;
  return { result: reply.result, calls: found.calls, requestId };
}

function compared(
  { of, id, before, after }: { of: string; id: string; before: Run | null; after: Run },
  expect: Expectation | null,
): RehearsalResult {
  const { result, calls } = after;
  const isOver = isFinal(result.status);
  const dataOf = (run: Run | null): Json =>
    run?.result.presentedResult.data ?? run?.result.presentedResult.summary ?? null;
  const dataDiff = isOver
    ? [...differencesBetween(dataOf(before), dataOf(after))].slice(0, 100).map((each) => ({
        path: each.path.join("."),
        ...(each.before !== undefined && { before: plain(each.before) }),
        ...(each.after !== undefined && { after: plain(each.after) }),
      }))
    : [];
  return {
    executionId: of,
    requestId: before?.requestId ?? null,
    rehearsalExecutionId: id,
    status: result.status,
    effects: effectsOf(before?.calls ?? [], calls),
    dataDiff,
    ...figuresOf(after),
    before: before === null ? { steps: 0, credits: 0, durationMs: 0 } : figuresOf(before),
    failures: isOver ? failuresOf(after, expect) : [],
  };
}

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

function figuresOf({ result }: Run) {
  const { createdAt, finishedAt, usage, creditsConsumed: credits } = result;
  const durationMs = finishedAt === null ? 0 : Date.parse(finishedAt) - Date.parse(createdAt);
  return { steps: usage.modelSteps, credits, durationMs };
}

/** Pairs effects: first the same calls, then calls of the same tool in their order. */
function effectsOf(before: Calls, after: Calls): RehearsalResult["effects"] {
  const effects = (calls: Calls): RehearsedCall[] =>
    calls.filter(({ isEffect }) => isEffect).map(({ tool, input }) => ({ tool, input }));
  const removed = effects(before);
  const take = (fits: (call: RehearsedCall) => boolean): RehearsedCall | null => {
    const at = removed.findIndex(fits);
    return at === -1 ? null : (removed.splice(at, 1)[0] ?? null);
  };
  const keyOf = ({ tool, input }: RehearsedCall) => `${tool} ${canonicalJson(input)}`;
  const others = effects(after).filter(
    (call) => take((one) => keyOf(one) === keyOf(call)) === null,
  );
  const same = effects(after).length - others.length;
  const changed: { before: RehearsedCall; after: RehearsedCall }[] = [];
  const added = others.filter((call) => {
    const partner = take(({ tool }) => tool === call.tool);
    if (partner !== null) changed.push({ before: partner, after: call });
    return partner === null;
  });
  return { same, added, removed, changed };
}

/** Returns what an execution that has ended does not do of what is expected. */
function failuresOf({ result, calls }: Run, expect: Expectation | null): string[] {
  const called = calls.map(({ tool }) => tool);
  const { callsTool = [], notCallsTool = [], callOrder = [], data, maxCredits } = expect ?? {};
  let from = 0;
  const isInOrder = callOrder.every((tool) => {
    const at = called.indexOf(tool, from);
    from = at + 1;
    return at !== -1;
  });
  const violations = data === undefined ? [] : schemaViolations(data, result.presentedResult.data);
  return [
    ...(result.status === "failed" ? [`It failed: ${result.error.code}`] : []),
    ...(result.status === "stopped" ? ["It was stopped."] : []),
    ...callsTool
      .filter((tool) => !called.includes(tool))
      .map((tool) => `It does not call ${tool}.`),
    ...notCallsTool.filter((tool) => called.includes(tool)).map((tool) => `It calls ${tool}.`),
    ...(isInOrder ? [] : [`It does not call ${callOrder.join(", ")} in this order.`]),
    ...violations.map((each) => violationLine(each, "data")),
    ...(maxCredits !== undefined && result.creditsConsumed > maxCredits
      ? [`It consumes ${result.creditsConsumed} credits, more than ${maxCredits}.`]
      : []),
  ];
}
