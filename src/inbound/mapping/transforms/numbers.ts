import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { isDecimal, toDouble } from "./decimal.ts";
import { made, type TransformOf, unfit } from "./outcome.ts";

const WHOLE = /^[+-]?\d+(?:\.0*)?$/;

/** A number stays; text such as `12`, `-0.5` or `1e3` becomes one. Nothing else is taken for a number. */
export const number: TransformOf<"number"> = (value) => {
  const double = toDouble(value);
  return double === null ? unfit(value, "a number or the text of one") : made(double);
};

/** As `number`, for whole numbers, which keep all their digits. Fractions are refused, not rounded. */
export const integer: TransformOf<"integer"> = (value) => {
  const whole = toWhole(value);
  return whole === null ? unfit(value, "a whole number or the text of one") : made(whole);
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
