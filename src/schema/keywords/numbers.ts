import type { Json } from "../../contract/json.ts";
import { numberOf } from "../shape.ts";
import type { Keyword } from "./keyword.ts";

/** Keywords of numbers. */
export const NUMBER_KEYWORDS: Record<string, Keyword> = {
  minimum: bound("minimum", "must not be less than", (value, limit) => value >= limit),
  maximum: bound("maximum", "must not be more than", (value, limit) => value <= limit),
  exclusiveMinimum: bound("exclusiveMinimum", "must be more than", (value, limit) => value > limit),
  exclusiveMaximum: bound("exclusiveMaximum", "must be less than", (value, limit) => value < limit),
  multipleOf: bound("multipleOf", "must be a multiple of", isMultiple),
};

function bound(
  rule: string,
  words: string,
  holds: (value: number, limit: number) => boolean,
): Keyword {
  return (held: Json) => {
    const limit = numberOf(held);
    const message = `${words} ${limit}`;
    return (value, at, run) =>
      typeof value !== "number" || holds(value, limit) || run.report(at, rule, message);
  };
}

/** In decimals, as both were written: 0.3 is a multiple of 0.1 although its double is not. */
function isMultiple(value: number, divisor: number): boolean {
  const [digits, exponent] = decimalOf(value);
  const [divisorDigits, divisorExponent] = decimalOf(divisor);
  const lowest = Math.min(exponent, divisorExponent);
  const scaled = digits * 10n ** BigInt(exponent - lowest);
  return scaled % (divisorDigits * 10n ** BigInt(divisorExponent - lowest)) === 0n;
}

/** A number as digits times a power of ten. */
function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
