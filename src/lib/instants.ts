import type { ExactValue } from "./json-values.ts";
import { memoize } from "./lru-map.ts";
import { orElse } from "./or-else.ts";

/** A date and time as text writes them: `2026-01-31T09:30:00`, and the offset if there is one. */
interface LocalTime {
  local: string;
  offset: string | undefined;
}

const BASIC_DAY = /^(\d{4})(\d{2})(\d{2})$/;
const BASIC_TIME =
  /^(\d{8})[Tt]?(\d{2})(\d{2})(?:(\d{2})([.,]\d{1,9})?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** RFC 2822, section 3.3, and the names of UTC. */
const MAIL_TIME =
  /^(?:[a-z]{3},\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4})\s+(\d{2}:\d{2}(?::\d{2})?)\s+(?:([+-]\d{4})|GMT|UTC?|Z)(?:\s*\([^()]*\))?$/i;

/** Formats epoch milliseconds as ISO 8601 in UTC, with milliseconds. */
export const iso = (at: number): string => new Date(at).toISOString();

/** Returns a basic date of ISO 8601, such as `20260131`, as `2026-01-31`; null for other text. */
export function isoDay(text: string): string | null {
  const [, year, month, day] = BASIC_DAY.exec(text) ?? [];
  // Other numbers of eight digits are likely to be no date.
  if (Number(year) < 1900 || Number(year) > 2199) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC reads the 30th of February as a day of March.
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? date.toISOString().slice(0, 10) : null;
}

/** Reads a basic date and time of ISO 8601, such as `20260131T093000Z`; null for other text. */
export function basicTime(text: string): LocalTime | null {
  const [, date = "", hours, minutes, seconds = "00", fraction = "", offset] =
    BASIC_TIME.exec(text) ?? [];
  const day = isoDay(date);
  // Twelve digits without a T may be milliseconds since 1970.
  if (day === null || !(/t/i.test(text) || /^\d{14}$/.test(text))) return null;
  return { local: `${day}T${hours}:${minutes}:${seconds}${fraction.replace(",", ".")}`, offset };
}

/** Reads a time of mail and HTTP, such as `Sat, 31 Jan 2026 09:30:00 +0100`; null for other text. */
export function mailTime(text: string): LocalTime | null {
  const [, day = "", name = "", year, time, offset = "Z"] = MAIL_TIME.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return null;
  const date = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return { local: `${date}T${time}`, offset };
}

/** Whether a text names a time zone of the IANA database. */
export const isTimeZone = memoize(
  200,
  (timeZone) => orElse(() => new Intl.DateTimeFormat("en", { timeZone }), null) !== null,
);

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
