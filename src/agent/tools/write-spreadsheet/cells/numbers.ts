import { currencyCode, groupsWithDot } from "../../process-data/values/currencies.ts";
import { decimalOf, decimalToNumber } from "../../process-data/values/decimals.ts";
import { type Quantity, readQuantity } from "../../process-data/values/numbers.ts";
import type { SheetCell } from "./cell.ts";

/** Digits that a spreadsheet keeps of a number. */
const MAX_DIGITS = 15;
/** A number of more whole digits is shown as 1.2E+11 unless its format says otherwise. */
const MAX_GENERAL_DIGITS = 11;
/** Excel's largest number and the smallest one besides zero. */
const LARGEST = 9.99999999999999e307;
const SMALLEST = 2.2250738585072014e-308;

const SHAPE =
  /^[-\u2212]?(?<before>[^\d\s().,+\u2212-]{0,4}) ?[-\u2212]?(?<body>\.?\d(?:[\d.,'\u2019\s]*\d)?)(?<after>[^\d+()]*)$/u;

/** A JSON number; null when a spreadsheet would keep another one. */
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
 * The number that a text is beyond doubt, with a format that shows it as it was written. Texts that
 * could be something else stay texts: `00123` and `4006381333931` are identifiers, `555 123 456` a
 * telephone number, `1.234.567` a version, `(200)` a reference, `1.234 €` one thousand or a bit more
 * than one. Neither is a number with a unit, as a cell would lose the unit.
 */
export function certainNumber(text: string): SheetCell | null {
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

/** The number that a text is by any reading; "12 %" is 0.12. */
export function anyNumber(text: string): SheetCell | null {
  const quantity = readQuantity(text);
  if (!quantity || significantDigits(quantity) > MAX_DIGITS) return null;
  if (quantity.unit === "%") return percentage(quantity, "");
  return plainNumber(quantity.value);
}

/** Whether a text of digits names a thing: with a leading zero, or longer than numbers are. */
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

/** None where the general format shows the same. */
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
