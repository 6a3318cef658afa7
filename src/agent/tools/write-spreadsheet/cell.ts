import { currencyCode, groupsWithDot } from "../../../lib/currencies.ts";
import { parseDate } from "../process-data/values/dates.ts";
import {
  decimalOf,
  decimalToNumber,
  type Quantity,
  readQuantity,
} from "../process-data/values/numbers.ts";

/** The precision of a point in time. */
export type DateUnit = "day" | "second" | "millisecond";

/** A typed cell. */
export type SheetCell =
  | { kind: "empty" }
  | { kind: "text"; text: string }
  | { kind: "number"; value: number; format?: string }
  | { kind: "date"; at: number; unit: DateUnit }
  | { kind: "boolean"; value: boolean }
  | { kind: "link"; text: string; url: string };

export const EMPTY: SheetCell = { kind: "empty" };

/** The significant digits that a spreadsheet keeps. */
const MAX_DIGITS = 15;
/** A number with more whole digits is displayed as 1.2E+11 unless it has a format. */
const MAX_GENERAL_DIGITS = 11;
/** Excel's largest and smallest positive numbers. */
const LARGEST = 9.99999999999999e307;
const SMALLEST = 2.2250738585072014e-308;

const SHAPE =
  /^[-\u2212]?(?<before>[^\d\s().,+\u2212-]{0,4}) ?[-\u2212]?(?<body>\.?\d(?:[\d.,'\u2019\s]*\d)?)(?<after>[^\d+()]*)$/u;

/** Returns the cell of a JSON number, or null if a spreadsheet would change it. */
export function plainNumber(value: number): SheetCell | null {
  const size = Math.abs(value);
  if (size > LARGEST || (size < SMALLEST && size > 0) || !Number.isFinite(value)) return null;
  if (!Number.isInteger(value) || size >= 1e21) return { kind: "number", value };
  if (size >= 10 ** MAX_DIGITS) return null;
  return size < 10 ** MAX_GENERAL_DIGITS
    ? { kind: "number", value }
    : { kind: "number", value, format: "0" };
}

/**
 * Returns the number that a text unambiguously is, with a format that displays it as written, or null.
 * Texts that could be something else stay texts: `00123` and `4006381333931` are identifiers,
 * `555 123 456` a telephone number, `1.234.567` a version, `(200)` a reference, `1.234 €` one thousand
 * or just over one. So do numbers with a unit, which a cell would lose.
 */
export function unambiguousNumber(text: string): SheetCell | null {
  const parts = SHAPE.exec(text.trim())?.groups;
  const quantity = readQuantity(text);
  if (!parts || !quantity || quantity.digits.includes("e")) return null;
  const { before = "", body = "", after = "" } = parts;
  if (isIdentifier(body) || isAmbiguous(body, quantity)) return null;
  if (significantDigits(quantity) > MAX_DIGITS || Object.is(quantity.value, -0)) return null;

  const { unit } = quantity;
  if (unit === "%") return percentage(quantity, body);
  if (unit !== "" && currencyCode(unit) !== unit) return null;
  const format = formatOf(quantity, body, { before, after: after.trimEnd() });
  return numberCell(quantity.value, format);
}

/** Returns the number of a text in any reading, or null; "12 %" is 0.12. */
export function lenientNumber(text: string): SheetCell | null {
  const quantity = readQuantity(text);
  if (!quantity || significantDigits(quantity) > MAX_DIGITS) return null;
  if (quantity.unit === "%") return percentage(quantity, "");
  return plainNumber(quantity.value);
}

/** Whether digits are an identifier: with a leading zero, or longer than a number. */
export function isIdentifier(text: string): boolean {
  return /^0\d/.test(text) || new RegExp(`^\\d{${MAX_GENERAL_DIGITS + 1},}$`).test(text);
}

function isAmbiguous(body: string, { unit }: Quantity): boolean {
  if (unit === "") return /^\d+( \d{3})+$/.test(body) || /^\d+(\.\d{3}){2,}$/.test(body);
  return groupsWithDot(unit) && /^\d{1,3}[.,]\d{3}$/.test(body);
}

function significantDigits({ digits }: Quantity): number {
  return digits.replace(/\D/g, "").replace(/^0+/, "").length;
}

function decimalsOf({ digits }: Quantity): number {
  return digits.split(".")[1]?.length ?? 0;
}

function percentage(quantity: Quantity, body: string): SheetCell | null {
  const { units, scale } = decimalOf(quantity.digits);
  const value = decimalToNumber({ units, scale: scale + 2 });
  return value === null ? null : numberCell(value, `${digitsFormat(quantity, body)}%`);
}

function numberCell(value: number, format: string | undefined): SheetCell {
  return format === undefined ? { kind: "number", value } : { kind: "number", value, format };
}

/** Returns the format of a number, or none if the general format displays the same. */
function formatOf(
  quantity: Quantity,
  body: string,
  { before, after }: { before: string; after: string },
): string | undefined {
  const digits = digitsFormat(quantity, body);
  if (before !== "" || after !== "") return `${literal(before)}${digits}${literal(after)}`;
  return digits.startsWith("#") || quantity.digits.endsWith("0")
    ? trimmedFormat(digits)
    : undefined;
}

function trimmedFormat(digits: string): string | undefined {
  return digits === "0" ? undefined : digits;
}

function digitsFormat(quantity: Quantity, body: string): string {
  const decimals = decimalsOf(quantity);
  const separators = body.match(/\D/g)?.length ?? 0;
  const isGrouped = separators > (decimals > 0 ? 1 : 0);
  return `${isGrouped ? "#,##0" : "0"}${decimals > 0 ? `.${"0".repeat(decimals)}` : ""}`;
}

function literal(text: string): string {
  return text === "" ? "" : `"${text}"`;
}

/**
 * Excel counts days from 1900 and includes a 29 February 1900, so that it agrees with other programs
 * only from March 1900. Earlier dates stay text.
 */
const FIRST = Date.UTC(1900, 2, 1);
const DAY_MS = 86_400_000;

const ISO =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d{2}:\d{2})\.(?<fraction>\d{1,9}))?Z?)?$/;

/**
 * Returns the date of an ISO 8601 text in UTC or without a zone, or null. Another offset would display
 * another time than written, and a precision below milliseconds would be lost.
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

/** Returns the day of a date in any unambiguous form, or null. */
export function dayOf(text: string): SheetCell | null {
  const at = parseDate(text);
  return dateCell(at === null ? null : Math.floor(at / DAY_MS) * DAY_MS, "day");
}

/** Returns the time of a date in any unambiguous form, in UTC, or null. */
export function timeOf(text: string): SheetCell | null {
  const iso = isoDate(text);
  if (iso?.kind === "date") return iso.unit === "day" ? { ...iso, unit: "second" } : iso;
  return dateCell(parseDate(text), "second");
}

/** Formats a date as ISO 8601 with its precision. */
export function isoText(at: number, unit: DateUnit): string {
  const text = new Date(at).toISOString();
  if (unit === "day") return text.slice(0, 10);
  return unit === "second" ? `${text.slice(0, 19)}Z` : text;
}

function dateCell(at: number | null, unit: DateUnit): SheetCell | null {
  return at === null || at < FIRST ? null : { kind: "date", at, unit };
}
