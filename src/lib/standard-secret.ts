import { fromBase64, fromStrictBase64 } from "./encoding.ts";

const PREFIX = "whsec_";
/** The lengths of a key in bytes that the Standard Webhooks specification allows. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/**
 * Returns the keys of a Standard Webhooks secret: the base64 after `whsec_`, or null if it is not base64.
 * A secret without the prefix is its UTF-8 bytes. If it is base64 of a key as well, that key follows,
 * since the specification's libraries decode such a secret.
 */
export function standardKeys(secret: string): (Uint8Array<ArrayBuffer> | null)[] {
  if (secret.startsWith(PREFIX)) return [fromBase64(secret.slice(PREFIX.length))];
  const decoded = bareBase64(secret);
  const text = Uint8Array.from(new TextEncoder().encode(secret));
  return decoded === null ? [text] : [text, decoded];
}

/** Text of hex digits alone is no base64: random bytes would have other letters as well. */
function bareBase64(secret: string): Uint8Array<ArrayBuffer> | null {
  if (secret.length % 4 !== 0 || /^[0-9a-f]*$/i.test(secret)) return null;
  const bytes = fromStrictBase64(secret);
  return bytes !== null && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES ? bytes : null;
}
