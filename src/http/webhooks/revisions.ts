import {
  type EndpointConfig,
  type EndpointContent,
  type EndpointRevision,
  endpointRevision,
  endpointSaved,
  type UpdateEndpointBody,
  updateEndpointBody,
} from "../../contract/webhooks/endpoint.ts";
import { archivedSettings, type EndpointSettings } from "../../records/endpoint-rows.ts";
import { listRoute } from "../list.ts";
import {
  type Revised,
  restoredBody,
  revisionPage,
  revisionParam,
  settingsAt,
  shownRevision,
} from "../revisions.ts";
import { jsonResponse, route } from "../route.ts";
import { changeExisting } from "./config-updates.ts";
import { draftOf } from "./draft.ts";
import {
  contentOf,
  endpointParams,
  exampleRecord,
  existingEndpoint,
  reader,
  recordOf,
  savedOf,
  WEBHOOKS,
  writer,
} from "./resource.ts";

const REVISIONS = `${WEBHOOKS}/:endpointId/revisions`;
const params = endpointParams.extend({ revision: revisionParam });

const {
  endpointId: _,
  url: __,
  queuedCount: ___,
  revision,
  createdAt,
  updatedAt: ____,
  ...content
} = exampleRecord;
const example: EndpointRevision = { revision, createdAt, changedBy: "key_3fK9", content };

const list = listRoute({
  path: REVISIONS,
  operationId: "listEndpointRevisions",
  tag: "Webhooks",
  summary: "List the revisions of an endpoint",
  description:
    "Returns the settings of an endpoint as they are and as they were, newest first, without secrets. The current revision and the 50 before it are kept.",
  auth: reader,
  params: endpointParams,
  items: "revisions",
  page: "EndpointRevisionPage",
  item: endpointRevision,
  example,
  problems: ["not_found"],
  async read({ http, caller: { accountId }, params: { endpointId }, query: { limit } }, after) {
    const config = await existingEndpoint(http, accountId, endpointId);
    const page = await revisionPage(http, revisedOf(config), limit, after);
    return { ...page, items: page.items.map((settings) => shown(settings, config)) };
  },
});

const get = route({
  method: "GET",
  path: `${REVISIONS}/:revision`,
  operationId: "getEndpointRevision",
  tag: "Webhooks",
  summary: "Get a revision of an endpoint",
  description: "Returns the settings of an endpoint at one revision, without secrets.",
  auth: reader,
  params,
  response: jsonResponse(200, "The revision.", endpointRevision, example),
  problems: ["not_found", "gone"],
  async handler({ http, caller: { accountId }, params: { endpointId, revision: wanted } }) {
    const config = await existingEndpoint(http, accountId, endpointId);
    return { value: shown(await settingsAt(http, revisedOf(config), wanted), config) };
  },
});

const restore = route({
  method: "POST",
  path: `${REVISIONS}/:revision/restore`,
  operationId: "restoreEndpointRevision",
  tag: "Webhooks",
  summary: "Restore a revision of an endpoint",
  description:
    "Makes a new revision with the settings of an earlier one. Secrets stay the current ones; one that the endpoint no longer has is generated, and only this response includes it.",
  auth: writer,
  params,
  response: jsonResponse(200, "The endpoint.", endpointSaved, exampleRecord),
  problems: ["not_found", "gone", "conflict", "unavailable"],
  async handler({ http, caller, params: { endpointId, revision: wanted } }) {
    const current = await existingEndpoint(http, caller.accountId, endpointId);
    const body = bodyOf(contentOf(await settingsAt(http, revisedOf(current), wanted)));
    const changed = await changeExisting(http, caller, endpointId, (before, now) =>
      draftOf(http, before, body, now),
    );
    return { value: savedOf(await recordOf(http, changed.config), changed.generated) };
  },
});

export const endpointRevisionRoutes = [list, get, restore];

/** Returns an endpoint as its revisions are read. */
export function revisedOf(config: EndpointConfig): Revised<EndpointSettings> {
  const { accountId, endpointId, workflow } = config;
  return {
    accountId,
    resourceId: endpointId,
    current: { ...config, workflowId: workflow?.workflowId ?? null },
    parse: archivedSettings,
  };
}

/** Returns a revision as the API shows it. */
export function shown(
  settings: EndpointSettings,
  { createdAt: since }: EndpointConfig,
): EndpointRevision {
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
