import {
  type JobSubject,
  MAX_JOB_ITEMS,
  type ReplaysBody,
  replayForecast,
  replayRecord,
  replaysBody,
} from "../../contract/jobs.ts";
import { DEFAULT_MAX_CREDITS } from "../../contract/trigger.ts";
import type { LogPosition, ReplayOptions } from "../../contract/webhooks/inbox.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { endpointIdsOf, loadEndpoint } from "../../records/endpoints.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { assertFits, averagePrices, forecastOf, jobRoutes } from "../jobs.ts";
import { invalid } from "../problem.ts";
import { logQueryOf } from "./requests.ts";
import { existingEndpoint, reader, replayer } from "./resource.ts";

/** Positions of one call, endpoints that are asked at once, and requests that are evaluated in one call. */
const PAGE = 1_000;
const AT_ONCE = 20;
const EVALUATED = 50;

/** A request that is to be replayed. */
interface Subject extends JobSubject {
  endpointId: string;
}

/** Returns the requests that a query matches, oldest first. */
async function matching(
  http: Http,
  accountId: string,
  query: ReplaysBody["query"],
): Promise<Subject[]> {
  const { endpointId, requestIds, includeReplays, ...filters } = query;
  if (requestIds !== undefined && Object.values(filters).some((value) => value !== undefined)) {
    throw invalid("query.requestIds", "alone", "cannot be combined with filters");
  }
  const { env } = http;
  const { status = [], eventType, q: text } = filters;
  const at = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  const receivedAfter = at(filters.receivedAfter);
  const receivedBefore = at(filters.receivedBefore);
  const asFilters = { status, eventType, text, receivedAfter, receivedBefore };
  const endpointIds =
    endpointId === undefined
      ? await callWithRetry(() => endpointIdsOf(env.DB, accountId))
      : [(await existingEndpoint(http, accountId, endpointId)).endpointId];
  const found = await mapConcurrently(AT_ONCE, endpointIds, async (id) => {
    const all: (Subject & { receivedAt: number })[] = [];
    let cursor: LogPosition | null = null;
    do {
      const asked = requestIds ? { requestIds } : { query: logQueryOf(asFilters, PAGE, cursor) };
      const page: Awaited<ReturnType<ReturnType<typeof inboxStub>["replayable"]>> =
        await callWithRetry(() => inboxStub(env, id).replayable(asked, includeReplays));
      for (const each of page.positions) {
        all.push({ id: each.requestId, endpointId: id, receivedAt: each.receivedAt });
      }
      cursor = page.next;
    } while (cursor !== null && all.length <= MAX_JOB_ITEMS);
    // A change whose announcement was lost must be known before it decides.
    const config = all.length === 0 ? null : await loadEndpoint(env.DB, accountId, id);
    if (config !== null) await callWithRetry(() => inboxStub(env, id).reconfigure(config));
    return all;
  });
  const subjects = found.flat().sort((a, b) => a.receivedAt - b.receivedAt);
  assertFits(subjects.length);
  return subjects.map(({ receivedAt: _, ...subject }) => subject);
}

/** Asks the inboxes what would become of the replays. */
async function foretell(
  http: Http,
  accountId: string,
  { subjects, options }: { subjects: Subject[]; options: ReplayOptions },
) {
  const priceOf = averagePrices(http, accountId);
  const portions = [...Map.groupBy(subjects, ({ endpointId }) => endpointId)].flatMap(
    ([endpointId, all]) =>
      Array.from({ length: Math.ceil(all.length / EVALUATED) }, (_, n) => ({
        endpointId,
        items: all
          .slice(n * EVALUATED, (n + 1) * EVALUATED)
          .map(({ id }) => ({ requestId: id, replayId: null })),
      })),
  );
  const found = await mapConcurrently(AT_ONCE, portions, async ({ endpointId, items }) => {
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

export const replayRoutes = jobRoutes({
  kind: "replay",
  path: "/api/v1/replays",
  name: "Replay",
  reader,
  writer: replayer,
  create: {
    summary: "Replay many requests",
    description:
      "Replays the logged requests that match, oldest first and in order for each case, each once, also when the service crashes. What succeeded is skipped unless `status` or `requestIds` names it, and so is what a later replay of it made succeed or is running. With `dryRun`, returns what would happen. At most 10,000 requests.",
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
    const repeatSucceeded =
      query.requestIds !== undefined || query.status?.includes("succeeded") === true;
    const options = { revision, repeatSucceeded };
    return {
      settings: { kind: "replay", perMinute, ...options },
      subjects,
      foretell: () => foretell(http, accountId, { subjects, options }),
    };
  },
});
