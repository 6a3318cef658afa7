import { currencyCode, groupsWithDot } from "../../../../lib/currencies.ts";
import { isMonth } from "./dates.ts";

/** A number with its unit. */
export interface Quantity {
  value: number;
  /** The same number exactly, as `-?digits(.digits)?(e-?digits)?`. */
  digits: string;
  /** ISO currency code, `%`, or the unit in lower case; empty when there is none. */
  unit: string;
}

/** Longer text is prose or an identifier, not a number with a unit. */
const MAX_LENGTH = 64;

/** A double holds whole numbers of 15 digits exactly; longer ones are identifiers. */
const MAX_WHOLE_DIGITS = 15;

const SHAPE =
  /^(?<open>\()?\s?(?<sign>[-+])?\s?(?<before>[^\d\s().,+-]{1,4})?\s?(?<inner>[-+])?(?<body>\.?\d(?:[\d.,' ]*\d)?)(?<exponent>e[-+]?\d{1,3})?(?<after>[^\d()]{0,24})(?<close>\))?$/iu;

/**
 * Parses text that is a number as a whole: "$1,200.50", "12 %", "3.5 kg", "(200)", "−5", "1.234,56 €",
 * "12.3k". Returns null for all else, including dates and identifiers: a guess would invent a value.
 */
export function readQuantity(text: string): Quantity | null {
  if (text.length > MAX_LENGTH) return null;
  const parts = SHAPE.exec(plainSigns(text))?.groups;
  if (!parts || Boolean(parts.open) !== Boolean(parts.close)) return null;

  const prefix = parts.before ? currencyCode(parts.before) : "";
  const tail = readTail(parts.after ?? "", Boolean(prefix));
  if (prefix === null || tail === null) return null;

  const unit = mergeUnits(prefix, tail.unit);
  const plain = unit === null ? null : plainDigits(parts.body ?? "", groupsWithDot(unit));
  if (unit === null || plain === null) return null;

  const signs = [parts.open && "-", parts.sign, parts.inner].filter(Boolean);
  if (signs.length > 1) return null;
  const exponent = Number(parts.exponent?.slice(1) ?? 0) + tail.power;
  const digits = `${signs[0] === "-" ? "-" : ""}${plain}${exponent === 0 ? "" : `e${exponent}`}`;
  const value = Number(digits);
  return Number.isFinite(value) ? { value, digits, unit } : null;
}

/** Returns the number that a text is as a whole ("$1,200.50", "12 %", "(200)"), or null. */
export function parseNumber(text: string): number | null {
  return readQuantity(text)?.value ?? null;
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
  if (plain === null) return null;
  const whole = plain.split(".")[0] ?? "";
  if (whole.length > MAX_WHOLE_DIGITS) return null;
  return whole === "" ? `0${plain}` : plain;
}

function ungrouped(body: string, dotGroups: boolean): string | null {
  if (dotGroups && ONE_DOT_GROUP.test(body)) return body.replace(".", "");
  if (PLAIN.test(body)) return body;
  if (GROUPED_BY_COMMA.test(body)) return body.replaceAll(",", "");
  if (GROUPED_BY_DOT.test(body)) return body.replaceAll(".", "").replace(",", ".");
  if (GROUPED_BY_GAP.test(body)) return body.replace(/[ ']/g, "").replace(",", ".");
  return DECIMAL_COMMA.test(body) ? body.replace(",", ".") : null;
}

const MAGNITUDES: readonly { pattern: RegExp; power: number }[] = [
  { pattern: /^(?:k| ?thousand)$/i, power: 3 },
  { pattern: /^(?:M|mn| ?million)$/, power: 6 },
  { pattern: /^(?:B|bn| ?billion)$/, power: 9 },
  { pattern: /^(?:tn| ?trillion)$/, power: 12 },
];
const MONEY_MAGNITUDE = /^(?: ?m)$/;
const UNIT = /^(?:[%‰"'$€£¥₹₩₽₺₴₪₫₱฿₦]|°|[A-Z]{1,2}\$|°?[\p{L}µ][\p{L}²³/]{0,19}\.?)$/u;
const CLOCK = /^[ap]\.?m\.?$/i;

/** Parses the text after the digits: a power of ten, a unit, or both ("million USD"). */
function readTail(after: string, money: boolean): { power: number; unit: string } | null {
  const text = after.trimEnd();
  if (text === "") return { power: 0, unit: "" };
  const whole = powerOf(text, money);
  if (whole !== null) return { power: whole, unit: "" };

  const gap = text.lastIndexOf(" ");
  const last = text.slice(gap + 1);
  const power = gap > 0 ? powerOf(text.slice(0, gap), money || currencyCode(last) !== null) : 0;
  if (power === null || !UNIT.test(last) || CLOCK.test(last) || isMonth(last)) return null;
  return { power, unit: currencyCode(last) ?? last.toLowerCase() };
}

function powerOf(text: string, money: boolean): number | null {
  if (money && MONEY_MAGNITUDE.test(text)) return 6;
  return MAGNITUDES.find(({ pattern }) => pattern.test(text))?.power ?? null;
}

/** Merges two units. "$10 CAD" is in Canadian dollars: the code after the amount is more precise. */
function mergeUnits(prefix: string, suffix: string): string | null {
  if (prefix === "" || suffix === "") return prefix || suffix;
  return currencyCode(suffix);
}

/** A decimal number without rounding: `units / 10^scale`. */
export interface Decimal {
  units: bigint;
  scale: number;
}

const ZERO: Decimal = { units: 0n, scale: 0 };

/** Additional decimals of a mean. */
const MEAN_DECIMALS = 10;

/** Parses `-?digits(.digits)?(e-?digits)?`, the form of `String(number)` and of `Quantity.digits`. */
export function decimalOf(digits: string): Decimal {
  const [mantissa = "0", exponent = "0"] = digits.split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** Returns the exact sum. */
export function sumOf(values: readonly Decimal[]): Decimal {
  const scale = values.reduce((most, value) => Math.max(most, value.scale), 0);
  const units = values.reduce((sum, value) => sum + atScale(value, scale), 0n);
  return values.length === 0 ? ZERO : { units, scale };
}

/** Returns the mean of at least one value, rounded half away from zero, with ten more decimals. */
export function meanOf(values: readonly Decimal[]): Decimal {
  const sum = sumOf(values);
  const scale = sum.scale + MEAN_DECIMALS;
  const units = atScale(sum, scale);
  const count = BigInt(values.length);
  const half = units < 0n ? -count : count;
  return { units: (units * 2n + half) / (count * 2n), scale };
}

/** Returns the nearest double, or null if it is too large. */
export function decimalToNumber({ units, scale }: Decimal): number | null {
  const value = Number(`${units}e-${scale}`);
  return Number.isFinite(value) ? value : null;
}

function atScale(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}
