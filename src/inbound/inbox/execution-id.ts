import { toHex } from "../../lib/hex.ts";

/** Hex digits of an endpoint's id that its executions carry: 40 bits. */
const TAG_DIGITS = 10;
const TIME_DIGITS = 12;
const PREFIX = "ep_";

/** The random bytes that an id takes. */
export const ID_BYTES = 5;

const TAGGED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{2}([0-9a-f]{10})$/;

/**
 * The id of an execution that a webhook starts, a UUIDv8 (RFC 9562 §5.8): 48 bits of time, 34 random
 * ones, and at its end the first 40 bits of the endpoint's id, by which the inbox is found that knows
 * the execution before its session does. `now` in epoch milliseconds, `random` of `ID_BYTES` bytes.
 */
export function executionIdOf(endpointId: string, now: number, random: Uint8Array): string {
  const time = now.toString(16).padStart(TIME_DIGITS, "0");
  const noise = toHex(random).padEnd(ID_BYTES * 2, "0");
  // RFC 9562 §4.1: the two highest bits of this digit are the variant, 10.
  const variant = (8 | (Number.parseInt(noise.slice(3, 4), 16) & 3)).toString(16);
  const tag = endpointId.slice(PREFIX.length, PREFIX.length + TAG_DIGITS);
  return [
    time.slice(0, 8),
    time.slice(8),
    `8${noise.slice(0, 3)}`,
    `${variant}${noise.slice(4, 7)}`,
    `${noise.slice(7, 9)}${tag}`,
  ].join("-");
}

/** The hex digits that the endpoint's id begins with, or null for an execution of another kind. */
export function tagOf(executionId: string): string | null {
  return TAGGED.exec(executionId)?.[1] ?? null;
}
