import { toHex } from "../../lib/encoding.ts";

/** Hex digits of an endpoint's id that its executions carry: 40 bits. */
const TAG_DIGITS = 10;
const TIME_DIGITS = 12;
const PREFIX = "ep_";
/** Executions of one millisecond that are told apart, in their order, by 12 bits. */
const PLACES = 4_096;

/** The random bytes that an id takes. */
export const ID_BYTES = 3;

const TAGGED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{2}([0-9a-f]{10})$/;

/** A moment of an endpoint: epoch milliseconds, and the place among its executions of that moment. */
export interface Moment {
  at: number;
  place: number;
}

/** The moment of the next execution: never before, nor the same as, that of the last one. */
export function momentAfter(last: Moment, now: number): Moment {
  if (now > last.at) return { at: now, place: 0 };
  if (last.place + 1 < PLACES) return { at: last.at, place: last.place + 1 };
  return { at: last.at + 1, place: 0 };
}

/**
 * The id of an execution that a webhook starts, a UUIDv8 (RFC 9562 §5.8): 48 bits of time, 12 of the
 * place in its millisecond, 22 random ones, and at its end the first 40 bits of the endpoint's id, by
 * which the inbox is found that knows the execution before its session does. An endpoint's ids go up.
 * `random` has `ID_BYTES` bytes.
 */
export function executionIdOf(
  endpointId: string,
  { at, place }: Moment,
  random: Uint8Array,
): string {
  const time = at.toString(16).padStart(TIME_DIGITS, "0");
  const noise = toHex(random);
  // RFC 9562 §4.1: the two highest bits of this digit are the variant, 10.
  const variant = (8 | (Number.parseInt(noise.slice(0, 1), 16) & 3)).toString(16);
  const tag = endpointId.slice(PREFIX.length, PREFIX.length + TAG_DIGITS);
  return [
    time.slice(0, 8),
    time.slice(8),
    `8${place.toString(16).padStart(3, "0")}`,
    `${variant}${noise.slice(1, 4)}`,
    `${noise.slice(4, 6)}${tag}`,
  ].join("-");
}

/** The hex digits that the endpoint's id begins with, or null for an execution of another kind. */
export function tagOf(executionId: string): string | null {
  return TAGGED.exec(executionId)?.[1] ?? null;
}

/** When an execution got its id, epoch milliseconds. */
export function timeOf(executionId: string): number {
  return Number.parseInt(executionId.replace("-", "").slice(0, TIME_DIGITS), 16);
}
