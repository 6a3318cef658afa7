import {
  createEndpointBody,
  type EndpointConfig,
  endpointRecord,
  endpointSaved,
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
import { randomBytes } from "../keys.ts";
import { listRoute } from "../list.ts";
import { quotaFull } from "../problem.ts";
import { jsonResponse, noContent, route } from "../route.ts";
import { changeEndpoint, changeExisting, createEndpoint, pathTaken } from "./config-updates.ts";
import { blankEndpoint, draftOf } from "./draft.ts";
import {
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

const asResource = ({ endpointId, name }: EndpointConfig) =>
  ({ kind: "endpoint", id: endpointId, name }) as const;

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
    const now = Date.now();
    const { ID_KEY } = settingsOf(http.env);
    const endpointId = await newEndpointId(
      randomBytes(ENDPOINT_RANDOM_BYTES),
      ID_KEY,
      placeOf(caller.accountId),
    );
    const blank = blankEndpoint(caller, endpointId, now);
    const { config, generated } = await draftOf(http, blank, body, now);
    const entry = auditedBy(actorOf(http, caller), {
      action: "endpoint.created",
      resource: asResource(config),
    });
    const written = await createEndpoint(http.env, () =>
      insertEndpoint(http.env.DB, config, caller.quotas.endpoints, entry),
    );
    if (written.kind === "full") throw quotaFull("endpoints", caller.quotas.endpoints);
    if (written.kind !== "saved") throw pathTaken(config);
    const value = savedOf(recordWith(http, written.config, { queuedCount: 0 }), generated);
    return { value, headers: { Location: `${WEBHOOKS}/${endpointId}` } };
  },
});

const list = listRoute({
  path: WEBHOOKS,
  operationId: "listEndpoints",
  tag: "Webhooks",
  summary: "List endpoints",
  description: "Returns the account's endpoints, newest first. Deleted endpoints are not listed.",
  auth: reader,
  items: "endpoints",
  page: "EndpointPage",
  item: endpointRecord,
  example: exampleRecord,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const position = after && { createdAt: after.createdAt, endpointId: after.id };
    const { endpoints, next } = await callWithRetry(() =>
      selectEndpoints(http.env.DB, accountId, position, limit),
    );
    const items = await mapConcurrently(CONCURRENCY, endpoints, (each) => recordOf(http, each));
    return { items, next: next && { createdAt: next.createdAt, id: next.endpointId } };
  },
});

const get = route({
  method: "GET",
  path: `${WEBHOOKS}/:endpointId`,
  operationId: "getEndpoint",
  tag: "Webhooks",
  summary: "Get an endpoint",
  description:
    "Returns the settings of an endpoint and the number of requests that it holds. Only the last characters of secrets are shown.",
  auth: reader,
  params: endpointParams,
  response: jsonResponse(200, "The endpoint.", endpointRecord, exampleRecord),
  problems: ["not_found"],
  async handler({ http, caller: { accountId }, params: { endpointId } }) {
    return { value: await recordOf(http, await existingEndpoint(http, accountId, endpointId)) };
  },
});

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

const remove = route({
  method: "DELETE",
  path: `${WEBHOOKS}/:endpointId`,
  operationId: "deleteEndpoint",
  tag: "Webhooks",
  summary: "Delete an endpoint",
  description:
    "The endpoint's URL returns 410 from then on, its custom path can be used again, and its log can no longer be read. Executions that it started continue.",
  auth: writer,
  params: endpointParams,
  response: noContent("The endpoint is deleted."),
  problems: ["not_found", "unavailable"],
  async handler({ http, caller, params: { endpointId } }) {
    const { accountId } = caller;
    const before = await existingEndpoint(http, accountId, endpointId);
    const entry = auditedBy(actorOf(http, caller), {
      action: "endpoint.deleted",
      resource: asResource(before),
    });
    await changeEndpoint(http.env, endpointId, async () => {
      const config = await deleteEndpoint(http.env.DB, accountId, endpointId, Date.now(), entry);
      return config === null ? { kind: "changed" } : { kind: "saved", config };
    });
    return { value: undefined };
  },
});

export const endpointRoutes = [create, list, get, update, remove];
