import { toHex } from "../../../lib/hex.ts";

/**
 * The id of the mail of one call, at the sender's domain: the same for the same call, so that a copy
 * can be told from a second mail, and hashed, so that it tells nothing about the execution.
 */
export async function messageIdOf(idempotencyKey: string, from: string): Promise<string> {
  const key = new TextEncoder().encode(`e-mail:${idempotencyKey}`);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", key));
  return `${toHex(hash.slice(0, 16))}@${from.slice(from.lastIndexOf("@") + 1).toLowerCase()}`;
}
