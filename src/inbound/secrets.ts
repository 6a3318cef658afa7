import type { KeptSecret } from "../contract/inbound/endpoint.ts";
import type { SignatureScheme } from "../contract/inbound/signature.ts";
import { fromBase64, toBase64, toBase64Url } from "../lib/base64.ts";
import { toHex } from "../lib/hex.ts";
import { last4 } from "../lib/last4.ts";
import { seal } from "../lib/secret-box.ts";

/** Random bytes of a secret that the service makes. */
export const SECRET_BYTES = 32;

/** How the text of a secret becomes the bytes of a key; a token is no key, only text. */
export type SecretEncoding = SignatureScheme["secretEncoding"];

/** What a secret of an endpoint is for. */
export type SecretUse = "token" | "hmac" | { header: string };

/** What a secret is sealed for: it opens for no other endpoint and no other use. */
export function secretContext(endpointId: string, use: SecretUse): string {
  const name = typeof use === "string" ? use : `header/${use.header.toLowerCase()}`;
  return `webhook/${endpointId}/${name}`;
}

/** A new secret from random bytes, in the form that senders of this encoding expect. */
export function newSecret(encoding: SecretEncoding, random: Uint8Array): string {
  switch (encoding) {
    case "utf8":
      return toBase64Url(random);
    case "base64":
      return toBase64(random);
    case "hex":
      return toHex(random);
    case "whsec":
      return `whsec_${toBase64(random)}`;
  }
}

/** Why a secret cannot be a key in this encoding, or null. */
export function secretFault(secret: string, encoding: SecretEncoding): string | null {
  switch (encoding) {
    case "utf8":
      return null;
    case "base64":
      return isBase64(secret) ? null : "must be base64, as this scheme reads it";
    case "hex":
      return /^(?:[0-9a-f]{2})+$/i.test(secret) ? null : "must be hex, as this scheme reads it";
    case "whsec":
      if (!secret.startsWith("whsec_") || isBase64(secret.slice("whsec_".length))) return null;
      return "must be base64 after whsec_";
  }
}

/** A secret as it is kept from now on, with none before it. */
export async function keepSecret(
  secret: string,
  keys: string[],
  context: string,
): Promise<KeptSecret> {
  return { sealed: await seal(secret, keys, context), last4: last4(secret), previous: null };
}

/**
 * The next secret in place of `kept`, which stays valid until `validUntil` (epoch milliseconds) and is
 * known after that until the next change, so that a sender which still uses it can be told so.
 */
export function replaceSecret(kept: KeptSecret, next: KeptSecret, validUntil: number): KeptSecret {
  return { ...next, previous: { sealed: kept.sealed, validUntil } };
}

function isBase64(text: string): boolean {
  return text !== "" && fromBase64(text) !== null;
}
