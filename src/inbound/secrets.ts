import type { SignatureScheme } from "../contract/inbound/signature.ts";
import { toBase64, toBase64Url, toHex } from "../lib/encoding.ts";

/** Random bytes of a secret that the service makes. */
export const SECRET_BYTES = 32;

/** How the text of a secret becomes the bytes of a key. */
export type SecretEncoding = SignatureScheme["secretEncoding"];

/** What a secret of an endpoint is for. */
export type SecretUse = "token" | "hmac" | { header: string };

/** What a secret is sealed for: it opens for no other endpoint and no other use. */
export function secretContext(endpointId: string, use: SecretUse): string {
  const name = typeof use === "string" ? use : `header/${use.header.toLowerCase()}`;
  return `webhook/${endpointId}/${name}`;
}

/** A new secret of random bytes, in the form that senders of this encoding expect. */
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
