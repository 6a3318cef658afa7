import { allWebhookUsage as allSchema, type WebhookFigures } from "../../contract/usage.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { selectEndpoints } from "../../records/endpoints.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { noParams } from "../query.ts";
import { route } from "../route.ts";
import { EXAMPLE_ENDPOINT_ID, reader } from "../webhooks/resource.ts";
import { TAG } from "./executions.ts";
import { rangeFields, rangeOf, usageQuery } from "./range.ts";
import { samplesFor, webhookBuckets, webhookFigures } from "./webhook-figures.ts";

/** Endpoints whose inboxes are asked. */
export const MOST_ENDPOINTS = 20;

export const EXAMPLE_FIGURES: WebhookFigures = {
  requests: { rejected: 3, queued: 0, running: 1, succeeded: 118, failed: 2, duplicate: 6 },
  latencyMs: { toStart: { p50: 42, p99: 180 }, toCompletion: { p50: 2_300, p99: 9_800 } },
};

/** The webhooks of an account over time. */
export const allWebhookUsage = route({
  method: "GET",
  path: "/api/v1/usage/webhooks",
  operationId: "getAllWebhookUsage",
  tag: TAG,
  summary: "Count the webhooks of all endpoints, and how long they took, by hour or by day",
  description: `Of the ${MOST_ENDPOINTS} newest endpoints. A request counts in the bucket of its arrival, as long as it is kept in the log.`,
  guard: reader,
  params: noParams,
  query: usageQuery,
  body: noBody,
  answer: jsonAnswer(200, "The figures.", allSchema, {
    bucket: "hour",
    from: "2026-11-20T09:00:00.000Z",
    to: "2026-11-20T10:00:00.000Z",
    countedFrom: "2026-11-20T09:00:00.000Z",
    buckets: [{ start: "2026-11-20T09:00:00.000Z", ...EXAMPLE_FIGURES }],
    total: EXAMPLE_FIGURES,
    endpoints: [
      {
        endpointId: EXAMPLE_ENDPOINT_ID,
        name: "shop orders",
        workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
        queuedCount: 0,
        ...EXAMPLE_FIGURES,
      },
    ],
    moreEndpoints: false,
  }),
  errors: [],
  async handler({ http, caller: { accountId }, query }) {
    const range = rangeOf(query, Date.now());
    const { endpoints, next } = await callWithRetry(
      () => selectEndpoints(http.env.DB, accountId, null, MOST_ENDPOINTS),
      { idempotent: true },
    );
    const asked = { ...range, samples: samplesFor(range, endpoints.length) };
    const inboxes = await mapConcurrently(MOST_ENDPOINTS, endpoints, async (endpoint) => {
      const { endpointId } = endpoint;
      const ask = () => inboxStub(http.env, endpointId).usage(asked);
      return { endpoint, usage: await callWithRetry(ask, { idempotent: true }) };
    });
    const { countedFrom, ...figures } = webhookBuckets(
      range,
      inboxes.map(({ usage }) => usage),
    );
    return {
      value: {
        ...rangeFields(query.bucket, range, countedFrom),
        ...figures,
        endpoints: inboxes.map(({ endpoint: { endpointId, name, workflow }, usage }) => ({
          endpointId,
          name,
          workflowId: workflow?.workflowId ?? null,
          queuedCount: usage.queuedCount,
          ...webhookFigures(usage.strata),
        })),
        moreEndpoints: next !== null,
      },
    };
  },
});
