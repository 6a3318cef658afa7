import { createHash, createHmac } from "node:crypto";
import type { KeyScheme, SignatureScheme } from "../../contract/webhooks/signature.ts";
import { fromBase64, fromStrictBase64, toBase64, toHex } from "../../lib/encoding.ts";
import { standardKeys } from "../../lib/standard-secret.ts";

type SecretEncoding = SignatureScheme["secretEncoding"];

/** Decodes a secret; returns null if its text does not have this encoding. */
export function secretBytes(text: string, encoding: SecretEncoding): Uint8Array | null {
  return secretKeys(text, encoding)[0] ?? null;
}

/** Returns the keys that a secret's text can mean, the likeliest first; none without this encoding. */
export function secretKeys(text: string, encoding: SecretEncoding): Uint8Array[] {
  return readSecret(text, encoding).flatMap((key) => (key === null || key.length === 0 ? [] : key));
}

function readSecret(text: string, encoding: SecretEncoding): (Uint8Array | null)[] {
  if (encoding === "utf8") return [new TextEncoder().encode(text)];
  if (encoding === "sha1") return [createHash("sha1").update(text).digest()];
  if (encoding === "hex") return [decode(text, "hex")];
  if (encoding === "base64") return [fromBase64(text)];
  return standardKeys(text);
}

/** Returns the HMAC of a message. */
export function hmac(algorithm: Algorithm, key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac(algorithm, key).update(message).digest();
}

export type Encoding = SignatureScheme["encoding"];
export type Algorithm = SignatureScheme["algorithm"];

/** Length of a digest in bytes. */
export const DIGEST_BYTES: Record<Algorithm, number> = {
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

/** Whether an algorithm of a signature is the hash of an HMAC. */
export function isHash(algorithm: Algorithm | KeyScheme["algorithm"]): algorithm is Algorithm {
  return Object.hasOwn(DIGEST_BYTES, algorithm);
}

/** Length of a signature in bytes; null where it varies. */
export const SIGNATURE_BYTES: Record<Algorithm | KeyScheme["algorithm"], number | null> = {
  ...DIGEST_BYTES,
  ed25519: 64,
  "ecdsa-p256-sha256": null,
  "rsa-sha256": null,
  "rsa-sha512": null,
  "rsa-sha1": null,
};

/**
 * Decodes hex in either case, or base64 in either alphabet with or without padding. Stray bits at the
 * end of base64 are refused, so that a digest has no further spelling. Returns null for other text.
 */
export function decode(text: string, encoding: Encoding): Uint8Array | null {
  return encoding === "hex" ? fromHex(text) : fromStrictBase64(text);
}

export function encode(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === "hex" ? toHex(bytes) : toBase64(bytes);
}

function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
