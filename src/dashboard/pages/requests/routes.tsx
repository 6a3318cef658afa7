import { PrompthookError } from "../../../client/error.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { attachment } from "../../../http/headers.ts";
import { sha256Hex } from "../../../lib/encoding.ts";
import type { Dashboard, Page } from "../../context.ts";
import { requestPath } from "../../paths.ts";
import { curlScript } from "../webhooks/curl-script.ts";
import { sampleRequest } from "../webhooks/sample-request.ts";
import { isLive, type LogView, logViewOf } from "./log-filters.ts";
import { type RefusedReplay, replay } from "./replay.tsx";
import { requestBodyOf } from "./request-body.tsx";
import { Log, type LogPageData, LogUpdate, RequestLogPage } from "./request-log.tsx";
import { EntryPage, type LinkedExecution, type Logged, Outcome } from "./request-page.tsx";

const LENGTH = 16;

/** The mark of a page on which nothing is. */
export const NOTHING_SEEN = "none";

/** What a reader sees of these entries, as a short text that differs when that does. */
export async function fingerprintOf(entries: readonly LogEntry[]): Promise<string> {
  if (entries.length === 0) return NOTHING_SEEN;
  return shortHash(
    // What came never changes; what became of it does.
    entries.map(({ headers: _, query: __, body: ___, mappedInputs, ...shown }) => ({
      ...shown,
      isMapped: mappedInputs !== null,
    })),
  );
}

/** Tells what was shown from what there is now. */
export async function shortHash(shown: unknown): Promise<string> {
  return (await sha256Hex(JSON.stringify(shown))).slice(0, LENGTH);
}

const LOG = "/webhooks/:endpointId/requests";
const ENTRY = `${LOG}/:requestId`;

/** The log of an endpoint: what came, what became of it, and again. */
export function serveRequests(app: Dashboard): void {
  app.get(LOG, async (http) => {
    const endpointId = http.req.param("endpointId");
    const view = logViewOf(new URL(http.req.url).searchParams);
    const isAskable = view.faults.size === 0;
    const [endpoint, page] = await Promise.all([
      http.get("api").webhooks.get(endpointId),
      isAskable ? logOf(http, endpointId, view) : null,
    ]);
    const script = page?.entries.length === 0 ? await scriptFor(http, endpoint) : "";
    return http.html(
      <RequestLogPage endpoint={endpoint} view={view} page={page} script={script} />,
      isAskable ? 200 : 400,
    );
  });

  app.get(`${LOG}/live`, async (http) => {
    const endpointId = http.req.param("endpointId");
    const { searchParams } = new URL(http.req.url);
    const view = logViewOf(searchParams);
    if (view.faults.size > 0 || !isLive(view)) return http.body(null, 204);
    const page = await logOf(http, endpointId, view);
    const seen = searchParams.get("seen");
    if (page.seen === seen) return http.body(null, 204);
    if (page.seen !== NOTHING_SEEN && seen !== NOTHING_SEEN) {
      return http.html(<LogUpdate page={page} />);
    }
    // From no rows to some, or back: there are none to be replaced.
    const endpoint = await http.get("api").webhooks.get(endpointId);
    http.header("HX-Retarget", "#log");
    http.header("HX-Reswap", "outerHTML");
    const script = page.entries.length === 0 ? await scriptFor(http, endpoint) : "";
    return http.html(<Log page={page} endpoint={endpoint} script={script} />);
  });

  app.get(ENTRY, async (http) => {
    return http.html(await entryPage(http, http.req.param()));
  });

  app.get(`${ENTRY}/outcome`, async (http) => {
    const logged = await loggedOf(http, http.req.param());
    if (logged.seen === http.req.query("seen")) return http.body(null, 204);
    return http.html(<Outcome logged={logged} />);
  });

  app.get(`${ENTRY}/body`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const { body } = await http.get("api").webhooks.request(endpointId, requestId);
    return http.body(body ?? "", 200, {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": attachment(`${requestId}.txt`),
    });
  });

  app.post(`${ENTRY}/replay`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const replayed = await replay(http, endpointId, requestId);
    if (replayed.ok) return http.redirect(requestPath(endpointId, replayed.requestId), 303);
    const { refused } = replayed;
    const page = await entryPage(http, { endpointId, requestId }, refused);
    return http.html(page, refused.refusal.status);
  });
}

interface EntryParams {
  endpointId: string;
  requestId: string;
}

async function logOf(http: Page, endpointId: string, view: LogView): Promise<LogPageData> {
  const page = await http.get("api").webhooks.requests(endpointId, view.query);
  const { requests: entries, nextCursor } = page;
  return { endpointId, view, entries, nextCursor, seen: await fingerprintOf(entries) };
}

async function entryPage(http: Page, params: EntryParams, refused: RefusedReplay | null = null) {
  const logged = await loggedOf(http, params);
  const body = await requestBodyOf(logged.entry);
  return <EntryPage logged={logged} body={body} refused={refused} />;
}

async function loggedOf(http: Page, { endpointId, requestId }: EntryParams): Promise<Logged> {
  const { webhooks } = http.get("api");
  const [endpoint, entry] = await Promise.all([
    webhooks.get(endpointId),
    webhooks.request(endpointId, requestId),
  ]);
  const run = await runOf(http, entry);
  return { endpoint, entry, run, seen: await shortHash([await fingerprintOf([entry]), run]) };
}

/** Commands that send an endpoint an event that its workflow takes. */
async function scriptFor(http: Page, endpoint: EndpointRecord): Promise<string> {
  const { workflowId } = endpoint;
  const { workflows } = http.get("api");
  const workflow = workflowId === null ? null : await ifThere(workflows.get(workflowId));
  return curlScript(endpoint, sampleRequest(endpoint, workflow?.inputs ?? []));
}

/** The run of a request; null where there is none any more, or the key may not see it. */
async function runOf(http: Page, { executionId }: LogEntry): Promise<LinkedExecution | null> {
  if (executionId === null) return null;
  const state = await ifThere(http.get("api").executions.status(executionId));
  if (state === null) return null;
  const { status, statusDetail, progress } = state;
  return { executionId, status, statusDetail, progress };
}

/** An answer; null where there is no such thing any more, or the session's key may not see it. */
async function ifThere<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    const isHidden = error instanceof PrompthookError && [403, 404].includes(error.status);
    if (isHidden) return null;
    throw error;
  }
}
