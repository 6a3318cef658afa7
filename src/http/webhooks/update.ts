import { endpointSaved, updateEndpointBody } from "../../contract/inbound/endpoint.ts";
import { jsonAnswer } from "../answer.ts";
import { jsonBody } from "../body.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { changeExisting } from "./change.ts";
import { draftOf } from "./draft.ts";
import { endpointParams, exampleRecord, TAG, WEBHOOKS, writer } from "./resource.ts";
import { savedOf } from "./saved.ts";

export const update = route({
  method: "PATCH",
  path: `${WEBHOOKS}/:endpointId`,
  operationId: "updateEndpoint",
  tag: TAG,
  summary: "Change an endpoint",
  description:
    "Replaces the fields that are named, each as a whole; null sets the default. In auth a secret that is left out stays as it is, or is made where there was none. It holds for every request that comes after the answer. A workflow that is attached gets the requests that were held, in the order of their arrival.",
  guard: writer,
  params: endpointParams,
  query: noQuery,
  body: jsonBody(updateEndpointBody, { requestsPerMinute: 600, retentionDays: null }),
  answer: jsonAnswer(200, "The endpoint.", endpointSaved, {
    ...exampleRecord,
    requestsPerMinute: 600,
  }),
  errors: ["not_found", "conflict", "unavailable"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const changed = await changeExisting(http, accountId, endpointId, (before, now) =>
      draftOf(http, before, body, now),
    );
    return { value: await savedOf(http, changed) };
  },
});
