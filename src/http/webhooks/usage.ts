import { webhookUsage } from "../../contract/usage.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { route } from "../route.ts";
import { rangeFields, rangeOf, usageQuery } from "../usage/range.ts";
import { samplesFor, webhookBuckets } from "../usage/webhook-figures.ts";
import { EXAMPLE_FIGURES } from "../usage/webhooks.ts";
import { endpointParams, existing, reader, TAG, WEBHOOKS } from "./resource.ts";

/** What an endpoint got over time. */
export const usage = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId/usage`,
  operationId: "getWebhookUsage",
  tag: TAG,
  summary: "Count an endpoint's requests, and how long they took, by hour or by day",
  description:
    "A request counts in the bucket of its arrival, from then on and as long as it is kept in the log.",
  guard: reader,
  params: endpointParams,
  query: usageQuery,
  body: noBody,
  answer: jsonAnswer(200, "The figures.", webhookUsage, {
    bucket: "hour",
    from: "2026-11-20T09:00:00.000Z",
    to: "2026-11-20T10:00:00.000Z",
    countedFrom: "2026-11-20T09:00:00.000Z",
    buckets: [{ start: "2026-11-20T09:00:00.000Z", ...EXAMPLE_FIGURES }],
    total: EXAMPLE_FIGURES,
  }),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId }, query }) {
    const range = rangeOf(query, Date.now());
    await existing(http, accountId, endpointId);
    const asked = { ...range, samples: samplesFor(range, 1) };
    const counted = await callWithRetry(() => inboxStub(http.env, endpointId).usage(asked), {
      idempotent: true,
    });
    const { countedFrom, ...figures } = webhookBuckets(range, [counted]);
    return { value: { ...rangeFields(query.bucket, range, countedFrom), ...figures } };
  },
});
