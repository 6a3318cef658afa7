import { fromBase64, toBase64Url, toHex } from "./encoding.ts";
import { memoize } from "./lru-map.ts";

const IV_BYTES = 12;
const encoder = new TextEncoder();

/**
 * Encrypts `plain` by AES-256-GCM as `v1.<key id>.<base64url of iv and ciphertext>`, with the first of
 * `keys`, which are base64 of 32 bytes, the newest first. It opens only with the same `context`, so that a
 * secret cannot be moved to another place. Throws without a valid key.
 */
export async function seal(plain: string, keys: string[], context: string): Promise<string> {
  const [newest] = keys;
  if (newest === undefined) throw new Error("There is no encryption key.");
  const { id, key } = await importKey(newest);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(iv, context), key, encoder.encode(plain));
  const box = new Uint8Array(IV_BYTES + sealed.byteLength);
  box.set(iv);
  box.set(new Uint8Array(sealed), IV_BYTES);
  return `v1.${id}.${toBase64Url(box)}`;
}

/** Returns a name for each key, in order: the beginning of its SHA-256, which reveals nothing of it. */
export async function fingerprints(keys: readonly string[]): Promise<string[]> {
  return (await Promise.all(keys.map(importKey))).map(({ id }) => id);
}

/** Whether a text is sealed with the first of `keys`. */
export async function isSealedWithNewest(sealed: string, keys: string[]): Promise<boolean> {
  const [newest] = keys;
  if (newest === undefined) return false;
  const { id } = await importKey(newest);
  return sealed.startsWith(`v1.${id}.`);
}

/** Decrypts a sealed text; returns null if it is damaged or has another key or context. */
export async function open(
  sealed: string,
  keys: string[],
  context: string,
): Promise<string | null> {
  const [version, keyId, text, ...rest] = sealed.split(".");
  const box = fromBase64(text ?? "");
  if (version !== "v1" || rest.length > 0 || box === null || box.length <= IV_BYTES) return null;
  const known = (await Promise.all(keys.map(importKey))).find(({ id }) => id === keyId);
  if (!known) return null;
  try {
    const plain = await crypto.subtle.decrypt(
      parameters(box.slice(0, IV_BYTES), context),
      known.key,
      box.slice(IV_BYTES),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}

/** Returns whether `sealed` is this text; never for what cannot be opened. */
export async function isSealedAs(
  plain: string,
  sealed: string | null,
  keys: string[],
  context: string,
): Promise<boolean> {
  const opened = sealed === null ? null : await open(sealed, keys, context);
  return opened !== null && (await equalInConstantTime(opened, plain));
}

function parameters(iv: Uint8Array<ArrayBuffer>, context: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
}

/** Keys by their base64 text: importing costs more than using, and there are only a few. */
const importKey = memoize(50, async (base64) => {
  const bytes = keyBytes(base64);
  const [digest, key] = await Promise.all([
    crypto.subtle.digest("SHA-256", bytes),
    crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
  ]);
  return { id: toHex(digest).slice(0, 8), key };
});

function keyBytes(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(base64);
  if (bytes?.length !== 32) throw new Error("A key must be base64 of 32 bytes.");
  return bytes;
}

/**
 * Returns whether two texts are equal, in a time that reveals nothing about them: both are hashed first,
 * so that neither the position of a difference nor a length shows.
 */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(left), digest(right)]);
  return equalBytes(a, b);
}

/** Returns whether two byte strings are equal, in a time that depends on their lengths only. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at] ?? 0);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

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
  const imported = await importIdKey(key);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}

const importIdKey = memoize(50, async (base64) => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", keyBytes(base64), algorithm, false, ["sign"]);
});
