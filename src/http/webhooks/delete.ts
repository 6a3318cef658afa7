import { deleteEndpoint } from "../../records/endpoints.ts";
import { noContent } from "../answer.ts";
import { noBody } from "../body.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { changing } from "./change.ts";
import { endpointParams, existing, TAG, WEBHOOKS, writer } from "./resource.ts";

export const remove = route({
  method: "DELETE",
  path: `${WEBHOOKS}/:endpointId`,
  operationId: "deleteEndpoint",
  tag: TAG,
  summary: "Delete an endpoint",
  description:
    "Its URL answers 410 from then on, and its custom path is free for another. Its log can no longer be read. Runs that were started go on.",
  guard: writer,
  params: endpointParams,
  query: noQuery,
  body: noBody,
  answer: noContent("Deleted."),
  errors: ["not_found", "unavailable"],
  async handler({ http, caller: { accountId }, params: { endpointId } }) {
    await existing(http, accountId, endpointId);
    await changing(http.env, endpointId, async () => {
      const config = await deleteEndpoint(http.env.DB, accountId, endpointId, Date.now());
      return config === null ? { kind: "changed" } : { kind: "saved", config };
    });
    return { value: undefined };
  },
});
