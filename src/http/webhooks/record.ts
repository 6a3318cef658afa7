import {
  DEFAULT_TOKEN_HEADER,
  type EndpointConfig,
  type EndpointRecord,
  type KeptSecret,
  type StoredAuth,
} from "../../contract/inbound/endpoint.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { within } from "../../lib/async.ts";
import { logError } from "../../lib/log.ts";
import type { Http } from "../context.ts";

/** How long an answer waits for the number of held requests, which it can do without. */
const COUNT_MS = 2_000;

/** The endpoint as the API shows it. */
export async function recordOf(http: Http, config: EndpointConfig): Promise<EndpointRecord> {
  const { endpointId, path, workflow } = config;
  return {
    endpointId,
    name: config.name,
    url: new URL(`/hooks/${path ?? endpointId}`, http.req.url).href,
    path,
    workflowId: workflow?.workflowId ?? null,
    enabled: config.enabled,
    methods: config.methods,
    auth: shownAuth(config.auth),
    replayProtection: config.replayProtection,
    eventId: config.eventId,
    onDuplicate: config.onDuplicate,
    validation: config.validation,
    mapping: config.mapping,
    retentionDays: config.retentionDays,
    requestsPerMinute: config.requestsPerMinute,
    queuedCount: await queuedCount(http.env, endpointId),
    createdAt: new Date(config.createdAt).toISOString(),
    updatedAt: new Date(config.updatedAt).toISOString(),
  };
}

/** Requests that the endpoint holds; null while its inbox cannot be asked, which is no reason to show nothing. */
async function queuedCount(env: CloudflareEnv, endpointId: string): Promise<number | null> {
  try {
    return await within("The inbox", COUNT_MS, inboxStub(env, endpointId).queuedCount());
  } catch (error) {
    logError("held requests not counted", { endpointId }, error);
    return null;
  }
}

function shownAuth({ token, hmac, ipAllowlist, headers }: StoredAuth): EndpointRecord["auth"] {
  return {
    ...(token && {
      token: { header: token.header ?? DEFAULT_TOKEN_HEADER, secret: shownSecret(token.secret) },
    }),
    ...(hmac && { hmac: shownHmac(hmac) }),
    ...(ipAllowlist && { ipAllowlist }),
    ...(headers.length > 0 && {
      headers: headers.map(({ name, value }) => ({
        name,
        ...(value && { value: { set: true as const, last4: value.last4 } }),
      })),
    }),
  };
}

/** A preset says by its name how it signs; a scheme of the caller's own is shown as it can be given. */
function shownHmac({ preset, scheme, secret }: NonNullable<StoredAuth["hmac"]>) {
  if (preset !== null) return { preset, secret: shownSecret(secret) };
  const { prefix, prefixOptional, timestampHeader, timestampPair, idHeader, ...rest } = scheme;
  const { aliases: _, ...given } = rest;
  return {
    ...given,
    ...(!prefixOptional && { prefix }),
    ...(timestampHeader !== null && { timestampHeader }),
    ...(timestampPair !== null && { timestampPair }),
    ...(idHeader !== null && { idHeader }),
    secret: shownSecret(secret),
  };
}

function shownSecret({ last4, previous }: KeptSecret) {
  return {
    set: true as const,
    last4,
    ...(previous && { previousValidUntil: new Date(previous.validUntil).toISOString() }),
  };
}
