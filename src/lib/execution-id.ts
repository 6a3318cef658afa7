import { v7 as uuidv7 } from "uuid";
import { toHex } from "./encoding.ts";

/** Hex digits of an endpoint's id that its executions carry: 40 bits. */
const TAG_DIGITS = 10;
const TIME_DIGITS = 12;
const PREFIX = "ep_";
/** An id tells this many executions of one millisecond apart, in their order: it has 12 bits for that. */
const PLACES = 4_096;

/** The random bytes that the id of an endpoint's execution takes. */
export const ID_BYTES = 2;

/** Objects that host the executions of an account. An id holds its slot in 12 bits. */
const SLOTS = 4_096;
export const LAST_SLOT = SLOTS - 1;
const SLOT_AT = 20;
const SLOT_DIGITS = 3;
/**
 * Executions at once that share a host, on average: Cloudflare bills a host for its time in memory, whatever
 * number of them waits in it for a model. One takes some 500 KB meanwhile.
 */
const NEIGHBOURS = 16;
/** Where a model holds back the headers of its replies, a host waits for so many at once. */
const WAITING_CALLS = 4;
/** Hosts that have no more than that before any is filled: a few slow calls delay nobody. */
const UNCROWDED = 8;

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
 * Returns the number of slots for an account that runs `live` executions: a few hosts have four each, then
 * they are filled, and there are more only when they are full.
 */
export function slotsInUse(live: number): number {
  const uncrowded = Math.min(UNCROWDED, Math.ceil(live / WAITING_CALLS));
  return Math.min(SLOTS, Math.max(1, uncrowded, Math.ceil(live / NEIGHBOURS)));
}

/**
 * Returns the slot of an endpoint's `nth` execution while `live` others of it run. An endpoint does not know
 * the load of its account, so each has a first slot of its own.
 */
export function slotOfEndpoint(endpointId: string, live: number, nth: number): number {
  const first = Number.parseInt(endpointId.slice(PREFIX.length, PREFIX.length + 2), 16);
  return (first + (nth % slotsInUse(live + 1))) % SLOTS;
}

/** Returns the slot of an execution: its host is the account's object of this slot. */
export function slotOf(executionId: string): number {
  return Number.parseInt(executionId.slice(SLOT_AT, SLOT_AT + SLOT_DIGITS), 16);
}

/** The slot of an `execution_id` in SQL, as hex digits. */
export const SLOT_SQL = `substr(execution_id, ${SLOT_AT + 1}, ${SLOT_DIGITS})`;

/** Returns the id with another slot. */
export function withSlot(executionId: string, slot: number): string {
  const digits = slot.toString(16).padStart(SLOT_DIGITS, "0");
  return executionId.slice(0, SLOT_AT) + digits + executionId.slice(SLOT_AT + SLOT_DIGITS);
}

/** Returns a new id of an execution that a client triggers: a UUIDv7 whose slot is not chosen yet. */
export function newExecutionId(): string {
  return withSlot(uuidv7(), 0);
}

/**
 * Returns the id of an execution that a webhook starts, a UUIDv8 (RFC 9562 §5.8): 48 bits of time, 12 of
 * the place in its millisecond, 12 of the slot, 10 random ones, and at its end the first 40 bits of the
 * endpoint's id, by which the inbox is found that knows the execution before its session does. An
 * endpoint's ids go up. `random` has `ID_BYTES` bytes.
 */
export function executionIdOf(
  endpointId: string,
  { at, place }: Moment,
  { slot, random }: { slot: number; random: Uint8Array },
): string {
  const time = at.toString(16).padStart(TIME_DIGITS, "0");
  const noise = toHex(random);
  // RFC 9562 §4.1: the two highest bits of this digit are the variant, 10.
  const variant = (8 | (Number.parseInt(noise.slice(0, 1), 16) & 3)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `8${place.toString(16).padStart(3, "0")}`,
    `${variant}${slot.toString(16).padStart(SLOT_DIGITS, "0")}`,
    `${noise.slice(2, 4)}${tagOfEndpoint(endpointId)}`,
  ].join("-");
}

/** Returns the hex digits at the end of the id of each execution of an endpoint. */
export function tagOfEndpoint(endpointId: string): string {
  return endpointId.slice(PREFIX.length, PREFIX.length + TAG_DIGITS);
}

/** The hex digits that the endpoint's id begins with, or null for an execution of another kind. */
export function tagOf(executionId: string): string | null {
  return TAGGED.exec(executionId)?.[1] ?? null;
}

/** When an execution got its id, epoch milliseconds. */
export function timeOf(executionId: string): number {
  return Number.parseInt(executionId.replace("-", "").slice(0, TIME_DIGITS), 16);
}

/**
 * Returns what the ids of a moment (epoch milliseconds) begin with: as text, every later id comes after it
 * and every earlier one before it. So ids sort by time, whatever their kind.
 */
export function idsFrom(at: number): string {
  const time = Math.max(at, 0).toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
