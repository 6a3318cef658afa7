import { endpointRecord } from "../../contract/inbound/endpoint.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { recordOf } from "./record.ts";
import { endpointParams, exampleRecord, existing, reader, TAG, WEBHOOKS } from "./resource.ts";

export const get = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId`,
  operationId: "getEndpoint",
  tag: TAG,
  summary: "Read an endpoint",
  description: "Its settings, and how many requests it holds. Of secrets only the end is shown.",
  guard: reader,
  params: endpointParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "The endpoint.", endpointRecord, exampleRecord),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId } }) {
    return { value: await recordOf(http, await existing(http, accountId, endpointId)) };
  },
});
