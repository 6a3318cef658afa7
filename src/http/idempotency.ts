import type { Idempotency } from "../contract/session.ts";
import { sha256Hex } from "../lib/encoding.ts";
import type { Http } from "./context.ts";
import { HttpProblem, invalid } from "./problem.ts";

/** The request's Idempotency-Key; null without one. */
export function idempotencyKeyOf(http: Http): string | null {
  const key = http.req.header("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid("Idempotency-Key", "header", "must be 1 to 255 visible ASCII characters");
  }
  return key;
}

/** The problem of a key that came before with another request. */
export function keyReused(): HttpProblem {
  return new HttpProblem(
    "idempotency_key_reused",
    "This Idempotency-Key came before with another request.",
  );
}

/** The request's Idempotency-Key with what makes two requests the same; null without one. */
export async function idempotencyOf(http: Http, bytes: Uint8Array): Promise<Idempotency | null> {
  const key = idempotencyKeyOf(http);
  if (key === null) return null;
  const head = new TextEncoder().encode(`${http.req.method} ${http.req.path}\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return { key, bodyHash: await sha256Hex(whole) };
}

/** The header of an answer that was given before. */
export function replayedHeader(replayed: boolean): Record<string, string> {
  return replayed ? { "Idempotency-Replayed": "true" } : {};
}
