import { parseDate } from "../../process-data/values/dates.ts";
import type { DateUnit, SheetCell } from "./cell.ts";

/**
 * Excel counts days from 1900 and believes in a 29 February 1900, so that it and other programs agree
 * only from March on. Earlier dates stay text.
 */
const FIRST = Date.UTC(1900, 2, 1);
const DAY_MS = 86_400_000;

const ISO =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d{2}:\d{2})\.(?<fraction>\d{1,9}))?Z?)?$/;

/**
 * The date of an ISO 8601 text that names a day, in UTC or in no zone. One with another offset would
 * show another time than was written, and one finer than milliseconds would lose some: null.
 */
export function isoDate(text: string): SheetCell | null {
  const parts = ISO.exec(text.trim())?.groups;
  if (!parts) return null;
  const { day, time, fraction = "" } = parts;
  if (time === undefined) return dateCell(parseDate(day ?? ""), "day");
  const whole = parseDate(`${day}T${time}Z`);
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  if (whole === null || /[1-9]/.test(fraction.slice(3))) return null;
  return dateCell(whole + ms, ms === 0 ? "second" : "millisecond");
}

/** The day in a text of any unambiguous form. */
export function dayOf(text: string): SheetCell | null {
  const at = parseDate(text);
  return dateCell(at === null ? null : Math.floor(at / DAY_MS) * DAY_MS, "day");
}

/** The point in time in a text of any unambiguous form, in UTC. */
export function timeOf(text: string): SheetCell | null {
  const iso = isoDate(text);
  if (iso?.kind === "date") return iso.unit === "day" ? { ...iso, unit: "second" } : iso;
  return dateCell(parseDate(text), "second");
}

/** The date as ISO 8601 text, as finely as it is known. */
export function isoText(at: number, unit: DateUnit): string {
  const text = new Date(at).toISOString();
  if (unit === "day") return text.slice(0, 10);
  return unit === "second" ? `${text.slice(0, 19)}Z` : text;
}

function dateCell(at: number | null, unit: DateUnit): SheetCell | null {
  return at === null || at < FIRST ? null : { kind: "date", at, unit };
}
