import type { Json } from "../../../contract/json.ts";
import type { Table } from "../../../contract/outputs.ts";
import { counted } from "../../../lib/text.ts";
import { isMoney, parseDate, readQuantity, rounded } from "../process-data/values.ts";
import { cutAt } from "../text.ts";

/** A typed cell. */
export interface SheetCell {
  value: string | number | boolean | Date | null;
  /** The Excel number format; absent where the general one shows what was written. */
  format?: string;
  /** The target of the link that the text is. */
  url?: string;
}

const EMPTY: SheetCell = { value: null };

/**
 * Types a column's values. One identifier in it makes the other whole numbers of it identifiers too: a
 * column of codes in which only those with a leading zero are text could neither be sorted nor looked up.
 */
export function readColumn(values: readonly Json[]): SheetCell[] {
  const hasIdentifiers = values.some((value) => isDigits(value) && isIdentifier(value.trim()));
  return values.map((value) => (hasIdentifiers && isDigits(value) ? { value } : readAuto(value)));
}

/** Types a value if its type is unambiguous, else as text. */
export function readAuto(value: Json): SheetCell {
  if (typeof value !== "string") return readPlain(value);
  if (/^(?:true|false)$/i.test(value)) return { value: value.length === 4 };
  return linkOf(value) ?? isoDate(value) ?? unambiguousNumber(value) ?? readPlain(value);
}

/** Types a value by its JSON type; lists and objects become JSON text. */
function readPlain(value: Json): SheetCell {
  if (value === "") return EMPTY;
  if (typeof value === "number") return plainNumber(value) ?? { value: String(value) };
  return { value: typeof value === "object" && value !== null ? JSON.stringify(value) : value };
}

function isDigits(value: Json): value is string {
  return typeof value === "string" && /^\d+$/.test(value.trim());
}

/** The significant digits that a spreadsheet keeps. */
const MAX_DIGITS = 15;
/** A number with more whole digits is displayed as 1.2E+11 unless it has a format. */
const MAX_GENERAL_DIGITS = 11;
/** Excel's largest and smallest positive numbers. */
const LARGEST = 9.99999999999999e307;
const SMALLEST = 2.2250738585072014e-308;

/** Whether digits are an identifier: with a leading zero, or longer than a number. */
function isIdentifier(digits: string): boolean {
  return /^0\d/.test(digits) || new RegExp(`^\\d{${MAX_GENERAL_DIGITS + 1},}$`).test(digits);
}

/** Returns the cell of a JSON number, or null if a spreadsheet would change it. */
function plainNumber(value: number): SheetCell | null {
  const size = Math.abs(value);
  if (size > LARGEST || (size < SMALLEST && size > 0) || !Number.isFinite(value)) return null;
  if (!Number.isInteger(value) || size >= 1e21 || size < 10 ** MAX_GENERAL_DIGITS) return { value };
  return size < 10 ** MAX_DIGITS ? { value, format: "0" } : null;
}

const NUMBER =
  /^[-\u2212]?(?<before>[^\d\s().,+\u2212-]{0,4}) ?(?<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?<fraction>\d+))?(?<after>[^\d+()]{0,8})$/u;

/**
 * Returns the number that a text unambiguously is, with a format that displays it as written, or null.
 * Texts that could be something else stay texts: `00123` and `4006381333931` are identifiers,
 * `555 123 456` a telephone number, `(200)` a reference. So do numbers with a unit, which a cell would lose.
 */
function unambiguousNumber(text: string): SheetCell | null {
  const {
    before = "",
    whole = "",
    fraction = "",
    after = "",
  } = NUMBER.exec(text.trim())?.groups ?? {};
  const quantity = whole === "" ? null : readQuantity(text);
  if (quantity === null || isIdentifier(whole) || Object.is(quantity.value, -0)) return null;
  if (`${whole}${fraction}`.replaceAll(",", "").length > MAX_DIGITS) return null;
  const { value, unit } = quantity;
  const isGrouped = whole.includes(",");
  const digits = isGrouped ? "#,##0" : "0";
  if (unit === "%") return percentage(value, fraction.length, digits);
  if (unit !== "" && !isMoney(unit)) return null;
  if (before + after === "" && !isGrouped && !fraction.endsWith("0")) return { value };
  const format = literal(before) + digits + decimalPlaces(fraction.length) + literal(after);
  return { value, format };
}

function percentage(value: number, decimals: number, digits: string): SheetCell {
  return {
    value: rounded(value / 100, decimals + 2),
    format: `${digits}${decimalPlaces(decimals)}%`,
  };
}

function decimalPlaces(count: number): string {
  return count === 0 ? "" : `.${"0".repeat(count)}`;
}

function literal(text: string): string {
  return text === "" ? "" : `"${text}"`;
}

/** The longest link target that Excel accepts. */
const MAX_URL = 2_079;

function linkOf(text: string): SheetCell | null {
  const address = text.trim();
  if (!/^https?:\/\/\S+$/i.test(address)) return null;
  const url = URL.parse(address)?.href;
  return url === undefined || url.length > MAX_URL ? null : { value: text, url };
}

/**
 * Excel counts days from 1900 and includes a 29 February 1900, so that it agrees with other programs
 * only from March 1900. Earlier dates stay text.
 */
const FIRST = Date.UTC(1900, 2, 1);
const DAY_MS = 86_400_000;
const DAY_FORMAT = "yyyy-mm-dd";

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)Z?)?$/;

/**
 * Returns the date of an ISO 8601 text in UTC or without a zone, or null. Another offset would display
 * another time than written, and a precision below milliseconds would be lost.
 */
function isoDate(text: string): SheetCell | null {
  const [, day, time] = ISO.exec(text.trim()) ?? [];
  if (day === undefined || parseDate(text) === null) return null;
  return dateCell(Date.parse(time === undefined ? day : `${day}T${time}Z`));
}

function dateCell(at: number): SheetCell | null {
  if (at < FIRST) return null;
  const clock = at % 1000 === 0 ? " hh:mm:ss" : " hh:mm:ss.000";
  return { value: new Date(at), format: at % DAY_MS === 0 ? DAY_FORMAT : `${DAY_FORMAT}${clock}` };
}

/** Returns a cell's value without its format; a date as ISO 8601. */
export function plainValue({ value, format }: SheetCell): string | number | boolean | null {
  if (!(value instanceof Date)) return value;
  const text = value.toISOString();
  return format === DAY_FORMAT ? text.slice(0, DAY_FORMAT.length) : text.replace(".000Z", "Z");
}

/** The most characters of an Excel cell. */
export const MAX_CELL_TEXT = 32_767;

/**
 * Characters that XML 1.0 (§2.2) forbids: controls except tab and line breaks, lone surrogates, U+FFFE
 * and U+FFFF.
 */
const FORBIDDEN = /(?![\t\n\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

/** Converts a text for a cell: plain line feeds, no characters forbidden in XML, not too long. */
export function toCellText(text: string): string {
  return cutAt(text.replace(/\r\n?/g, "\n").replace(FORBIDDEN, ""), MAX_CELL_TEXT);
}

/** Rows to write, each with a value for every column. */
export interface Rows extends Table {
  /** The line below the rows that says that their source was cut; null for a whole source. */
  caveat: string | null;
}

/** A sheet to write, with typed cells in rows. */
export interface Sheet extends Pick<Rows, "columns" | "caveat"> {
  rows: SheetCell[][];
  /** Notes on a line below the rows, and on texts that could not be kept. */
  notes: string[];
}

/** Types every value; texts longer than `maxText` characters are noted. */
export function typedSheet({ columns, rows, caveat }: Rows, maxText: number): Sheet {
  const typed = columns.map((_, index) => readColumn(rows.map((row) => row[index] ?? null)));
  const grid = rows.map((_, row) => typed.flatMap((cells) => cells[row] ?? []));
  const long = grid.flat().filter(({ value, url }) => {
    return typeof value === "string" && url === undefined && value.length > maxText;
  }).length;
  const notes = caveatNotes(caveat);
  if (long > 0)
    notes.push(
      `${counted(long, "text")} ${long === 1 ? "was" : "were"} cut to the ${maxText} characters of a cell.`,
    );
  return { columns, rows: grid, caveat, notes };
}

/** Returns what the answer says of the line below the rows. */
export function caveatNotes(caveat: string | null): string[] {
  return caveat === null ? [] : [`Below the rows is: "${caveat}"`];
}
