import { fromBase64, toBase64Url, toHex } from "./encoding.ts";

const IV_BYTES = 12;

interface BoxKey {
  id: string;
  key: CryptoKey;
}

/** Keys by their base64 text: importing costs more than using, and an isolate sees the same few. */
const imported = new Map<string, Promise<BoxKey>>();

/**
 * Encrypts `plain` by AES-256-GCM as `v1.<key id>.<base64url of iv and ciphertext>`.
 * `keys` are base64 of 32 bytes, the newest first, which is the one used. The box opens only for the
 * same `context`, so a secret cannot be moved to where another is expected. Throws without a good key.
 */
export async function seal(plain: string, keys: string[], context: string): Promise<string> {
  const [newest] = keys;
  if (newest === undefined) throw new Error("There is no key to encrypt with.");
  const { id, key } = await importKey(newest);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, context),
    key,
    new TextEncoder().encode(plain),
  );
  const box = new Uint8Array(IV_BYTES + sealed.byteLength);
  box.set(iv);
  box.set(new Uint8Array(sealed), IV_BYTES);
  return `v1.${id}.${toBase64Url(box)}`;
}

/** What was sealed, or null when no key opens it: it is damaged, or its key or context is another. */
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

function parameters(iv: Uint8Array<ArrayBuffer>, context: string) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(context) };
}

function importKey(base64: string): Promise<BoxKey> {
  const known = imported.get(base64);
  if (known) return known;
  const key = importNow(base64);
  imported.set(base64, key);
  return key;
}

async function importNow(base64: string): Promise<BoxKey> {
  const bytes = fromBase64(base64);
  if (bytes?.length !== 32) throw new Error("An encryption key must be base64 of 32 bytes.");
  const [digest, key] = await Promise.all([
    crypto.subtle.digest("SHA-256", bytes),
    crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
  ]);
  return { id: toHex(digest).slice(0, 8), key };
}

const encoder = new TextEncoder();

/**
 * Whether two texts are equal, in a time that tells nothing about either: both are hashed first, so
 * that neither the place of a difference nor the length shows.
 */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(left), digest(right)]);
  return equalBytes(a, b);
}

/** Whether two byte strings are equal, in a time that tells only whether their lengths are. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at] ?? 0);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}
