import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import { fromBase64 } from "../../lib/base64.ts";
import type { OpenSecret } from "../types.ts";
import type { Algorithm } from "./encoding.ts";
import { decode } from "./encoding.ts";

type SecretEncoding = SignatureScheme["secretEncoding"];

const HASH: Record<Algorithm, string> = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
};

const encoder = new TextEncoder();

/**
 * Keys by the opened secret that they were made of: they are made once, go with it, and its text is
 * kept nowhere else.
 */
const known = new WeakMap<OpenSecret, Map<string, Promise<CryptoKey | null>>>();

/** The bytes of a secret, or null when its text is not of this encoding. */
export function secretBytes(text: string, encoding: SecretEncoding): Uint8Array | null {
  const bytes = readSecret(text, encoding);
  return bytes === null || bytes.length === 0 ? null : bytes;
}

function readSecret(text: string, encoding: SecretEncoding): Uint8Array | null {
  if (encoding === "utf8") return encoder.encode(text);
  if (encoding === "hex") return decode(text, "hex");
  if (encoding === "base64") return fromBase64(text);
  const prefix = "whsec_";
  return text.startsWith(prefix) ? fromBase64(text.slice(prefix.length)) : encoder.encode(text);
}

/** The key that one of the secret's two texts makes, or null when it is not of the scheme's encoding. */
export function keyOf(
  secret: OpenSecret,
  which: "current" | "previous",
  { algorithm, secretEncoding }: SignatureScheme,
): Promise<CryptoKey | null> {
  const keys = known.get(secret) ?? new Map<string, Promise<CryptoKey | null>>();
  known.set(secret, keys);
  const name = `${which} ${algorithm} ${secretEncoding}`;
  const before = keys.get(name);
  if (before !== undefined) return before;
  const text = which === "current" ? secret.current : secret.previous?.value;
  const bytes = text === undefined ? null : secretBytes(text, secretEncoding);
  const made = bytes === null ? Promise.resolve(null) : importKey(bytes, algorithm);
  keys.set(name, made);
  return made;
}

export function importKey(bytes: Uint8Array, algorithm: Algorithm): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: HASH[algorithm] }, false, [
    "sign",
  ]);
}

export async function hmac(key: CryptoKey, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}
