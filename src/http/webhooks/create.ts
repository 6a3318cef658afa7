import { createEndpointBody, endpointSaved } from "../../contract/inbound/endpoint.ts";
import { toHex } from "../../lib/encoding.ts";
import { insertEndpoint } from "../../records/endpoints.ts";
import { jsonAnswer } from "../answer.ts";
import { jsonBody } from "../body.ts";
import { randomBytes } from "../new-key.ts";
import { noParams, noQuery } from "../query.ts";
import { route } from "../route.ts";
import { changing, pathTaken } from "./change.ts";
import { blankEndpoint, draftOf } from "./draft.ts";
import { exampleRecord, exampleSaved, TAG, WEBHOOKS, writer } from "./resource.ts";
import { savedOf } from "./saved.ts";

/** 160 bits: nobody guesses an address, nor do two endpoints share the 40 bits that tag executions. */
const ID_BYTES = 20;

export const create = route({
  method: "POST",
  path: WEBHOOKS,
  operationId: "createEndpoint",
  tag: TAG,
  summary: "Make an endpoint that takes in webhooks",
  description:
    "Its URL is /hooks/{endpointId}, or /hooks/{path} with a path of yours, which needs at least one auth method. A secret that is left out of auth is made and shown in this answer alone. Requests to an endpoint without a workflow are held until one is attached.",
  guard: writer,
  params: noParams,
  query: noQuery,
  body: jsonBody(createEndpointBody, {
    name: "shop orders",
    workflowId: exampleRecord.workflowId,
    auth: { token: {} },
    eventId: { in: "body", path: "id" },
    validation: { required: ["order.id"], types: { "order.total": "number" } },
    mapping: {
      fields: [{ to: "orderId", from: "order.id", transforms: [{ type: "string" }] }],
    },
  }),
  answer: jsonAnswer(201, "The endpoint.", endpointSaved, exampleSaved),
  errors: ["conflict", "unavailable"],
  responseHeaders: ["Location"],
  async handler({ http, caller: { accountId }, body }) {
    const now = Date.now();
    const endpointId = `ep_${toHex(randomBytes(ID_BYTES))}`;
    const blank = blankEndpoint(accountId, endpointId, now);
    const { config, made } = await draftOf(http, blank, body, now);
    const written = await changing(http.env, endpointId, () => insertEndpoint(http.env.DB, config));
    if (written.kind !== "saved") throw pathTaken(config);
    const value = await savedOf(http, { config: written.config, made });
    return { value, headers: { Location: `${WEBHOOKS}/${endpointId}` } };
  },
});
