import type * as z from "zod";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointConfig,
  type EndpointContent,
  type EndpointRecord,
  endpointContent,
  endpointRecord,
  type endpointSaved,
  type KeptSecret,
  type StoredAuth,
} from "../../contract/webhooks/endpoint.ts";
import type { Route } from "../../contract/webhooks/routing.ts";
import type { SignedForm } from "../../contract/webhooks/signature.ts";
import type { SourceState, StoredSource } from "../../contract/webhooks/source.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { isIssuedEndpointId } from "../../endpoints/endpoint-id.ts";
import { settingsOf } from "../../env.ts";
import { openEndpoint } from "../../intake/secrets.ts";
import type { Endpoint } from "../../intake/types.ts";
import { within } from "../../lib/async.ts";
import { logError } from "../../lib/log.ts";
import { LruMap } from "../../lib/lru-map.ts";
import { RateLimiter } from "../../lib/rate-limiter.ts";
import { type EndpointSettings, settingsIn } from "../../records/endpoint-rows.ts";
import {
  loadEndpoint,
  loadEndpointByExternalId,
  selectEndpoints,
} from "../../records/endpoints.ts";
import { apiKey } from "../authentication.ts";
import type { Http } from "../context.ts";
import { shownFields, someOf, withoutNull } from "../external.ts";
import { callWithRetry, foundOr404, notFound } from "../problem.ts";
import type { EndpointDraft } from "./draft.ts";

/** The path of the API of endpoints. */
export const WEBHOOKS = "/api/v1/webhooks";

export const reader = apiKey("webhooks:read", "management");
export const writer = apiKey("webhooks:write", "management");
/** Those who run requests again need not be those who change endpoints. */
export const replayer = apiKey("webhooks:write", "management", "executions:write");

/** Returns an endpoint of the account, or throws a 404. */
export async function existingEndpoint({ env }: Pick<Http, "env">, accountId: string, id: string) {
  if (!(await isIssuedEndpointId(id, settingsOf(env).ID_KEY))) throw notFound();
  return foundOr404(await callWithRetry(() => loadEndpoint(env.DB, accountId, id)));
}

/** Returns the endpoint of the account with an external id, or null. */
export async function endpointAt(http: Http, accountId: string, externalId: string) {
  return await callWithRetry(() => loadEndpointByExternalId(http.env.DB, accountId, externalId));
}

/** The time to wait for what only the inbox knows, which a response can do without. */
const COUNT_MS = 2_000;

/** Returns the endpoint as the API shows it. */
export async function recordOf(http: Http, config: EndpointConfig): Promise<EndpointRecord> {
  const { endpointId } = config;
  const inbox = inboxStub(http.env, endpointId);
  const [queuedCount, source] = await Promise.all([
    unlessLate(inbox.queuedCount(), "held requests not counted", endpointId),
    config.source && unlessLate(inbox.sourceState(config), "source not asked", endpointId),
  ]);
  return recordWith(http, config, { queuedCount, source });
}

/** Returns what an inbox says; null while it is unavailable. */
async function unlessLate<Answer>(asked: Promise<Answer>, problem: string, endpointId: string) {
  try {
    return await within("The inbox", COUNT_MS, asked);
  } catch (error) {
    logError(problem, { endpointId }, error);
    return null;
  }
}

/** Returns the endpoint as the API shows it, with what its inbox says of it. */
export function recordWith(
  http: Http,
  config: EndpointConfig,
  { queuedCount, source }: Pick<EndpointRecord, "queuedCount"> & { source: SourceState | null },
): EndpointRecord {
  const { endpointId, path } = config;
  const content = contentOf(settingsIn(config));
  return shownFields(endpointRecord, {
    ...config,
    url: new URL(`/hooks/${path ?? endpointId}`, http.req.url).href,
    ...content,
    source: content.source && { ...content.source, ...(source ?? PENDING) },
    queuedCount,
    createdAt: new Date(config.createdAt).toISOString(),
    updatedAt: new Date(config.updatedAt).toISOString(),
  });
}

/** Returns the settings of an endpoint as the API shows them. */
export function contentOf(settings: EndpointSettings): EndpointContent {
  const { auth, routing, source } = settings;
  return shownFields(endpointContent, {
    ...settings,
    auth: shownAuth(auth),
    routing: routing && { routes: routing.routes.map(shownRoute) },
    source: source && shownSource(source),
  });
}

function shownSource({ origin: _, ...source }: StoredSource) {
  return source;
}

/** Returns a route in the form in which a caller passes it. */
function shownRoute({ rule: { onEvent, ...gathering }, ...route }: Omit<Route, "workflow">) {
  const { name, when, workflowId, mapping, validation, key, wake = null } = route;
  return {
    name,
    ...withoutNull({ when }),
    workflowId,
    mapping,
    ...withoutNull({ validation, key, onEvent: key && onEvent, wake }),
    ...(onEvent === "collect" && gathering),
  };
}

/** The state of a source whose inbox says nothing of it. */
const PENDING: SourceState = { state: "pending", reason: null };

function shownAuth({ token, hmac, signature, ipAllowlist, headers }: StoredAuth) {
  const scheme =
    hmac && (hmac.preset === null ? shownScheme(hmac.scheme) : { preset: hmac.preset });
  return withoutNull({
    token: token && shownToken(token),
    hmac: hmac && { ...scheme, secret: shownSecret(hmac.secret) },
    signature: signature ? shownSignature(signature) : null,
    ipAllowlist,
    headers: someOf(
      headers.map(({ name, value }) => ({
        name,
        ...(value && { value: { set: true as const, last4: value.last4 } }),
      })),
    ),
  });
}

function shownToken({ secret, header, in: source, ...rest }: NonNullable<StoredAuth["token"]>) {
  const place = source === undefined ? { header: header ?? DEFAULT_TOKEN_HEADER } : { in: source };
  return { ...rest, ...place, secret: shownSecret(secret) };
}

function shownSignature(stored: NonNullable<StoredAuth["signature"]>) {
  const { preset, scheme, publicKey, audience } = stored;
  const shown = preset !== null ? { preset } : "template" in scheme ? shownScheme(scheme) : scheme;
  return { ...shown, ...withoutNull({ publicKey, audience }) };
}

/** Returns a custom scheme in the form in which a caller passes it. */
function shownScheme<Scheme extends SignedForm>(scheme: Scheme) {
  const { prefix, prefixOptional, aliases: _, ...given } = scheme;
  return withoutNull({ ...given, prefix: prefixOptional ? null : prefix });
}

function shownSecret({ last4, previous }: KeptSecret) {
  return {
    set: true as const,
    last4,
    ...(previous && { previousValidUntil: new Date(previous.validUntil).toISOString() }),
  };
}

/** Returns a changed endpoint with the secrets that were generated for it. */
export function savedOf(
  record: EndpointRecord,
  generated: EndpointDraft["generated"],
): z.infer<typeof endpointSaved> {
  return Object.keys(generated).length === 0 ? record : { ...record, secrets: generated };
}

/** Endpoints of an account that are tried, the newest ones. */
const MOST = 100;
const KEPT_MS = 2_000;
const READ_MS = 1_000;
/** Reads of D1 within the window, for all accounts of this isolate: strangers cause them. */
const MAX_READS = 20;
const WINDOW_MS = 10_000;

const known = new LruMap<{ readAt: number; endpoints: Promise<Endpoint[]> }>(50);
const reads = new RateLimiter(WINDOW_MS);

/**
 * Returns the other endpoints of an endpoint's account with their secrets, to name the one that a refused
 * request was meant for. Returns none while D1 fails or is asked too often.
 */
export async function otherEndpoints(
  env: CloudflareEnv,
  { accountId, endpointId }: EndpointConfig,
): Promise<Endpoint[]> {
  const now = Date.now();
  const kept = known.get(accountId);
  const isKept = kept !== undefined && now - kept.readAt < KEPT_MS;
  const endpoints = isKept ? kept.endpoints : readNow(env, accountId, now);
  if (endpoints === null) return [];
  if (!isKept) known.set(accountId, { readAt: now, endpoints });
  const all = await endpoints;
  return all.filter(({ config }) => config.endpointId !== endpointId);
}

function readNow(env: CloudflareEnv, accountId: string, now: number): Promise<Endpoint[]> | null {
  if (!reads.take(now, MAX_READS).allowed) return null;
  return within("D1", READ_MS, read(env, accountId)).catch((error: unknown) => {
    logError("other endpoints not read", {}, error);
    return [];
  });
}

async function read(env: CloudflareEnv, accountId: string): Promise<Endpoint[]> {
  const { items } = await selectEndpoints(env.DB, accountId, null, MOST);
  const settings = settingsOf(env);
  // One whose secrets cannot be opened is left out.
  const opened = items.map((config) => openEndpoint(config, settings).catch(() => null));
  return (await Promise.all(opened)).filter((endpoint) => endpoint !== null);
}
