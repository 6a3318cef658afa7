import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { success, type TransformOf, wrongType } from "./outcome.ts";

const WHOLE = /^[+-]?\d+(?:\.0*)?$/;

/** Converts text such as `12`, `-0.5` or `1e3` to a number. */
export const number: TransformOf<"number"> = (value) => {
  const double = toDouble(value);
  return double === null ? wrongType(value, "a number or its text") : success(double);
};

/** Converts text to a whole number with all its digits. Fractions are refused, not rounded. */
export const integer: TransformOf<"integer"> = (value) => {
  const whole = toWhole(value);
  return whole === null ? wrongType(value, "a whole number or its text") : success(whole);
};

function toWhole(value: PayloadValue): number | bigint | null {
  if (typeof value === "bigint") return value;
  const text = typeof value === "string" ? value.trim() : String(value);
  const double = toDouble(value);
  if (double === null || !isDecimal(text) || !Number.isInteger(double)) return null;
  if (Number.isSafeInteger(double) || !WHOLE.test(text)) return double;
  const exact = BigInt(text.replace(/^\+|\..*$/g, ""));
  return String(exact) === String(double) ? double : exact;
}

const WORDS = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
]);

/** Converts true/false, yes/no, on/off (a form's checkbox) and 1/0, in any case, to a boolean. */
export const boolean: TransformOf<"boolean"> = (value) => {
  if (typeof value === "boolean") return success(value);
  const word =
    typeof value === "object" ? undefined : WORDS.get(String(value).trim().toLowerCase());
  return word === undefined ? wrongType(value, "true/false, yes/no, on/off or 1/0") : success(word);
};

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
/** Longer text is not a number. */
const MAX_DIGITS = 1_000;

/** Whether a text is a number: digits, at most one `.`, an exponent; no thousands separators or units. */
function isDecimal(text: string): boolean {
  return text.length <= MAX_DIGITS && DECIMAL.test(text);
}

/** Returns the nearest double of a number or its text; null for other values. */
export function toDouble(value: PayloadValue): number | null {
  const text = typeof value === "string" ? value.trim() : null;
  if (text !== null && !isDecimal(text)) return null;
  if (text === null && typeof value !== "number" && typeof value !== "bigint") return null;
  const number = Number(text ?? value);
  return Number.isFinite(number) ? number : null;
}
