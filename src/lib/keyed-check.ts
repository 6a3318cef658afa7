import { fromBase64 } from "./encoding.ts";
import { memoize } from "./lru-map.ts";
import { equalBytes } from "./secrets.ts";

const encoder = new TextEncoder();

/**
 * Returns the check that only the holder of a key can write behind a text: its HMAC-SHA256 under the first
 * of `keys`, as `write` shortens it. Keys are base64 of 32 bytes, the newest first. Throws without one.
 */
export async function keyedCheck(
  text: string,
  keys: readonly string[],
  write: (mac: Uint8Array) => string,
): Promise<string> {
  const [newest] = keys;
  if (newest === undefined) throw new Error("There is no key for ids: set ID_KEY.");
  return write(await macOf(text, newest));
}

/** Returns whether `check` is the check of a text under any of the keys, in constant time. */
export async function hasKeyedCheck(
  text: string,
  check: string,
  keys: readonly string[],
  write: (mac: Uint8Array) => string,
): Promise<boolean> {
  const given = encoder.encode(check);
  const macs = await Promise.all(keys.map((key) => macOf(text, key)));
  return macs.map((mac) => equalBytes(encoder.encode(write(mac)), given)).includes(true);
}

async function macOf(text: string, key: string): Promise<Uint8Array> {
  return new Uint8Array(
    await crypto.subtle.sign("HMAC", await importKey(key), encoder.encode(text)),
  );
}

/** Keys by their base64 text: importing costs more than using, and there are only a few. */
const importKey = memoize(50, async (base64) => {
  const bytes = fromBase64(base64);
  if (bytes?.length !== 32) throw new Error("An id key must be base64 of 32 bytes.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
});
