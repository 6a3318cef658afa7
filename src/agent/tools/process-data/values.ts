import type { Json } from "../../../contract/json.ts";
import { currencyCode, groupsWithDot } from "../../../lib/currencies.ts";

/** Returns the cell as text: strings trimmed, null as the empty text, lists and objects as JSON. */
export function cellText(cell: Json): string {
  if (typeof cell === "string") return cell.trim();
  return cell === null ? "" : JSON.stringify(cell);
}

/** Whether the cell is null, blank text, or an empty list or object. */
export function isEmpty(cell: Json): boolean {
  if (cell === null) return true;
  if (typeof cell === "string") return cell.trim() === "";
  return typeof cell === "object" && Object.keys(cell).length === 0;
}

/** Returns the number that the cell is as a whole, or null. */
export function cellQuantity(cell: Json): Quantity | null {
  if (typeof cell === "string") return readQuantity(cell);
  if (typeof cell !== "number" || !Number.isFinite(cell)) return null;
  return { value: cell, decimals: decimalsOf(String(cell)), unit: "" };
}

/** Returns the date of the cell in milliseconds since the epoch, or null. */
export function cellDate(cell: Json): number | null {
  return typeof cell === "string" ? parseDate(cell) : null;
}

/** Returns the cell's text for comparison, without case and typographic variants. */
export function foldedText(cell: Json): string {
  return cellText(cell).normalize("NFKC").toLowerCase();
}

/** How a cell is read to be compared with others of its kind; null if it is none. */
export const READERS = {
  number: (cell: Json) => cellQuantity(cell)?.value ?? null,
  date: cellDate,
  text: foldedText,
};

/** Warns if numbers of different units were treated alike: dollars and euros, kg and lb. */
export function unitNotes(cells: readonly Json[], column: string): string[] {
  const units = new Set(cells.flatMap((cell) => cellQuantity(cell)?.unit || []));
  if (units.size < 2) return [];
  const names = [...units].map((unit) => `"${unit}"`).join(", ");
  return [`The values of ${column} have different units (${names}), which were ignored.`];
}

/** A number with its unit. */
export interface Quantity {
  value: number;
  /** The digits written behind the decimal point. */
  decimals: number;
  /** ISO currency code, `%`, or the unit in lower case; empty when there is none. */
  unit: string;
}

/** Longer text is prose or an identifier, not a number with a unit. */
const MAX_QUANTITY_LENGTH = 64;

/** A double holds whole numbers of 15 digits exactly; longer ones are identifiers. */
const MAX_WHOLE_DIGITS = 15;

const SHAPE =
  /^(?<open>\()?\s?(?<sign>[-+])?\s?(?<before>[^\d\s().,+-]{1,4})?\s?(?<inner>[-+])?(?<body>\.?\d(?:[\d.,' ]*\d)?)(?<exponent>e[-+]?\d{1,3})?(?<after>[^\d()]{0,24})(?<close>\))?$/iu;

/**
 * Parses text that is a number as a whole: "$1,200.50", "12 %", "3.5 kg", "(200)", "−5", "1.234,56 €".
 * Returns null for all else, including dates, identifiers and "12 million": a guess would invent a value.
 */
export function readQuantity(text: string): Quantity | null {
  if (text.length > MAX_QUANTITY_LENGTH) return null;
  const parts = SHAPE.exec(plainSigns(text))?.groups;
  if (!parts || Boolean(parts.open) !== Boolean(parts.close)) return null;
  const unit = unitOf(parts.before ?? "", parts.after?.trim() ?? "");
  const digits = unit === null ? null : plainDigits(parts.body ?? "", groupsWithDot(unit));
  const signs = [parts.open && "-", parts.sign, parts.inner].filter(Boolean);
  if (unit === null || digits === null || signs.length > 1) return null;
  const value = Number(`${signs[0] ?? ""}${digits}${parts.exponent ?? ""}`);
  if (!Number.isFinite(value)) return null;
  return { value, decimals: decimalsOf(`${digits}${parts.exponent ?? ""}`), unit };
}

/** Returns the number that a text is as a whole ("$1,200.50", "12 %", "(200)"), or null. */
export function parseNumber(text: string): number | null {
  return readQuantity(text)?.value ?? null;
}

/** Returns the decimals of a number as `String` writes it, such as `1.5` or `2e-7`. */
export function decimalsOf(digits: string): number {
  const [mantissa = "", exponent = "0"] = digits.toLowerCase().split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}

/** Rounds away what binary fractions add to a figure of decimal numbers: 0.1 + 0.2 is 0.3. */
export function rounded(value: number, decimals: number): number {
  return decimals > 100 ? value : Number(value.toFixed(decimals));
}

/** Replaces typographic spaces, apostrophes and minus signs by plain ones. */
function plainSigns(text: string): string {
  return text
    .trim()
    .replace(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replace(/\u2019/g, "'")
    .replace(/[\u2212\u2012\u2013\ufe63\uff0d]/g, "-");
}

const GROUPED_BY_COMMA = /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;
const GROUPED_BY_DOT = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const GROUPED_BY_GAP = /^[1-9]\d{0,2}([ '])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/;
const ONE_DOT_GROUP = /^[1-9]\d{0,2}\.\d{3}$/;
const DECIMAL_COMMA = /^(?:0|[1-9]\d*),\d+$/;
const PLAIN = /^\d*\.\d+$|^\d+$/;

/** Returns the digits without grouping and with a decimal point, or null if they are not a number. */
function plainDigits(body: string, dotGroups: boolean): string | null {
  const plain = ungrouped(body, dotGroups);
  return (plain?.split(".")[0]?.length ?? 0) > MAX_WHOLE_DIGITS ? null : plain;
}

function ungrouped(body: string, dotGroups: boolean): string | null {
  if (dotGroups && ONE_DOT_GROUP.test(body)) return body.replace(".", "");
  if (PLAIN.test(body)) return body;
  if (GROUPED_BY_COMMA.test(body)) return body.replaceAll(",", "");
  if (GROUPED_BY_DOT.test(body)) return body.replaceAll(".", "").replace(",", ".");
  if (GROUPED_BY_GAP.test(body)) return body.replace(/[ ']/g, "").replace(",", ".");
  return DECIMAL_COMMA.test(body) ? body.replace(",", ".") : null;
}

const UNIT = /^(?:[%‰"'$€£¥₹₩₽₺₴₪₫₱฿₦]|°|[A-Z]{1,2}\$|°?[\p{L}µ][\p{L}²³/]{0,19}\.?)$/u;
/** Marks that change the value or make it a time of day. */
const NOT_A_UNIT = /^(?:k|M|mn|B|bn|tn|thousand|[mb]illion|trillion|[AaPp]\.?[Mm]\.?)$/;

/** Returns the unit before or behind a number, or null: "$10 CAD" is in Canadian dollars. */
function unitOf(before: string, after: string): string | null {
  const currency = before === "" ? "" : currencyCode(before);
  if (currency === null || after === "") return currency;
  if (currency !== "") return currencyCode(after);
  if (!UNIT.test(after) || NOT_A_UNIT.test(after) || isMonth(after)) return null;
  return currencyCode(after) ?? after.toLowerCase();
}

const MONTHS =
  "january february march april may june july august september october november december";

/** Longer text is prose, not a date. */
const MAX_DATE_LENGTH = 48;

const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const MONTH = "(?<month>[a-z]{3,9})\\.?";
const YEAR = "(?<year>\\d{4})";
const TIME =
  "(?:[T ](?<time>\\d{2}:\\d{2}(?::\\d{2})?)(?:\\.\\d{1,9})?(?<zone>Z|[+-]\\d{2}:?\\d{2})?)?";

/** Only forms of one reading: 03/04/2024 is ambiguous, but with dots the day comes first everywhere. */
const FORMS = [
  `${YEAR}-(?<month>\\d{2})(?:-(?<day>\\d{2})${TIME})?`,
  `${DAY}[ -]${MONTH},?[ -]${YEAR}`,
  `${MONTH} ${DAY},? ${YEAR}`,
  `${MONTH} ${YEAR}`,
  `(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.${YEAR}`,
].map((form) => new RegExp(`^${form}$`, "i"));

/** Whether a word is an English month or its abbreviation ("Mar", "Sept."). */
export function isMonth(word: string): boolean {
  return monthNumber(word) !== null;
}

/**
 * Parses a date in an unambiguous form: ISO 8601 with or without a time, in UTC unless it has an offset;
 * or the day alone as `12 March 2024`, `Mar 12, 2024`, `March 2024` or `31.12.2024`. Returns milliseconds
 * since the epoch, or null.
 */
export function parseDate(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_DATE_LENGTH) return null;
  for (const form of FORMS) {
    const parts = form.exec(trimmed)?.groups;
    if (parts) return epochOf(parts);
  }
  return null;
}

function epochOf({ year, month, day, time, zone }: Record<string, string | undefined>) {
  const number = monthNumber(month ?? "");
  if (number === null) return null;
  const date = `${year}-${String(number).padStart(2, "0")}-${(day ?? "1").padStart(2, "0")}`;
  const midnight = Date.parse(`${date}T00:00Z`);
  // A day that the month does not have would be read as one of the next month.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null;
  const offset = (zone ?? "Z").toUpperCase().replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const at = time === undefined ? midnight : Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(at) ? null : at;
}

function monthNumber(word: string): number | null {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const name = word.toLowerCase().replace(/\.$/, "");
  if (name === "sept") return 9;
  const index = MONTHS.split(" ").findIndex(
    (month) => name === month || name === month.slice(0, 3),
  );
  return index < 0 ? null : index + 1;
}
