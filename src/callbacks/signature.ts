const encoder = new TextEncoder();

/** One event as it is signed. */
export interface SignedMessage {
  /** Names the event; the same at each attempt. */
  webhookId: string;
  /** When this attempt is made, in epoch seconds. */
  timestamp: number;
  /** The body exactly as it is sent. */
  body: string;
  /** The client's secret, or null when its callbacks are not signed. */
  secret: string | null;
}

/**
 * The headers of a callback by the Standard Webhooks specification (standardwebhooks.com). Without a
 * secret the event still has its id and its time, so that a receiver can tell repeats.
 */
export async function signatureHeaders(message: SignedMessage): Promise<Record<string, string>> {
  const { webhookId, timestamp, body, secret } = message;
  const headers = { "webhook-id": webhookId, "webhook-timestamp": String(timestamp) };
  if (secret === null) return headers;
  const signature = await hmacBase64(keyBytes(secret), `${webhookId}.${timestamp}.${body}`);
  return { ...headers, "webhook-signature": `v1,${signature}` };
}

/** `whsec_` marks base64, as the specification writes secrets; any other secret is its UTF-8 bytes. */
function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith("whsec_")) return Uint8Array.from(encoder.encode(secret));
  return Uint8Array.from(atob(secret.slice("whsec_".length)), (char) => char.charCodeAt(0));
}

async function hmacBase64(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", imported, encoder.encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signed)));
}
