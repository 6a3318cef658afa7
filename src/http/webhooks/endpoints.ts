import type * as z from "zod";
import type { Authorized } from "../../contract/account.ts";
import { firstRevision } from "../../contract/revision.ts";
import {
  createEndpointBody,
  type EndpointConfig,
  type EndpointContent,
  endpointRecord,
  endpointRevision,
  endpointSaved,
  rotateSecretBody,
  type UpdateEndpointBody,
  updateEndpointBody,
} from "../../contract/webhooks/endpoint.ts";
import { webhookPresets } from "../../contract/webhooks/signature.ts";
import { ENDPOINT_RANDOM_BYTES, newEndpointId } from "../../endpoints/endpoint-id.ts";
import { settingsOf } from "../../env.ts";
import { CATALOG, listedPreset } from "../../intake/signatures/presets.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { placeOf } from "../../lib/place.ts";
import { archivedSettings, settingsIn } from "../../records/endpoint-rows.ts";
import { deleteEndpoint, insertEndpoint, selectEndpoints } from "../../records/endpoints.ts";
import { auditedBy, type Http } from "../context.ts";
import { type Application, assertFree, namedRoutes } from "../external.ts";
import { callWithRetry, HttpProblem, invalid, invalidByFaults, quotaFull } from "../problem.ts";
import { randomBytes } from "../resource.ts";
import { restoredBody, revisionRoutes } from "../revisions.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { replaceSecret, type SealTarget } from "./auth.ts";
import { keyFaults, valueFaults } from "./auth-faults.ts";
import {
  assertPathFree,
  changeEndpoint,
  changeExisting,
  createEndpoint,
  pathTaken,
} from "./config-updates.ts";
import { blankEndpoint, draftOf, type EndpointDraft } from "./draft.ts";
import {
  contentOf,
  endpointAt,
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

/** Fields without a default of their own: a body that leaves them out clears them. */
const CLEARED = { path: null, eventId: null, limits: null, split: null, response: null };

function withoutSecrets({ token, hmac, headers, ...rest }: EndpointContent["auth"]) {
  return {
    ...rest,
    ...(token && { token: { ...token, secret: undefined } }),
    ...(hmac && { hmac: { ...hmac, secret: undefined } }),
    ...(headers && {
      headers: headers.map(({ name, value }) => (value ? { name } : { name, value: null })),
    }),
  };
}

const kind = {
  path: WEBHOOKS,
  name: "Endpoint",
  one: "an endpoint",
  id: "endpointId" as const,
  record: endpointRecord,
  saved: endpointSaved,
  reader,
  writer,
  existing: existingEndpoint,
  async change(
    http: Http,
    caller: Authorized,
    id: string,
    body: UpdateEndpointBody,
    application: Application | null,
  ) {
    const draft = (before: EndpointConfig, now: number) => draftOf(http, before, body, now);
    const after = await changeExisting(http, caller, id, draft, application);
    const { config, generated, changed } = after;
    return { value: savedOf(await recordOf(http, config), generated), changed };
  },
};

const named = namedRoutes({
  ...kind,
  body: createEndpointBody,
  bodyExample: {
    name: "shop orders",
    workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
    auth: { token: {} },
    eventId: { in: "body", path: "id" },
    validation: { required: ["order.id"], types: { "order.total": "number" } },
    mapping: {
      fields: [{ to: "orderId", from: "order.id", transforms: [{ type: "string" }] }],
    },
  },
  update: updateEndpointBody,
  updateExample: { requestsPerMinute: 600, retentionDays: null },
  descriptions: {
    create:
      "An endpoint receives webhooks at `/hooks/{endpointId}`, or at `/hooks/{path}` if you choose a path, which then needs at least one authentication method. A secret that you leave out of `auth` is generated; only this response includes it. An endpoint without a workflow or routes holds its requests until you attach one, unless `withoutWorkflow` is `log`.",
    list: "Returns the account's endpoints, newest first. Deleted endpoints are not listed.",
    get: "Returns the settings of an endpoint and the number of requests that wait for their start. Only the last characters of secrets are shown.",
    update:
      "Replaces the fields that you pass, each as a whole; `null` restores the default. A secret that you leave out of `auth` is kept, or generated if there was none. The change applies to every request received after the response. Attaching a workflow or routes releases the held requests: those that can be mapped start in the order of arrival, the others stay held with their errors. A dry run of a release says how many can be mapped before you attach a workflow.",
    remove:
      "The endpoint's URL returns 410 from then on, its custom path can be used again, and its log can no longer be read. Executions that it started continue.",
  },
  idOf: ({ endpointId }) => endpointId,
  find: endpointAt,
  shown: recordOf,
  async page(http, { accountId, endpointIds }, limit, after) {
    const { items: all, next } = await callWithRetry(() =>
      selectEndpoints(http.env.DB, accountId, after, limit),
    );
    const reached = all.filter(({ endpointId }) => endpointIds?.includes(endpointId) !== false);
    const items = await mapConcurrently(CONCURRENCY, reached, (each) => recordOf(http, each));
    return { items, next };
  },
  async create(http, caller, body, { dryRun }) {
    const now = Date.now();
    const { accountId, by, quotas } = caller;
    const random = randomBytes(ENDPOINT_RANDOM_BYTES);
    const { ID_KEY } = settingsOf(http.env);
    const endpointId = await newEndpointId(random, ID_KEY, placeOf(accountId));
    const blank = blankEndpoint(caller, endpointId, now);
    const { config: drafted, generated } = await draftOf(http, blank, body, now);
    const config = { ...drafted, ...firstRevision(now, by, body) };
    const assertNameFree = () =>
      assertFree(config.externalId, null, (id) => endpointAt(http, accountId, id));
    await assertNameFree();
    if (dryRun) {
      await assertPathFree(http.env, config);
      return recordWith(http, config, NEW);
    }
    const entry = auditedBy(http, caller, "endpoint.created", asResource(config));
    const written = await createEndpoint(http.env, () =>
      insertEndpoint(http.env.DB, config, quotas.endpoints, entry),
    );
    if (written.kind === "full") throw quotaFull("endpoints", quotas.endpoints);
    if (written.kind !== "saved") await assertNameFree();
    if (written.kind !== "saved") throw pathTaken(config);
    return savedOf(recordWith(http, written.config, NEW), generated);
  },
  replacement: (body) => ({ ...CLEARED, source: null, workflowId: null, routing: null, ...body }),
  async remove(http, caller, before) {
    const { endpointId, accountId } = before;
    const entry = auditedBy(http, caller, "endpoint.deleted", asResource(before));
    await changeEndpoint(http.env, endpointId, async () => {
      const config = await deleteEndpoint(http.env.DB, accountId, endpointId, Date.now(), entry);
      return config === null ? { kind: "changed" } : { kind: "saved", config };
    });
  },
});

const revisions = revisionRoutes({
  ...kind,
  item: endpointRevision,
  secrets:
    "Secrets stay the current ones; one that the endpoint no longer has is generated, and only this response includes it. A header's value that it no longer has cannot be: that is a 400.",
  revised: (config) => ({
    resourceId: config.endpointId,
    current: settingsIn(config),
    parse: archivedSettings,
  }),
  contentOf,
  restoring({ auth, ...settings }, { auth: { headers } }) {
    const known = headers.flatMap(({ name, value }) => (value ? name.toLowerCase() : []));
    const lost = auth.headers?.find(
      ({ name, value }) => value !== undefined && !known.includes(name.toLowerCase()),
    );
    if (lost) throw invalid("revision", "secret", `had a value of ${lost.name}, which is not kept`);
    return restoredBody(updateEndpointBody, { ...settings, auth: withoutSecrets(auth) });
  },
});

/** Lists the senders that endpoints know. */
const presets = route("GET", "/api/v1/webhook-presets", {
  operationId: "listWebhookPresets",
  summary: "List the presets of senders",
  description: "Returns all senders that endpoints know, each with its settings and a sample.",
  auth: reader,
  response: jsonResponse(200, "The presets.", webhookPresets),
  handler: async () => ({ value: { presets: CATALOG.map(listedPreset), nextCursor: null } }),
});

const rotate = route("POST", `${WEBHOOKS}/:endpointId/rotate-secret`, {
  operationId: "rotateSecret",
  summary: "Rotate the secret of an endpoint",
  description:
    "Replaces the token or the signing secret. The old secret stays valid for `overlapSeconds`. Without `secret` a new one is generated, which only this response includes.",
  auth: writer,
  body: jsonBody(rotateSecretBody, { target: "token", overlapSeconds: 3_600 }),
  response: jsonResponse(200, "The endpoint.", endpointSaved),
  problems: ["conflict"],
  async handler({ http, caller, params: { endpointId }, body }) {
    const draft = (before: EndpointConfig, now: number) => rotated(http, before, body, now);
    const action = "endpoint.secret_rotated";
    const after = await changeExisting(http, caller, endpointId, draft, null, action);
    return { value: savedOf(await recordOf(http, after.config), after.generated) };
  },
});

export const endpointRoutes = [...named, ...revisions, presets, rotate];

async function rotated(
  http: Http,
  before: EndpointConfig,
  { target, secret: given, overlapSeconds }: z.output<typeof rotateSecretBody>,
  now: number,
): Promise<EndpointDraft> {
  const { token, hmac } = before.auth;
  const use = target ?? (hmac === null ? "token" : "hmac");
  const scheme = use === "hmac" ? hmac?.scheme : undefined;
  const kept = use === "hmac" ? hmac : token;
  if (kept === null) {
    throw invalid("target", "target", `must be a secret of the endpoint, which has no auth.${use}`);
  }
  const faultsOf = (text: string) =>
    scheme === undefined ? valueFaults("secret", text) : keyFaults("secret", text, scheme);
  const faults = given === undefined ? [] : faultsOf(given);
  if (faults.length > 0) throw invalidByFaults(faults);
  const encoding = scheme?.secretEncoding ?? (token?.in === "basic" ? "credentials" : "utf8");
  const validUntil = now + overlapSeconds * 1_000;
  const { secret, generated } = await replaceSecret(
    { given, kept: kept.secret, use, encoding, validUntil },
    { endpointId: before.endpointId, settings: settingsOf(http.env), now },
  );
  const auth = {
    ...before.auth,
    ...(use === "token" && token && { token: { ...token, secret } }),
    // The sender can no longer choose the secret.
    ...(use === "hmac" && hmac && { hmac: { preset: hmac.preset, scheme: hmac.scheme, secret } }),
  };
  return {
    config: { ...before, auth },
    generated: generated === undefined ? {} : { [use]: generated },
  };
}

/**
 * Returns the endpoint with the signing secret that its sender has chosen. Throws a 401 if it has one
 * already: another handshake came first.
 */
export async function withAdoptedSecret(
  before: EndpointConfig,
  given: string,
  target: SealTarget,
): Promise<EndpointDraft> {
  const { hmac } = before.auth;
  if (hmac?.awaitsSecret !== true) {
    throw new HttpProblem("unauthorized", "The endpoint has a signing secret already.");
  }
  const { preset, scheme } = hmac;
  const { secret } = await replaceSecret(
    { given, kept: null, use: "hmac", encoding: scheme.secretEncoding, validUntil: target.now },
    target,
  );
  const auth = { ...before.auth, hmac: { preset, scheme, secret } };
  return { config: { ...before, auth }, generated: {} };
}
