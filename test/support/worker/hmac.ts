import { toHex } from "../../../src/lib/encoding.ts";

const encoder = new TextEncoder();

/** HMAC-SHA256 of a text in hexadecimal, as senders of webhooks sign. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}
