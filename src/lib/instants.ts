import { basicTime, isoDay, mailTime } from "./dates.ts";
import type { ExactValue } from "./json-values.ts";

/** As seconds, this is the year 5138; as milliseconds, a day of 1973. So it goes on for each unit. */
const FIRST_MILLISECONDS = 100_000_000_000;
const FIRST_MICROSECONDS = FIRST_MILLISECONDS * 1_000;
const FIRST_NANOSECONDS = FIRST_MICROSECONDS * 1_000;
const EPOCH = /^\d{1,20}(?:\.\d{1,9})?$/;
/** ISO 8601, extended, with a time of day; without an offset it is UTC. */
const ISO =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
/** ISO 8601, extended, with a time of day and an offset. */
const ISO_WITH_OFFSET =
  /^\d{4}-\d{2}-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const SIGNED_ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Converts epoch seconds, milliseconds, microseconds or nanoseconds, told apart by size, to milliseconds. */
export function epochMilliseconds(number: number): number {
  const size = Math.abs(number);
  if (size < FIRST_MILLISECONDS) return number * 1_000;
  if (size < FIRST_MICROSECONDS) return number;
  return Math.floor(number / (size < FIRST_NANOSECONDS ? 1_000 : 1_000_000));
}

/**
 * Parses a timestamp as senders write it to epoch milliseconds; null for other values. A number such as
 * 20260131 is a day, which is no moment.
 */
export function readInstant(value: ExactValue): number | null {
  if (typeof value === "number" || typeof value === "bigint") return ofEpoch(Number(value));
  if (typeof value !== "string") return null;
  const text = value.trim();
  return ofIso(text) ?? (EPOCH.test(text) ? ofEpoch(Number(text)) : null);
}

function ofEpoch(number: number): number | null {
  if (!Number.isFinite(number) || number < 0 || isoDay(String(number)) !== null) return null;
  return Math.round(epochMilliseconds(number));
}

function ofIso(text: string): number | null {
  const other = basicTime(text) ?? mailTime(text);
  if (other !== null) return parsed(`${other.local}${extendedOffset(other.offset ?? "Z")}`);
  const [, date, time, offset = "Z"] = ISO.exec(text) ?? [];
  if (date === undefined || time === undefined) return null;
  return parsed(`${date}T${time.replace(",", ".")}${extendedOffset(offset)}`);
}

/** Writes `+0200` and `+02` as `+02:00`, the one form that every parser of dates reads. */
export function extendedOffset(offset: string): string {
  if (/^z$/i.test(offset)) return "Z";
  const minutes = offset.slice(3).replace(":", "");
  return `${offset.slice(0, 3)}:${minutes === "" ? "00" : minutes}`;
}

/** Whether a text is an ISO 8601 time with an offset, on a day that exists. */
export function isIsoInstant(text: string): boolean {
  const day = ISO_WITH_OFFSET.exec(text)?.[1];
  if (day === undefined) return false;
  // Date.parse reads the 30th of February as a day of March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day);
}

/**
 * Parses a signed timestamp to epoch milliseconds: epoch seconds or milliseconds, ISO 8601 with an
 * offset, or an HTTP date; null for other text. It is strict, since some templates join the timestamp to
 * its neighbours without a separator, and a lenient parser could read a part of them as a time.
 */
export function readSignedInstant(text: string): number | null {
  if (/^\d{9,14}$/.test(text)) return epochMilliseconds(Number(text));
  return SIGNED_ISO.test(text) || HTTP_DATE.test(text) ? parsed(text) : null;
}

function parsed(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
