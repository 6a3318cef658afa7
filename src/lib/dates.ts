import { memoize } from "./lru-map.ts";

/** A date and time as text writes them: `2026-01-31T09:30:00`, and the offset if there is one. */
export interface LocalTime {
  local: string;
  offset: string | undefined;
}

const BASIC_DAY = /^(\d{4})(\d{2})(\d{2})$/;
const WEEK_DAY = /^(\d{4})-?W(\d{2})-?([1-7])$/;
const ORDINAL_DAY = /^(\d{4})(-?)(\d{3})$/;
const DAY_MS = 86_400_000;

/** Returns whether digits alone can mean a date of this year: other numbers are likely to be no date. */
const isRecent = (year: number): boolean => year >= 1900 && year <= 2199;

/**
 * Returns a day that is written as a basic date (`20260131`), a week date (`2026-W05-6`) or an ordinal
 * date (`2026-031`) of ISO 8601 as `2026-01-31`; null for other text.
 */
export function isoDay(text: string): string | null {
  const [, year, month, day] = BASIC_DAY.exec(text) ?? [];
  if (year !== undefined) return basicDay(Number(year), Number(month), Number(day));
  const [, weekYear, week, weekday] = WEEK_DAY.exec(text) ?? [];
  if (weekYear !== undefined) return weekDay(Number(weekYear), Number(week), Number(weekday));
  const [, ordinalYear, hyphen, ordinal] = ORDINAL_DAY.exec(text) ?? [];
  if (ordinalYear === undefined || !(hyphen || isRecent(Number(ordinalYear)))) return null;
  return ordinalDay(Number(ordinalYear), Number(ordinal));
}

function basicDay(year: number, month: number, day: number): string | null {
  if (!isRecent(year)) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC reads the 30th of February as a day of March.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? dayOf(date) : null;
}

/** Week 1 is the one with the 4th of January. */
function weekDay(year: number, week: number, weekday: number): string | null {
  const monday = mondayOfFirstWeek(year);
  const time = monday + ((week - 1) * 7 + weekday - 1) * DAY_MS;
  const isOfYear = week >= 1 && time < mondayOfFirstWeek(year + 1);
  return isOfYear ? dayOf(new Date(time)) : null;
}

function mondayOfFirstWeek(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

function ordinalDay(year: number, ordinal: number): string | null {
  const date = new Date(Date.UTC(year, 0, ordinal));
  return ordinal >= 1 && date.getUTCFullYear() === year ? dayOf(date) : null;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const BASIC_TIME =
  /^(\d{8})[Tt]?(\d{2})(\d{2})(?:(\d{2})([.,]\d{1,9})?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Reads a basic date and time of ISO 8601, such as `20260131T093000Z`; null for other text. */
export function basicTime(text: string): LocalTime | null {
  const [, date = "", hours, minutes, seconds = "00", fraction = "", offset] =
    BASIC_TIME.exec(text) ?? [];
  const day = isoDay(date);
  // Twelve digits without a T may be milliseconds since 1970.
  if (day === null || !(/t/i.test(text) || /^\d{14}$/.test(text))) return null;
  return { local: `${day}T${hours}:${minutes}:${seconds}${fraction.replace(",", ".")}`, offset };
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** RFC 2822, section 3.3, with the obsolete forms of section 4.3: years of two digits, names of zones. */
const MAIL_TIME =
  /^(?:[a-z]{3},\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4}|\d{2})\s+(\d{2}:\d{2}(?::\d{2})?)\s+([+-]\d{4}|[a-z]{1,3})(?:\s*\([^()]*\))?$/i;

const ZONES: Readonly<Record<string, string>> = {
  UT: "Z",
  UTC: "Z",
  GMT: "Z",
  Z: "Z",
  EST: "-0500",
  EDT: "-0400",
  CST: "-0600",
  CDT: "-0500",
  MST: "-0700",
  MDT: "-0600",
  PST: "-0800",
  PDT: "-0700",
};

/** Reads a time of mail and HTTP, such as `Sat, 31 Jan 2026 09:30:00 +0100`; null for other text. */
export function mailTime(text: string): LocalTime | null {
  const [, day, name = "", year, time, zone = ""] = MAIL_TIME.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  if (day === undefined || year === undefined || month === 0) return null;
  const named = zone.toUpperCase();
  const offset = /^[+-]/.test(zone) ? zone : Object.hasOwn(ZONES, named) ? ZONES[named] : undefined;
  if (offset === undefined) return null;
  const date = `${fullYear(year)}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return { local: `${date}T${time}`, offset };
}

function fullYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) < 50 ? "20" : "19"}${year}`;
}

/** Whether a text names a time zone of the IANA database. */
export const isTimeZone = memoize(200, (timeZone) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
});
