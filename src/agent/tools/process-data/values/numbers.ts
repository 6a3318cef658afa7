import { currencyCode, groupsWithDot } from "./currencies.ts";
import { isMonth } from "./dates.ts";

/** A number read from text. */
export interface Quantity {
  value: number;
  /** The same number exactly, as `-?digits(.digits)?(e-?digits)?`. */
  digits: string;
  /** ISO currency code, `%`, or the unit in lower case; empty when there is none. */
  unit: string;
}

/** Longer text is prose or an identifier, never a number with a unit. */
const MAX_LENGTH = 64;

/** A double tells whole numbers of up to 15 digits apart; longer ones are identifiers. */
const MAX_WHOLE_DIGITS = 15;

const SHAPE =
  /^(?<open>\()?\s?(?<sign>[-+])?\s?(?<before>[^\d\s().,+-]{1,4})?\s?(?<inner>[-+])?(?<body>\.?\d(?:[\d.,' ]*\d)?)(?<exponent>e[-+]?\d{1,3})?(?<after>[^\d()]{0,24})(?<close>\))?$/iu;

/**
 * Reads text that is a number as a whole: "$1,200.50", "12 %", "3.5 kg", "(200)", "−5", "1.234,56 €",
 * "12.3k". Null for everything else, dates and identifiers included: a guess would be an invented value.
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

/** The number that a text is as a whole ("$1,200.50", "12 %", "(200)"), or null when it is none. */
export function parseNumber(text: string): number | null {
  return readQuantity(text)?.value ?? null;
}

/** Makes typographic spaces, apostrophes and a leading minus plain. */
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

/** Digits without grouping and with a decimal point; null when the separators make no number. */
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

/** What follows the digits: a power of ten, a unit, or both ("million USD"). */
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

/** "$10 CAD" is in Canadian dollars: the code after the amount is the more exact of two. */
function mergeUnits(prefix: string, suffix: string): string | null {
  if (prefix === "" || suffix === "") return prefix || suffix;
  return currencyCode(suffix);
}
