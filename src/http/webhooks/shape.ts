import { learnedShape } from "../../contract/inbound/shape.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { emptyProfile, shapeProfile } from "../../inbound/shape/profile.ts";
import { schemaOf } from "../../inbound/shape/schema.ts";
import { suggestMapping } from "../../inbound/shape/suggest.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { endpointParams, existing, reader, TAG, WEBHOOKS } from "./resource.ts";

/** What was learned of an endpoint's payloads. */
export const shape = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId/shape`,
  operationId: "getWebhookShape",
  tag: TAG,
  summary: "Read the shape that the accepted payloads have: a JSON Schema, and a mapping for it",
  description:
    "Either can be saved as the endpoint's validation.schema or mapping as it is. A place where every of at least ten texts was a date, a time or a UUID asks for one; sets of words are never asked for. A field that was never seen counts as drift, though the schema lets it pass.",
  guard: reader,
  params: endpointParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "What was learned.", learnedShape, {
    learnedFrom: 12,
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        order: {
          type: "object",
          properties: { id: { type: "integer" }, coupon: { type: "string" } },
          required: ["id"],
        },
      },
      required: ["order"],
    },
    mapping: {
      auto: true,
      fields: [{ to: "orderId", from: "order.id", transforms: [{ type: "string" }] }],
    },
    notes: [],
    drifted: 1,
  }),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId } }) {
    const { workflow } = await existing(http, accountId, endpointId);
    const learned = await callWithRetry(() => inboxStub(http.env, endpointId).shape(), {
      idempotent: true,
    });
    const { learnedFrom, drifted } = learned;
    const profile = learned.profile === null ? emptyProfile() : shapeProfile.parse(learned.profile);
    const { mapping, notes } = suggestMapping(profile, workflow?.inputs ?? null);
    return { value: { learnedFrom, schema: schemaOf(profile), mapping, notes, drifted } };
  },
});
