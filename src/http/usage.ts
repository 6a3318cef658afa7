import type * as z from "zod";
import { addUsd } from "../contract/models.ts";
import {
  allWebhookUsage,
  BUCKET_MS,
  type ExecutionFigures,
  usage as executionUsage,
  type InboxUsage,
  type UsageBreakdown,
  type UsageBucket,
  type UsageField,
  type UsageRange,
  usageBreakdown,
  usageBucket,
  usageKey,
  type WebhookFigures,
} from "../contract/usage.ts";
import { accountStub, inboxStub } from "../durable/stubs.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { iso } from "../lib/instants.ts";
import { selectEndpoints } from "../records/endpoints.ts";
import { countExecutions, type ExecutionCount } from "../records/executions.ts";
import { apiKeyVerifiedByHandler, granted, type KeyHolder } from "./authentication.ts";
import type { Http } from "./context.ts";
import { moment, parameters } from "./params.ts";
import { callWithRetry, invalid } from "./problem.ts";
import { jsonResponse, route } from "./route.ts";
import { reader } from "./webhooks/resource.ts";

/** The buckets of a range without `from`: a day of hours, a month of days. */
const DEFAULT_BUCKETS: Record<UsageBucket, number> = { hour: 24, day: 30 };
/** A month of hours, or two years of days. */
export const MAX_BUCKETS = 744;

/** The query of a usage route. */
export const usageQuery = parameters({
  from: moment.optional().describe("The start: by default 24 hours or 30 days ago."),
  to: moment.optional().describe("The end; its bucket is included. Defaults to now."),
  bucket: usageBucket.default("hour").describe("The length of a bucket, in UTC."),
});

/**
 * Returns the whole buckets that a query covers. Days in UTC all have one length, so their number is
 * enough. Throws for a range that is empty, in the future, or of too many buckets. `now` in epoch
 * milliseconds.
 */
export function rangeOf(query: z.output<typeof usageQuery>, now: number): UsageRange {
  const bucketMs = BUCKET_MS[query.bucket];
  const last = Math.min(query.to ?? now, now);
  const to = Math.ceil(last / bucketMs) * bucketMs;
  const earliest = query.from ?? to - DEFAULT_BUCKETS[query.bucket] * bucketMs;
  const from = Math.floor(Math.max(earliest, 0) / bucketMs) * bucketMs;
  if (from >= to || earliest >= last) {
    throw invalid("from", "range", "must be before `to`, in the past and after 1970");
  }
  const buckets = (to - from) / bucketMs;
  if (buckets > MAX_BUCKETS) {
    const hint = query.bucket === "hour" ? "; use bucket=day for a longer range" : "";
    const message = `must be at most ${MAX_BUCKETS} buckets before the end, not ${buckets}${hint}`;
    throw invalid("from", "range", message);
  }
  return { from, to, bucketMs };
}

/** Returns the fields that describe the range of a response. */
function rangeFields(bucket: UsageBucket, { from, to }: UsageRange, countedFrom: number) {
  return { bucket, from: iso(from), to: iso(to), countedFrom: iso(countedFrom) };
}

/** Returns the starts of the buckets, oldest first. */
export function startsOf({ from, to, bucketMs }: UsageRange): number[] {
  return Array.from({ length: (to - from) / bucketMs }, (_, at) => from + at * bucketMs);
}

/** Sorts counts of executions into their buckets. */
export function executionBuckets(range: UsageRange, counts: readonly ExecutionCount[]) {
  const byStart = Map.groupBy(counts, ({ start }) => start);
  const buckets = startsOf(range).map((start) => ({
    start: iso(start),
    ...executionFigures(byStart.get(start) ?? []),
  }));
  return { buckets, total: executionFigures(counts) };
}

const MAX_ITEMS = 1_000;

/** Sums counts of executions by the value of the field that they are grouped by. */
function executionItems(counts: readonly ExecutionCount[]): UsageBreakdown["items"] {
  return [...Map.groupBy(counts, ({ item }) => item)]
    .map(([id, ofItem]) => ({ id, ...executionFigures(ofItem) }))
    .sort((a, b) => b.creditsConsumed - a.creditsConsumed)
    .slice(0, MAX_ITEMS);
}

/** Merges counts of any buckets. */
function executionFigures(counts: readonly ExecutionCount[]): ExecutionFigures {
  const executions = { active: 0, waiting_for_input: 0, completed: 0, failed: 0, stopped: 0 };
  for (const { status, executions: count } of counts) executions[status] += count;
  return {
    executions,
    creditsConsumed: counts.reduce((sum, count) => sum + count.creditsConsumed, 0),
    costUsd: counts.reduce((sum, { costUsd }) => addUsd(sum, costUsd), 0),
  };
}

/** Merges the figures of several inboxes, by bucket and in total. */
export function webhookBuckets(range: UsageRange, inboxes: readonly InboxUsage[]) {
  const countedFrom = Math.max(range.from, ...inboxes.map((inbox) => inbox.countedFrom));
  // A bucket that one inbox did not count would look like a quiet one.
  const isCounted = ({ start }: { start: number }) => start + range.bucketMs > countedFrom;
  const strata = inboxes.flatMap((inbox) => inbox.strata).filter(isCounted);
  const overLimit = inboxes.flatMap((inbox) => inbox.overLimit).filter(isCounted);
  const byStart = Map.groupBy(strata, ({ start }) => start);
  const buckets = startsOf(range).map((start) => ({
    start: iso(start),
    ...webhookFigures({
      strata: byStart.get(start) ?? [],
      overLimit: overLimit.filter((bucket) => bucket.start === start),
    }),
  }));
  return { countedFrom, buckets, total: webhookFigures({ strata, overLimit }) };
}

/** Merges figures of any buckets. */
function webhookFigures(usage: Pick<InboxUsage, "strata" | "overLimit">): WebhookFigures {
  const { strata, overLimit } = usage;
  const requests = {
    rejected: 0,
    queued: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    duplicate: 0,
    unrouted: 0,
    superseded: 0,
    logged: 0,
  };
  for (const { status, count } of strata) requests[status] += count;
  return { requests, overLimit: overLimit.reduce((sum, { count }) => sum + count, 0) };
}

/** Counting more executions than these takes D1 longer than about 0.2 s. */
const MAX_EXECUTIONS = 200_000;
const COUNT_TIMEOUT_MS = 10_000;
/** The largest number of endpoints whose inboxes are read for one response. */
const MAX_ENDPOINTS = 100;
/** The inboxes that are read at once. */
const READS_AT_ONCE = 20;

const ofExecutions = route("GET", "/api/v1/usage", {
  operationId: "getUsage",
  summary: "Get the usage of executions",
  description:
    "Counts executions, the credits that they consumed and the price of their tokens, by hour or by day. An execution counts in the bucket of its creation for as long as it is stored.",
  auth: apiKeyVerifiedByHandler("executions:read", "management"),
  query: usageQuery,
  response: jsonResponse(200, "The figures.", executionUsage),
  async handler({ http, caller, query }) {
    const range = rangeOf(query, Date.now());
    const { countedFrom, counts } = await countsOf(http, caller, range);
    const figures = executionBuckets(range, counts);
    return { value: { ...rangeFields(query.bucket, range, countedFrom), ...figures } };
  },
});

/** Counts the executions of an account. */
async function countsOf(
  http: Http,
  { accountId, credential }: KeyHolder,
  range: UsageRange,
  by?: UsageField,
) {
  const { env } = http;
  const reply = await callWithRetry(() => accountStub(env, accountId).placements(credential));
  const { placements } = granted(http, reply);
  const options = { most: MAX_EXECUTIONS, ...(by && { by }) };
  return callWithRetry(() =>
    within("D1", COUNT_TIMEOUT_MS, countExecutions(env, { accountId, placements }, range, options)),
  );
}

/** The field of an execution for each `by`. */
const FIELDS = { workflow: "workflowId", key: "keyId", model: "model" } as const;

const breakdown = route("GET", "/api/v1/usage/breakdown", {
  operationId: "getUsageBreakdown",
  summary: "Get the usage by workflow, key or model",
  description: "Counts executions and their credits for each workflow, key or model.",
  auth: apiKeyVerifiedByHandler("executions:read", "management"),
  query: parameters({
    ...usageQuery.shape,
    by: usageKey.default("workflow").describe("What the figures are divided by."),
  }),
  response: jsonResponse(200, "The figures.", usageBreakdown),
  async handler({ http, caller, query }) {
    const range = rangeOf(query, Date.now());
    // One bucket, from the beginning of time.
    const whole = { ...range, bucketMs: Number.MAX_SAFE_INTEGER };
    const by = FIELDS[query.by];
    const { countedFrom, counts } = await countsOf(http, caller, whole, by);
    const { bucket: _, ...fields } = rangeFields(query.bucket, range, countedFrom);
    return { value: { by: query.by, ...fields, items: executionItems(counts) } };
  },
});

const ofAllWebhooks = route("GET", "/api/v1/usage/webhooks", {
  operationId: "getAllWebhookUsage",
  summary: "Get the usage of all endpoints",
  description: `Counts the requests of the ${MAX_ENDPOINTS} newest endpoints, by hour or by day. A request counts in the bucket of its arrival for as long as it is logged.`,
  auth: reader,
  query: usageQuery,
  response: jsonResponse(200, "The figures.", allWebhookUsage),
  async handler({ http: { env }, caller: { accountId }, query }) {
    const range = rangeOf(query, Date.now());
    const { items: endpoints, next } = await callWithRetry(() =>
      selectEndpoints(env.DB, accountId, null, MAX_ENDPOINTS),
    );
    const inboxes = await mapConcurrently(READS_AT_ONCE, endpoints, async (endpoint) => ({
      endpoint,
      usage: await callWithRetry(() => inboxStub(env, endpoint.endpointId).usage(range)),
    }));
    const { countedFrom, ...figures } = webhookBuckets(
      range,
      inboxes.map(({ usage }) => usage),
    );
    const byEndpoint = inboxes.map(({ endpoint: { endpointId, name, workflow }, usage }) => ({
      endpointId,
      name,
      workflowId: workflow?.workflowId ?? null,
      queuedCount: usage.queuedCount,
      ...webhookFigures(usage),
    }));
    const fields = rangeFields(query.bucket, range, countedFrom);
    const moreEndpoints = next !== null;
    return { value: { ...fields, ...figures, endpoints: byEndpoint, moreEndpoints } };
  },
});

export const usageRoutes = [ofExecutions, breakdown, ofAllWebhooks];
