import { Temporal } from "temporal-polyfill";
import type { Transform } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import {
  basicTime,
  epochMilliseconds,
  extendedOffset,
  isoDay,
  isTimeZone,
  mailTime,
} from "../../../lib/instants.ts";
import { described } from "../../../workflows/inputs.ts";
import { failure, success, type Transformed, type TransformOf, toDouble } from "./basic.ts";

type TimestampSetting = Extract<Transform, { type: "timestamp" }>;

/**
 * Converts a time from one form to another. Times without an offset and dates are read and written in
 * `timeZone`, by default UTC: `iso` is `2026-01-31T09:30:00.000Z`, or `...+01:00` with a zone.
 * `epoch_seconds` are rounded down.
 */
export const timestamp: TransformOf<"timestamp"> = (value, setting) => {
  const fault = timestampFault(setting);
  if (fault !== null) return failure(fault);
  const { from, to, timeZone } = setting;
  const read = readMoment(value, from, timeZone ?? "UTC");
  return read.ok ? written(read.moment, to, timeZone) : failure(read.message);
};

/** Returns the error of a setting, or null. */
export function timestampFault({ timeZone }: TimestampSetting): string | null {
  return timeZone === undefined || isTimeZone(timeZone)
    ? null
    : `has the unknown time zone ${JSON.stringify(timeZone)}; use an IANA name such as Europe/Berlin`;
}

function written(
  ms: number,
  to: TimestampSetting["to"],
  timeZone: string | undefined,
): Transformed {
  if (to === "epoch_ms") return success(ms);
  if (to === "epoch_seconds") return success(Math.floor(ms / 1_000));
  if (to === "iso" && timeZone === undefined) return success(new Date(ms).toISOString());
  const moment = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone ?? "UTC");
  if (moment.year < 0 || moment.year > 9_999) return failure("must be within the years 0 to 9999");
  if (to === "date") return success(moment.toPlainDate().toString());
  return success(moment.toString({ timeZoneName: "never", fractionalSecondDigits: 3 }));
}

type Form = Extract<Transform, { type: "timestamp" }>["from"];

/** Epoch milliseconds, or the predicate that says why a value has none. */
type Moment = { ok: true; moment: number } | { ok: false; message: string };

/** 0000-01-01 and 9999-12-31T23:59:59.999Z: years of four digits. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** ISO 8601 and common looser spellings: a space for the T or before the offset, `UTC` for Z. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|z|UTC|[+-]\d{2}(?::?\d{2})?)?$/;

const READERS: Record<Form, (value: PayloadValue, timeZone: string) => Moment> = {
  auto: (value, timeZone) => (isEpoch(value) ? epoch(value, null) : iso(value, timeZone)),
  iso,
  epoch_seconds: (value) => epoch(value, 1_000),
  epoch_ms: (value) => epoch(value, 1),
  epoch_us: (value) => epoch(value, 1 / 1_000),
  epoch_ns: (value) => epoch(value, 1 / 1_000_000),
  date(value, timeZone) {
    const day = dayIn(textOf(value));
    return day === null ? unread(value, "a date such as 2026-01-31") : ofDate(day, timeZone);
  },
};

/**
 * Parses a time in a form. `auto` reads ISO 8601, RFC 2822 and the epoch: numbers below 100,000,000,000
 * are seconds, which misreads milliseconds before March 1973, and a number such as 20260131 is a day. A
 * leap second (`:60`) is read as the second before it. A local time that occurs twice is the earlier
 * one; one that a clock change skips is moved by the gap (RFC 5545 3.3.5). A date is the start of its
 * day.
 */
function readMoment(value: PayloadValue, form: Form, timeZone: string): Moment {
  const read = READERS[form](value, timeZone);
  if (!read.ok || (read.moment >= EARLIEST && read.moment <= LATEST)) return read;
  return no(`must be within the years 0 to 9999; got ${described(value)}`);
}

function epoch(value: PayloadValue, scale: number | null): Moment {
  const number = toDouble(value);
  if (number === null) return unread(value, "an epoch number or its text");
  const moment = scale === null ? epochMilliseconds(number) : number * scale;
  const whole = scale !== null && scale < 1 ? Math.floor(moment) : Math.round(moment);
  return { ok: true, moment: whole + 0 };
}

function iso(value: PayloadValue, timeZone: string): Moment {
  const text = textOf(value);
  const day = dayIn(text);
  if (day !== null) return ofDate(day, timeZone);
  const other = basicTime(text) ?? mailTime(text);
  if (other !== null) return ofTime(other.local, other.offset, timeZone, value);
  const [, date, time, offset] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || time === undefined) return unread(value, "an ISO 8601 time");
  return ofTime(`${date}T${time.replace(",", ".")}`, offset, timeZone, value);
}

/** Whether a number or its text is a time since 1970, and not a date without separators. */
function isEpoch(value: PayloadValue): boolean {
  const text = textOf(value);
  return toDouble(value) !== null && dayIn(text) === null && basicTime(text) === null;
}

/** Numbers are read as the digits of a date only where they have eight of them. */
function textOf(value: PayloadValue): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" && /^\d{8}$/.test(String(value)) ? String(value) : "";
}

const dayIn = (text: string): string | null => (DATE.test(text) ? text : isoDay(text));

function ofDate(text: string, timeZone: string): Moment {
  return tried(text, () => Temporal.PlainDate.from(text).toZonedDateTime(timeZone));
}

function ofTime(
  local: string,
  offset: string | undefined,
  timeZone: string,
  value: PayloadValue,
): Moment {
  const zone =
    offset === undefined ? timeZone : /^(?:z|utc)$/i.test(offset) ? "UTC" : extendedOffset(offset);
  return tried(value, () => Temporal.PlainDateTime.from(local).toZonedDateTime(zone));
}

/** Temporal throws a RangeError for the 30th of February and the like. */
function tried(value: PayloadValue, read: () => Temporal.ZonedDateTime): Moment {
  try {
    return { ok: true, moment: read().epochMilliseconds };
  } catch (error) {
    if (error instanceof RangeError) return unread(value, "a time that exists");
    throw error;
  }
}

const unread = (value: PayloadValue, expected: string): Moment =>
  no(`must be ${expected}; got ${described(value)}`);

const no = (message: string): Moment => ({ ok: false, message });
