import type { EndpointConfig, KeptSecret } from "../contract/webhooks/endpoint.ts";
import type { SignatureScheme } from "../contract/webhooks/signature.ts";
import type { Settings } from "../env.ts";
import { toBase64, toBase64Url, toHex } from "../lib/encoding.ts";
import { equalInConstantTime, open } from "../lib/secrets.ts";
import { withPresets } from "./signatures/presets.ts";
import type { Endpoint, OpenSecret } from "./types.ts";

/** Length of a generated secret, in random bytes. */
export const SECRET_BYTES = 32;

/** How the text of a secret encodes the bytes of a key. */
export type SecretEncoding = SignatureScheme["secretEncoding"] | "credentials";

/** What a secret of an endpoint is for. */
export type SecretUse = "token" | "hmac" | { header: string };

/** Returns the context that a secret is sealed with: it opens for no other endpoint or use. */
export function secretContext(endpointId: string, use: SecretUse): string {
  const name = typeof use === "string" ? use : `header/${use.header.toLowerCase()}`;
  return `webhook/${endpointId}/${name}`;
}

const NEW_SECRET: Record<SecretEncoding, (random: Uint8Array) => string> = {
  utf8: toBase64Url,
  sha1: toBase64Url,
  base64: toBase64,
  hex: toHex,
  credentials: (random) => `prompthook:${toBase64Url(random)}`,
  whsec: (random) => `whsec_${toBase64(random)}`,
};

/** Encodes random bytes as a new secret, in the form that senders of this encoding expect. */
export function newSecret(encoding: SecretEncoding, random: Uint8Array): string {
  return NEW_SECRET[encoding](random);
}

/**
 * A secret of an endpoint cannot be opened, because its key is no longer in ENCRYPTION_KEY. No request
 * can be authenticated then; senders get a 503 without details.
 */
export class LockedEndpointError extends Error {
  constructor(endpointId: string) {
    super(`The secrets of ${endpointId} cannot be opened: their key is not in ENCRYPTION_KEY.`);
    this.name = "LockedEndpointError";
  }
}

/** Opens the secrets of an endpoint, under the current schemes of presets. Throws a `LockedEndpointError` if one cannot be opened. */
export async function openEndpoint(
  config: EndpointConfig,
  { ENCRYPTION_KEY: keys }: Settings,
): Promise<Endpoint> {
  const { endpointId, auth } = config;

  async function opened(sealed: string, use: SecretUse): Promise<string> {
    const plain = await open(sealed, keys, secretContext(endpointId, use));
    if (plain === null) throw new LockedEndpointError(endpointId);
    return plain;
  }

  async function both({ sealed, previous }: KeptSecret, use: SecretUse): Promise<OpenSecret> {
    const current = await opened(sealed, use);
    if (previous === null) return { current, previous: null };
    const value = await opened(previous.sealed, use);
    return { current, previous: { value, validUntil: previous.validUntil } };
  }

  const [token, hmac, headerValues] = await Promise.all([
    auth.token && both(auth.token.secret, "token"),
    auth.hmac && both(auth.hmac.secret, "hmac"),
    Promise.all(
      auth.headers.map(({ name, value }) => value && opened(value.sealed, { header: name })),
    ),
  ]);
  return { config: { ...config, auth: withPresets(auth) }, token, hmac, headerValues };
}

/** Returns the values of a secret that are valid at `now`, the current one first. */
export function validValues({ current, previous }: OpenSecret, now: number): string[] {
  return previous !== null && now < previous.validUntil ? [current, previous.value] : [current];
}

/** Returns the values of a secret, the previous one also after its overlap: it may be in use elsewhere. */
export function allValues(secret: OpenSecret | null): string[] {
  if (secret === null) return [];
  return secret.previous === null ? [secret.current] : [secret.current, secret.previous.value];
}

/** Whether any text equals any secret. Compares all pairs, in constant time. */
export async function matchesAny(given: string[], secrets: string[]): Promise<boolean> {
  const pairs = given.flatMap((text) => secrets.map((secret) => equalInConstantTime(text, secret)));
  return (await Promise.all(pairs)).includes(true);
}
