import type { Json } from "../../../contract/json.ts";

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
  /** The currency as written, `%`, or the unit in lower case; empty when there is none. */
  unit: string;
}

/** Longer text is prose or an identifier, not a number with a unit. */
const MAX_QUANTITY_LENGTH = 64;

/** A double holds whole numbers of 15 digits exactly; longer ones are identifiers. */
const MAX_WHOLE_DIGITS = 15;

const CURRENCY = "[A-Z]{0,2}\\p{Sc}|USD|EUR|GBP|JPY|CNY|INR|CAD|AUD|CHF";
const SHAPE = new RegExp(
  `^(?<sign>[-+])?(?<before>(?:${CURRENCY}) ?)?(?<inner>[-+])?(?<whole>[1-9]\\d{0,2}(?:,\\d{2,3})*,\\d{3}|\\d*)` +
    "(?<fraction>\\.\\d+)?(?<exponent>[eE][-+]?\\d{1,3})?(?<after>[^\\d()]{0,24})$",
  "u",
);
const MONEY = new RegExp(`^(?:${CURRENCY})$`, "u");
const UNIT = /^(?:[%‰"']|°|°?[\p{L}µ][\p{L}²³/]{0,19}\.?)$/u;
/** Marks that change the value, or make it a time of day or a date. */
const NOT_A_UNIT = /^(?:k|M|mn|B|bn|tn|thousand|[mb]illion|trillion|[AaPp]\.?[Mm]\.?)$/;
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/i;

/** Whether a unit is a currency. */
export function isMoney(unit: string): boolean {
  return MONEY.test(unit);
}

/**
 * Parses text that is a number as a whole: "$1,200.50", "12 %", "3.5 kg", "−5". Returns null for all else,
 * including dates, identifiers, "12 million", decimal commas, and "1.234 €", which may be one thousand or
 * just over one: a guess would invent a value.
 */
export function readQuantity(text: string): Quantity | null {
  if (text.length > MAX_QUANTITY_LENGTH) return null;
  const parts = SHAPE.exec(plainSigns(text))?.groups;
  if (!parts) return null;
  const { whole = "", fraction = "", exponent = "" } = parts;
  const unit = unitOf(parts.before?.trim() ?? "", parts.after?.trim() ?? "");
  const isAmbiguous = unit !== null && isMoney(unit) && /^\.\d{3}$/.test(fraction);
  const signs = [parts.sign, parts.inner].filter(Boolean);
  if (unit === null || isAmbiguous || signs.length > 1 || whole + fraction === "") return null;
  const plain = whole.replaceAll(",", "");
  if (plain.length > MAX_WHOLE_DIGITS) return null;
  const digits = `${plain}${fraction}${exponent}`;
  const value = Number(`${signs[0] ?? ""}${digits}`);
  return Number.isFinite(value) ? { value, decimals: decimalsOf(digits), unit } : null;
}

/** Returns the decimals of a number as `String` writes it, such as `1.5` or `2e-7`. */
export function decimalsOf(digits: string): number {
  const [mantissa = "", exponent = "0"] = digits.toLowerCase().split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}

/** Adds numbers of so many decimals as whole ones: over many rows, doubles would lose cents. */
export function sumOf(values: readonly number[], decimals: number): number {
  // Other numbers are written with an exponent.
  const isPlain = decimals <= 100 && values.every((value) => Math.abs(value) < 1e21);
  if (!isPlain) return values.reduce((all, value) => all + value, 0);
  const units = values.map((value) => BigInt(value.toFixed(decimals).replace(".", "")));
  return Number(`${units.reduce((all, unit) => all + unit, 0n)}e-${decimals}`);
}

/** Rounds away what binary fractions add to a figure of decimal numbers: 0.1 + 0.2 is 0.3. */
export function rounded(value: number, decimals: number): number {
  return decimals > 100 ? value : Number(value.toFixed(decimals));
}

/** Replaces typographic spaces and minus signs by plain ones. */
function plainSigns(text: string): string {
  return text
    .trim()
    .replace(/[\u00a0\u2009\u202f]/g, " ")
    .replace(/[\u2212\u2013]/g, "-");
}

/** Returns the unit before or behind a number, or null for a mark that is none. */
function unitOf(before: string, after: string): string | null {
  if (after === "" || before !== "") return after === "" ? before : null;
  if (isMoney(after)) return after;
  return UNIT.test(after) && !NOT_A_UNIT.test(after) && !MONTH.test(after)
    ? after.toLowerCase()
    : null;
}

const ISO_DATE =
  /^(\d{4}-\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?)?$/i;

/** Parses an ISO 8601 date, with or without a time, in UTC unless it has an offset, to epoch milliseconds, or null. */
export function parseDate(text: string): number | null {
  const [, month, day = "01", time, zone = "Z"] = ISO_DATE.exec(text.trim()) ?? [];
  if (month === undefined) return null;
  const date = `${month}-${day}`;
  const midnight = Date.parse(`${date}T00:00Z`);
  // A day that the month does not have would be read as one of the next month.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null;
  const offset = zone.toUpperCase().replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const at = time === undefined ? midnight : Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(at) ? null : at;
}
