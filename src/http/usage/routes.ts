import { closed } from "../../contract/fields.ts";
import {
  allWebhookUsage,
  usage as executionUsage,
  type UsageField,
  type UsageRange,
  usageBreakdown,
  usageKey,
} from "../../contract/usage.ts";
import { accountStub, inboxStub } from "../../durable/stubs.ts";
import { mapConcurrently, within } from "../../lib/async.ts";
import { selectEndpoints } from "../../records/endpoints.ts";
import { countExecutions } from "../../records/executions.ts";
import { apiKeyVerifiedByHandler, granted, type KeyHolder } from "../authentication.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { jsonResponse, route } from "../route.ts";
import { reader } from "../webhooks/resource.ts";
import {
  executionBuckets,
  executionItems,
  rangeFields,
  rangeOf,
  usageQuery,
  webhookBuckets,
  webhookFigures,
} from "./figures.ts";

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

/** The field of an execution that each division of the figures goes by. */
const FIELDS = { workflow: "workflowId", key: "keyId", model: "model" } as const;

const breakdown = route("GET", "/api/v1/usage/breakdown", {
  operationId: "getUsageBreakdown",
  summary: "Get the usage by workflow, key or model",
  description:
    "Counts executions and the credits that they consumed for each workflow, key or model, in a range of time.",
  auth: apiKeyVerifiedByHandler("executions:read", "management"),
  query: closed(
    {
      ...usageQuery.shape,
      by: usageKey.default("workflow").describe("What the figures are divided by."),
    },
    "parameter",
  ),
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
