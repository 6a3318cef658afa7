import { orElse } from "./or-else.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a whole number in base 62, padded with zeros to `length` digits. */
function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, "0");
}

/** Returns the number of random bytes that `randomBase62` needs for `length` digits. */
export function bytesForBase62(length: number): number {
  return Math.ceil(bitsOf(length) / 8);
}

/**
 * Returns `length` base-62 digits from random bytes: as many whole bits as the digits hold, so that every
 * value is equally likely. A remainder by 62 would favour some digits.
 */
export function randomBase62(random: Uint8Array, length: number): string {
  const bits = bitsOf(length);
  if (random.length * 8 < bits) throw new RangeError(`${length} digits need ${bits} random bits.`);
  return base62(BigInt.asUintN(bits, BigInt(`0x${toHex(random)}`)), length);
}

const bitsOf = (length: number): number => Math.floor(length * Math.log2(62));

/** Bytes that become arguments of one call. */
const CHUNK = 8_192;

/** Encodes bytes as base64 with padding (RFC 4648 §4). Node 24 lacks `Uint8Array.prototype.toBase64`. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** Encodes bytes as base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decodes UTF-8 with its byte order mark; returns null for bytes that are no text. */
export function textOrNull(bytes: Uint8Array): string | null {
  return orElse(
    () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    null,
  );
}

/** Decodes the percent escapes of a text; returns null if one is malformed. */
export function unescapedOrNull(text: string): string | null {
  return orElse(() => decodeURIComponent(text), null);
}

/** Decodes base64 or base64url; returns null for any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

/**
 * Decodes base64 or base64url, with or without padding; returns null for any other text. Stray bits at
 * the end are refused, so that a value has one spelling in each alphabet.
 */
export function fromStrictBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return null;
  const bytes = fromBase64(text);
  if (bytes === null) return null;
  return normalized(toBase64(bytes)) === normalized(text) ? bytes : null;
}

const normalized = (text: string): string =>
  text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");

/** Encodes bytes as lower-case hexadecimal. */
export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  let text = "";
  for (const byte of view) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Returns the hexadecimal SHA-256 of bytes, or of a text's UTF-8 bytes. */
export async function sha256Hex(
  data: string | Parameters<typeof crypto.subtle.digest>[1],
): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}
