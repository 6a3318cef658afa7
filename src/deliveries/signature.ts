import { toBase64 } from "../lib/encoding.ts";
import { standardKeys } from "../lib/standard-secret.ts";

/** A callback to sign. */
export interface SignedMessage {
  /** The id of the event, equal in every attempt. */
  webhookId: string;
  /** The time of this attempt in epoch seconds. */
  timestamp: number;
  /** The body, exactly as sent. */
  body: string;
  /** The client's secret, or null for unsigned callbacks. */
  secret: string | null;
}

/**
 * Returns the headers of a callback by the Standard Webhooks specification (standardwebhooks.com). Without
 * a secret they still name the event and the time, so that a receiver recognises repeats.
 */
export async function signatureHeaders(message: SignedMessage): Promise<Record<string, string>> {
  const { webhookId, timestamp, body, secret } = message;
  const headers = { "webhook-id": webhookId, "webhook-timestamp": String(timestamp) };
  if (secret === null) return headers;
  const signatures = await Promise.all(
    [...standardKeys(secret), ...keyOfUnits(secret)].map((key) => {
      if (key === null) throw new TypeError("The secret is not base64 after its whsec_ prefix.");
      return hmacBase64(key, `${webhookId}.${timestamp}.${body}`);
    }),
  );
  return { ...headers, "webhook-signature": signatures.map((one) => `v1,${one}`).join(" ") };
}

/** Returns the key of a text that JavaScript libraries get as `format: "raw"`: one byte for each character. */
function keyOfUnits(secret: string): Uint8Array<ArrayBuffer>[] {
  if (/^\p{ASCII}*$/u.test(secret)) return [];
  return [Uint8Array.from(secret, (character) => character.charCodeAt(0))];
}

async function hmacBase64(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text));
  return toBase64(new Uint8Array(signed));
}
