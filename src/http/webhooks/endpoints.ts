import type { Authorized } from "../../contract/account.ts";
import { firstRevision } from "../../contract/revision.ts";
import {
  type CreateEndpointBody,
  createEndpointBody,
  type EndpointConfig,
  endpointRecord,
  endpointSaved,
  type UpdateEndpointBody,
  updateEndpointBody,
} from "../../contract/webhooks/endpoint.ts";
import { ENDPOINT_RANDOM_BYTES, newEndpointId } from "../../endpoints/endpoint-id.ts";
import { settingsOf } from "../../env.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { placeOf } from "../../lib/place.ts";
import { deleteEndpoint, insertEndpoint, selectEndpoints } from "../../records/endpoints.ts";
import { actorOf, auditedBy } from "../actor.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { type Application, assertFree, externalRoutes } from "../external.ts";
import { quotaFull } from "../problem.ts";
import { randomBytes, resource } from "../resource.ts";
import { jsonResponse, route } from "../route.ts";
import {
  assertPathFree,
  changeEndpoint,
  changeExisting,
  createEndpoint,
  pathTaken,
} from "./config-updates.ts";
import { blankEndpoint, draftOf, type EndpointDraft } from "./draft.ts";
import {
  endpointAt,
  endpointParams,
  exampleRecord,
  exampleSaved,
  existingEndpoint,
  reader,
  recordOf,
  recordWith,
  savedOf,
  WEBHOOKS,
  writer,
} from "./resource.ts";

/** Inboxes that are asked at the same time how many requests they hold. */
const CONCURRENCY = 20;

/** What is known of a new endpoint. */
const NEW = { queuedCount: 0, source: null };

const asResource = ({ endpointId, name }: EndpointConfig) =>
  ({ kind: "endpoint", id: endpointId, name }) as const;

const kind = {
  path: WEBHOOKS,
  tag: "Webhooks" as const,
  name: "Endpoint",
  one: "an endpoint",
  params: endpointParams,
  record: endpointRecord,
  example: exampleRecord,
  reader,
  writer,
};
const endpoint = resource(kind);

const create = route({
  method: "POST",
  path: WEBHOOKS,
  operationId: "createEndpoint",
  tag: "Webhooks",
  summary: "Create an endpoint",
  description:
    "An endpoint receives webhooks at `/hooks/{endpointId}`, or at `/hooks/{path}` if you choose a path, which then needs at least one authentication method. A secret that you leave out of `auth` is generated; only this response includes it. An endpoint without a workflow holds its requests until you attach one.",
  auth: writer,
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
  response: jsonResponse(201, "The endpoint.", endpointSaved, exampleSaved),
  problems: ["conflict", "unavailable"],
  responseHeaders: ["Location"],
  async handler({ http, caller, body }) {
    const { config, generated } = await createNow(http, caller, body);
    const value = savedOf(recordWith(http, config, NEW), generated);
    return { value, headers: { Location: `${WEBHOOKS}/${config.endpointId}` } };
  },
});

/** Creates an endpoint; a dry run only checks it. */
async function createNow(
  http: Http,
  caller: Authorized,
  body: CreateEndpointBody,
  { dryRun }: Pick<Application, "dryRun"> = { dryRun: false },
): Promise<EndpointDraft> {
  const now = Date.now();
  const { accountId, by, quotas } = caller;
  const random = randomBytes(ENDPOINT_RANDOM_BYTES);
  const { ID_KEY } = settingsOf(http.env);
  const endpointId = await newEndpointId(random, ID_KEY, placeOf(accountId));
  const blank = blankEndpoint(caller, endpointId, now);
  const { config: drafted, generated } = await draftOf(http, blank, body, now);
  const config = { ...drafted, ...firstRevision(now, by, body) };
  await assertFree(config.externalId, null, (id) => endpointAt(http, accountId, id));
  if (dryRun) {
    await assertPathFree(http.env, config);
    return { config, generated: {} };
  }
  const entry = auditedBy(actorOf(http, caller), {
    action: "endpoint.created",
    resource: asResource(config),
  });
  const written = await createEndpoint(http.env, () =>
    insertEndpoint(http.env.DB, config, quotas.endpoints, entry),
  );
  if (written.kind === "full") throw quotaFull("endpoints", quotas.endpoints);
  if (written.kind !== "saved") throw pathTaken(config);
  return { config: written.config, generated };
}

const list = endpoint.pages(
  "Returns the account's endpoints, newest first. Deleted endpoints are not listed.",
  async ({ http, caller: { accountId, endpointIds }, query: { limit } }, after) => {
    const position = after && { createdAt: after.createdAt, endpointId: after.id };
    const { endpoints, next } = await callWithRetry(() =>
      selectEndpoints(http.env.DB, accountId, position, limit),
    );
    const reached = endpoints.filter(
      ({ endpointId }) => endpointIds?.includes(endpointId) !== false,
    );
    const items = await mapConcurrently(CONCURRENCY, reached, (each) => recordOf(http, each));
    return { items, next: next && { createdAt: next.createdAt, id: next.endpointId } };
  },
);

const get = endpoint.get(
  "Returns the settings of an endpoint and the number of requests that it holds. Only the last characters of secrets are shown.",
  async ({ http, caller: { accountId }, params: { endpointId } }) =>
    recordOf(http, await existingEndpoint(http, accountId, endpointId)),
);

const update = route({
  method: "PATCH",
  path: `${WEBHOOKS}/:endpointId`,
  operationId: "updateEndpoint",
  tag: "Webhooks",
  summary: "Update an endpoint",
  description:
    "Replaces the fields that you pass, each as a whole; `null` restores the default. A secret that you leave out of `auth` is kept, or generated if there was none. The change applies to every request received after the response. Attaching a workflow or routes releases the held requests: those that can be mapped start in the order of arrival, the others stay held with their errors. A dry run of a release says how many can be mapped before you attach a workflow.",
  auth: writer,
  params: endpointParams,
  body: jsonBody(updateEndpointBody, { requestsPerMinute: 600, retentionDays: null }),
  response: jsonResponse(200, "The endpoint.", endpointSaved, {
    ...exampleRecord,
    requestsPerMinute: 600,
  }),
  problems: ["not_found", "conflict", "unavailable"],
  async handler({ http, caller, params: { endpointId }, body }) {
    const changed = await changeExisting(http, caller, endpointId, (before, now) =>
      draftOf(http, before, body, now),
    );
    return { value: savedOf(await recordOf(http, changed.config), changed.generated) };
  },
});

const remove = endpoint.remove(
  "The endpoint's URL returns 410 from then on, its custom path can be used again, and its log can no longer be read. Executions that it started continue.",
  async ({ http, caller, params: { endpointId } }) => {
    await removeNow(http, caller, await existingEndpoint(http, caller.accountId, endpointId));
    return true;
  },
);

async function removeNow(http: Http, caller: Authorized, before: EndpointConfig): Promise<void> {
  const { endpointId, accountId } = before;
  const entry = auditedBy(actorOf(http, caller), {
    action: "endpoint.deleted",
    resource: asResource(before),
  });
  await changeEndpoint(http.env, endpointId, async () => {
    const config = await deleteEndpoint(http.env.DB, accountId, endpointId, Date.now(), entry);
    return config === null ? { kind: "changed" } : { kind: "saved", config };
  });
}

const byExternalId = externalRoutes({
  ...kind,
  body: createEndpointBody,
  bodyExample: { name: "shop orders", eventId: { in: "body", path: "id" } },
  saved: endpointSaved,
  find: endpointAt,
  shown: recordOf,
  async create(http, caller, body, application) {
    const { config, generated } = await createNow(http, caller, body, application);
    return savedOf(recordWith(http, config, NEW), generated);
  },
  async replace(http, caller, found, body, application) {
    const change = replacementOf(body);
    const { config, generated, changed } = await changeExisting(
      http,
      caller,
      found.endpointId,
      (before, now) => draftOf(http, before, change, now),
      "endpoint.updated",
      application,
    );
    return { value: savedOf(await recordOf(http, config), generated), changed };
  },
  remove: removeNow,
});

/** Returns the change that makes an endpoint have these settings and no others. */
function replacementOf({ workflowId = null, routing = null, ...body }: CreateEndpointBody) {
  const started = routing === null ? { workflowId, routing } : { routing };
  const { path = null, eventId = null, limits = null, ...named } = body;
  const { split = null, response = null, source = null, ...others } = named;
  const cleared = { path, eventId, limits, split, response, source };
  return { ...others, ...started, ...cleared } satisfies UpdateEndpointBody;
}

// Before those whose id is any word.
export const endpointRoutes = [...byExternalId, create, list, get, update, remove];
