import { whatIfBody, whatIfResult } from "../../contract/inbound/what-if.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { whatIf as tryDraft } from "../../inbound/what-if.ts";
import { jsonAnswer } from "../answer.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { draftOf } from "./draft.ts";
import { EXAMPLE_REQUEST_ID } from "./example-entry.ts";
import { endpointParams, existing, reader, TAG, WEBHOOKS } from "./resource.ts";

/** Tries a draft of an endpoint's settings on what it got. */
export const whatIf = route({
  method: "POST",
  path: `${WEBHOOKS}/:endpointId/what-if`,
  operationId: "tryWebhookDraft",
  tag: TAG,
  summary: "Run the newest requests against a draft of validation and mapping",
  description:
    "Both the endpoint's own settings and the draft are run now, over the same payloads; nothing is stored or started. What the draft leaves out stays as it is.",
  guard: reader,
  params: endpointParams,
  query: noQuery,
  body: jsonBody(whatIfBody, { validation: { required: ["order.coupon"] }, last: 50 }),
  answer: jsonAnswer(200, "Before and after, request by request.", whatIfResult, {
    requests: [
      {
        requestId: EXAMPLE_REQUEST_ID,
        receivedAt: "2026-11-20T09:30:00.000Z",
        before: { ok: true, errors: [], mappedInputs: { orderId: "1007", domain: "example.com" } },
        after: {
          ok: false,
          errors: [
            { stage: "validation", path: "order.coupon", rule: "required", message: "is required" },
          ],
          mappedInputs: null,
        },
        changed: true,
      },
    ],
    totals: { looked: 1, refusedBefore: 0, refusedAfter: 1, changed: 1, truncated: false },
  }),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const config = await existing(http, accountId, endpointId);
    const { validation, mapping, last } = body;
    const draft = await draftOf(http, config, { validation, mapping }, Date.now());
    const value = await tryDraft(config, draft.config, last, {
      inbox: {
        recent: (limit, after) =>
          callWithRetry(() => inboxStub(http.env, endpointId).recent(limit, after), {
            idempotent: true,
          }),
      },
      now: () => Date.now(),
    });
    return { value };
  },
});
