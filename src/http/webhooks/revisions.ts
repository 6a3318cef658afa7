import {
  type EndpointConfig,
  type EndpointContent,
  type EndpointRevision,
  endpointContent,
  endpointId,
  endpointRevision,
  endpointSaved,
  type UpdateEndpointBody,
  updateEndpointBody,
} from "../../contract/webhooks/endpoint.ts";
import { archivedSettings, type EndpointSettings } from "../../records/endpoint-rows.ts";
import type { Revised } from "../../records/revisions.ts";
import { restoredBody, revisionRoutes, shownRevision } from "../revisions.ts";
import { jsonResponse } from "../route.ts";
import { changeExisting } from "./config-updates.ts";
import { draftOf } from "./draft.ts";
import {
  contentOf,
  exampleRecord,
  existingEndpoint,
  reader,
  recordOf,
  savedOf,
  WEBHOOKS,
  writer,
} from "./resource.ts";

const example: EndpointRevision = {
  revision: exampleRecord.revision,
  createdAt: exampleRecord.createdAt,
  by: { kind: "key", id: "key_3fK9", name: "deploys" },
  content: endpointContent.parse(exampleRecord),
};

/** The routes of an endpoint's revisions. */
export const endpointRevisionRoutes = revisionRoutes({
  path: WEBHOOKS,
  tag: "Webhooks",
  name: "Endpoint",
  one: "an endpoint",
  id: { name: "endpointId", schema: endpointId },
  reader,
  writer,
  item: endpointRevision,
  example,
  restoration: {
    secrets:
      "Secrets stay the current ones; one that the endpoint no longer has is generated, and only this response includes it.",
    response: jsonResponse(200, "The endpoint.", endpointSaved, exampleRecord),
    async apply(http, caller, id, settings) {
      const body = bodyOf(contentOf(settings));
      const changed = await changeExisting(http, caller, id, (before, now) =>
        draftOf(http, before, body, now),
      );
      return savedOf(await recordOf(http, changed.config), changed.generated);
    },
  },
  find: existingEndpoint,
  revised: (_, config) => revisedOf(config),
  shown,
});

/** Returns an endpoint as its revisions are read. */
function revisedOf(config: EndpointConfig): Revised<EndpointSettings> {
  const { accountId, endpointId, workflow } = config;
  return {
    accountId,
    resourceId: endpointId,
    current: { ...config, workflowId: workflow?.workflowId ?? null },
    parse: archivedSettings,
  };
}

/** Returns a revision as the API shows it. */
function shown(settings: EndpointSettings, { createdAt: since }: EndpointConfig): EndpointRevision {
  return shownRevision(settings, contentOf(settings), since);
}

/** Returns the change that makes an endpoint have these settings, with the secrets that it has. */
function bodyOf({ auth, workflowId, routing, ...settings }: EndpointContent): UpdateEndpointBody {
  const started = routing === null ? { workflowId, routing } : { routing };
  return restoredBody(updateEndpointBody, {
    ...settings,
    ...started,
    auth: withoutSecrets(auth),
  });
}

function withoutSecrets({ token, hmac, signature, headers, ...rest }: EndpointContent["auth"]) {
  return {
    ...rest,
    ...(token && { token: { ...token, secret: undefined } }),
    ...(hmac && { hmac: { ...hmac, secret: undefined } }),
    ...(signature && { signature: { ...signature, secret: undefined } }),
    ...(headers && {
      headers: headers.map(({ name, value }) => ({
        name,
        value: value === undefined ? null : undefined,
      })),
    }),
  };
}
