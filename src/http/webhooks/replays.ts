import {
  type JobSubject,
  MAX_JOB_ITEMS,
  type ReplaysBody,
  replayForecast,
  replayRecord,
  replaysBody,
} from "../../contract/jobs.ts";
import { DEFAULT_MAX_CREDITS } from "../../contract/trigger.ts";
import type { InboxApi, LogPosition, ReplayOptions } from "../../contract/webhooks/inbox.ts";
import {
  failedAuthentication,
  type ReplayAccepted,
  replayAccepted,
  replayBody,
} from "../../contract/webhooks/log.ts";
import { releaseAccepted, releaseBody, releaseTrial } from "../../contract/webhooks/trials.ts";
import { MAX_MAX_BYTES } from "../../contract/webhooks/validation.ts";
import { inboxStub } from "../../durable/stubs.ts";
import type { AcceptResult, FinalReceipt } from "../../intake/accept.ts";
import { tryRelease } from "../../intake/logged.ts";
import { replay as replayLogged } from "../../intake/replay.ts";
import { isAttached } from "../../intake/routing/routes.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { configThen } from "../../records/config-then.ts";
import { endpointIdsOf, loadEndpoint } from "../../records/endpoints.ts";
import type { Http } from "../context.ts";
import { decidedBy, overLimit, refusalProblem, statusOf } from "../hooks.ts";
import { assertFits, averagePrices, forecastOf, jobRoutes } from "../jobs.ts";
import { callWithRetry, conflict, invalid } from "../problem.ts";
import { readRevision } from "../revisions.ts";
import { exactMember, jsonBody, jsonResponse, route } from "../route.ts";
import { draftOf } from "./draft.ts";
import { loggedRequest, logQueryOf } from "./requests.ts";
import { existingEndpoint, reader, replayer, WEBHOOKS, writer } from "./resource.ts";

const trial = jsonResponse(200, "With `dryRun`: what a release would do.", releaseTrial);

const release = route("POST", `${WEBHOOKS}/:endpointId/release`, {
  operationId: "releaseHeldRequests",
  summary: "Release held requests",
  description:
    "Maps the held requests and starts those that can be mapped, in the order of arrival. One that cannot be mapped stays held, with its errors in its log entry, and can be released again. Attaching a workflow or routes does the same. With `dryRun`, nothing is released: the response counts what would start, under the endpoint's workflow and mapping or under those that you pass, so you can ask before you attach a workflow.",
  auth: writer,
  body: jsonBody(releaseBody, { dryRun: false }),
  response: jsonResponse(202, "The held requests are being released.", releaseAccepted),
  otherResponses: [trial],
  problems: ["conflict"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const { dryRun, ...change } = body;
    const current = await existingEndpoint(http, accountId, endpointId);
    const { config } = await draftOf(http, current, change, Date.now());
    if (!isAttached(config)) {
      throw conflict(
        "The endpoint has no workflow that held requests could start. Attach one first, or try one with `dryRun` and `workflowId`.",
      );
    }
    const inbox = () => inboxStub(http.env, endpointId);
    if (!dryRun) return { value: { held: await callWithRetry(() => inbox().release(config)) } };
    const held = (after: number) => callWithRetry(() => inbox().held(after));
    return trial.render(await tryRelease(config, { inbox: { held }, now: Date.now }), {});
  },
});

/** The bytes of the body around an edited payload. */
const WRAPPING_BYTES = 1_024;

const replay = route("POST", `${WEBHOOKS}/:endpointId/requests/:requestId/replay`, {
  operationId: "replayWebhookRequest",
  summary: "Replay a request",
  description:
    "Processes a logged request again, as it was received or with another payload. The replay is a new entry in the log, under the current validation and mapping, or with `revision: then` under those that the request ran under; credentials, age and duplicates are not checked. A request that did not pass authentication is replayed only with `acceptUnverified`. It works for disabled endpoints too, and the original entry stays unchanged.",
  auth: replayer,
  body: jsonBody(
    replayBody,
    { payload: { id: "evt_1", order: { id: 1007, total: 13.5 } } },
    { maxBytes: MAX_MAX_BYTES + WRAPPING_BYTES },
  ),
  response: jsonResponse(202, "The request is stored and will be processed.", replayAccepted),
  problems: ["conflict", "gone", "validation_failed", "mapping_failed"],
  async handler({ http, caller: { accountId }, params, body, bytes }) {
    const { endpointId } = params;
    const config = await existingEndpoint(http, accountId, endpointId);
    const original = await loggedRequest(http, endpointId, params.requestId);
    const isEdited = body.payload !== undefined;
    if (original.request.bodyTruncated && !isEdited) {
      throw conflict(
        "The log has only the beginning of this request's body. Send the `payload` to replay.",
      );
    }
    if (!body.acceptUnverified && failedAuthentication(original.entry, config.auth)) {
      throw conflict(
        "The request did not pass authentication, so anyone can have sent it. Send `acceptUnverified: true` to replay it.",
      );
    }
    const earlier =
      body.revision === "then"
        ? await readRevision(() => configThen(http.env.DB, config, original.entry))
        : null;
    const requestId = http.get("requestId");
    const edited = isEdited ? exactMember(bytes, "payload") : null;
    const inbox = () => inboxStub(http.env, endpointId);
    const taken = await replayLogged(
      config,
      original,
      { requestId, receivedAt: Date.now(), edited, earlier },
      {
        // The inbox recognizes a repeated request by its id.
        acceptBatch: (arrivals) => callWithRetry(() => inbox().acceptBatch(arrivals)),
        configure: (newer) => callWithRetry(() => inbox().configure(newer)),
      },
    );
    const receipt = receiptOf(taken);
    const { executionId } = receipt;
    if (executionId !== null) http.get("subject").executionId = executionId;
    const value: ReplayAccepted = {
      requestId,
      status: statusOf(receipt),
      executionId,
      duplicate: false,
      replayOf: params.requestId,
      edited: isEdited,
    };
    return { value };
  },
});

/** Returns the receipt of an accepted replay. Throws the problem of a rejection. */
function receiptOf(taken: AcceptResult): Extract<FinalReceipt, { kind: "accepted" }> {
  const { first, others } = decidedBy(taken);
  const { admission, receipt } =
    [first, ...others].find((each) => each.receipt.kind === "accepted") ?? first;
  const { verdict } = admission;
  if (verdict.kind === "refuse") throw refusalProblem(verdict.refusal);
  if (receipt.kind === "accepted") return receipt;
  if (verdict.kind === "handshake") throw conflict("The batch has no items, so nothing starts.");
  if (receipt.kind === "full") throw overLimit(receipt);
  throw new Error(`an accepted replay got the receipt ${receipt.kind}`);
}

/** Positions of one call, endpoints that are asked at once, and requests that are evaluated in one call. */
const PAGE = 1_000;
const AT_ONCE = 20;
const EVALUATED = 50;

/** A request that is to be replayed. */
type Subject = JobSubject & { endpointId: string };

/** Returns the requests that a query matches, oldest first. */
async function matching(http: Http, accountId: string, query: ReplaysBody["query"]) {
  const { endpointId, requestIds, includeReplays, q: text, ...others } = query;
  const filters = { ...others, text };
  if (requestIds !== undefined && Object.values(filters).some((value) => value !== undefined)) {
    throw invalid("query.requestIds", "alone", "cannot be combined with filters");
  }
  const { env } = http;
  const endpointIds =
    endpointId === undefined
      ? await callWithRetry(() => endpointIdsOf(env.DB, accountId))
      : [(await existingEndpoint(http, accountId, endpointId)).endpointId];
  const found = await mapConcurrently(AT_ONCE, endpointIds, async (id) => {
    const all: (Subject & { receivedAt: number; seq: number })[] = [];
    let cursor: LogPosition | null = null;
    do {
      const asked = requestIds ? { requestIds } : { query: logQueryOf(filters, PAGE, cursor) };
      const page: Awaited<ReturnType<InboxApi["replayable"]>> = await callWithRetry(() =>
        inboxStub(env, id).replayable(asked, includeReplays),
      );
      for (const { requestId, ...place } of page.positions) {
        all.push({ id: requestId, endpointId: id, ...place });
      }
      cursor = page.next;
    } while (cursor !== null && all.length <= MAX_JOB_ITEMS);
    // A change whose announcement was lost must be known before it decides.
    const config = all.length === 0 ? null : await loadEndpoint(env.DB, accountId, id);
    if (config !== null) await callWithRetry(() => inboxStub(env, id).reconfigure(config));
    return all;
  });
  const subjects = found.flat().sort((a, b) => a.receivedAt - b.receivedAt || a.seq - b.seq);
  assertFits(subjects.length);
  return subjects.map(({ receivedAt: _, seq: __, ...subject }) => subject);
}

/** Asks the inboxes what would become of the replays. */
async function foretell(
  http: Http,
  accountId: string,
  { subjects, options }: { subjects: Subject[]; options: ReplayOptions },
) {
  const priceOf = averagePrices(http, accountId);
  const grouped = [...Map.groupBy(subjects, ({ endpointId }) => endpointId).values()].flat();
  const chunks = [...Map.groupBy(grouped, (_, at) => Math.floor(at / EVALUATED)).values()];
  const portions = chunks.flatMap((some) => [...Map.groupBy(some, (one) => one.endpointId)]);
  const found = await mapConcurrently(AT_ONCE, portions, async ([endpointId, some]) => {
    const items = some.map(({ id }) => ({ requestId: id, replayId: null }));
    const outcomes = await callWithRetry(() =>
      inboxStub(http.env, endpointId).replay(items, options),
    );
    return outcomes.map((outcome) => ({ ...outcome, endpointId }));
  });
  let credits = 0;
  for (const workflowId of found.flat().flatMap(({ workflowIds }) => workflowIds)) {
    credits += (await priceOf(workflowId)) ?? DEFAULT_MAX_CREDITS;
  }
  const verdicts = found.flat().map(({ workflowIds: _, ...verdict }) => verdict);
  return forecastOf(verdicts, credits);
}

const replays = jobRoutes({
  kind: "replay",
  path: "/api/v1/replays",
  name: "Replay",
  reader,
  writer: replayer,
  create: {
    summary: "Replay many requests",
    description:
      "Replays the logged requests that match, oldest first and in order for each case, each once, also when the service crashes. What succeeded, waits, runs or is a duplicate is skipped unless `status` or `requestIds` names it, and so is what a later replay of it made succeed or is running. Without a workflow a replay is held, and counts as started. With `dryRun`, returns what would happen. At most 10,000 requests.",
    problems: ["not_found"],
  },
  body: replaysBody,
  bodyExample: {
    query: { status: ["failed", "rejected"], receivedAfter: "2026-11-20T07:30:00.000Z" },
  },
  record: replayRecord,
  shown: (state, replayId) => ({ replayId, ...state }),
  forecast: replayForecast,
  async plan(http, accountId, { query, revision, perMinute }) {
    const subjects = await matching(http, accountId, query);
    const { requestIds, status } = query;
    const repeatSucceeded = requestIds !== undefined || status?.includes("succeeded") === true;
    const isNamed = requestIds !== undefined || status !== undefined;
    const options = { revision, repeatSucceeded, isNamed };
    return {
      settings: { kind: "replay", perMinute, ...options },
      subjects,
      foretell: () => foretell(http, accountId, { subjects, options }),
    };
  },
});

export const replayRoutes = [replay, ...replays, release];
