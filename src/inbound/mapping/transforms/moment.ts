import { Temporal } from "temporal-polyfill";
import type { Transform } from "../../../contract/inbound/mapping.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { described } from "../../../workflows/inputs.ts";
import { epochMilliseconds } from "../../instant.ts";
import { toDouble } from "./decimal.ts";

type Form = Extract<Transform, { type: "timestamp" }>["from"];

/** Epoch milliseconds, or why there are none. */
type Moment = { ok: true; moment: number } | { ok: false; message: string };

/** 0000-01-01 and 9999-12-31T23:59:59.999Z: years of four digits. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** ISO 8601 and its common looser spellings: a blank for the T or before the offset, `UTC` for Z. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|z|UTC|[+-]\d{2}(?::?\d{2})?)?$/;

const READERS: Record<Form, (value: PayloadValue, timeZone: string) => Moment> = {
  auto: (value, timeZone) => (toDouble(value) === null ? iso(value, timeZone) : epoch(value, null)),
  iso,
  epoch_seconds: (value) => epoch(value, 1_000),
  epoch_ms: (value) => epoch(value, 1),
  date: (value, timeZone) =>
    typeof value === "string" && DATE.test(value.trim())
      ? ofDate(value.trim(), timeZone)
      : unread(value, "a date such as 2026-01-31"),
};

/**
 * Reads a moment in a form. `auto` takes ISO 8601, epoch seconds, and from 100,000,000,000 on epoch
 * milliseconds (which misreads milliseconds before March 1973). A local time that a change of the clocks
 * repeats is the earlier one, one that it leaves out is moved on by what was left out (RFC 5545 3.3.5);
 * a date is the start of its day.
 */
export function readMoment(value: PayloadValue, form: Form, timeZone: string): Moment {
  const read = READERS[form](value, timeZone);
  if (!read.ok || (read.moment >= EARLIEST && read.moment <= LATEST)) return read;
  return no(`${described(value)} is not a time within the years 0 to 9999`);
}

function epoch(value: PayloadValue, scale: number | null): Moment {
  const number = toDouble(value);
  if (number === null) return unread(value, "a number of the epoch, or the text of one");
  const moment = scale === null ? epochMilliseconds(number) : number * scale;
  return { ok: true, moment: Math.round(moment) + 0 };
}

function iso(value: PayloadValue, timeZone: string): Moment {
  const text = typeof value === "string" ? value.trim() : "";
  if (DATE.test(text)) return ofDate(text, timeZone);
  const [, date, time, offset] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || time === undefined) return unread(value, "an ISO 8601 time");
  return ofTime(`${date}T${time.replace(",", ".")}`, offset, timeZone, value);
}

function ofDate(text: string, timeZone: string): Moment {
  return tried(text, () => Temporal.PlainDate.from(text).toZonedDateTime(timeZone));
}

function ofTime(
  local: string,
  offset: string | undefined,
  timeZone: string,
  value: PayloadValue,
): Moment {
  const zone = offset === undefined ? timeZone : offsetZone(offset);
  return tried(value, () => Temporal.PlainDateTime.from(local).toZonedDateTime(zone));
}

/** A time zone that is an offset: `+0200` and `+02` as `+02:00`. */
function offsetZone(offset: string): string {
  if (/^(?:z|utc)$/i.test(offset)) return "UTC";
  const minutes = offset.slice(3).replace(":", "");
  return `${offset.slice(0, 3)}:${minutes === "" ? "00" : minutes}`;
}

/** The library throws a RangeError for the 30th of February and the like. */
function tried(value: PayloadValue, read: () => Temporal.ZonedDateTime): Moment {
  try {
    return { ok: true, moment: read().epochMilliseconds };
  } catch (error) {
    if (error instanceof RangeError) return unread(value, "a time that there is");
    throw error;
  }
}

const unread = (value: PayloadValue, expected: string): Moment =>
  no(`must be ${expected}, and is ${described(value)}`);

const no = (message: string): Moment => ({ ok: false, message });
