import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { toHex } from "../../lib/hex.ts";

export type Encoding = SignatureScheme["encoding"];
export type Algorithm = SignatureScheme["algorithm"];

/** The bytes of a digest, by its algorithm. */
export const DIGEST_BYTES: Record<Algorithm, number> = {
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

/**
 * The bytes of hex in either case, or of base64 in either alphabet, with or without its padding. Each
 * digest has one text but for these liberties: stray bits at the end of base64 are refused. Null when
 * the text is not of this encoding.
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

function fromStrictBase64(text: string): Uint8Array | null {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return null;
  const bytes = fromBase64(text);
  if (bytes === null) return null;
  return bare(toBase64(bytes)) === bare(text) ? bytes : null;
}

const bare = (text: string): string =>
  text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
