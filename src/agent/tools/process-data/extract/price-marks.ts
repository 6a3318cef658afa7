import { CODE_PATTERN, SYMBOL_PATTERN } from "../values/currencies.ts";
import { readQuantity } from "../values/numbers.ts";

/** A price inside a text. */
export interface PriceMark {
  price: number;
  currency: string;
  /** Where it starts and ends in the text, in UTF-16 units. */
  start: number;
  end: number;
}

const NARROW_GAP = "[\\u00a0\\u2009\\u202f]";
const MARK = `(?:${SYMBOL_PATTERN}|(?:${CODE_PATTERN})(?![\\p{L}\\p{N}]))`;
const AFTER = `(?:${SYMBOL_PATTERN}|(?:${CODE_PATTERN}))(?![\\p{L}\\p{N}])`;
const POWER = "(?: ?(?:million|billion)|[kKmMB]|mn|bn)(?![\\p{L}\\p{N}])";
const END = "(?![\\d]|[.,]\\d)";
/** A plain space groups thousands only where a decimal comma or the currency confirms it. */
const SPACED = `\\d{1,3}(?: \\d{3}){1,4}`;
const AMOUNT = `(?:${SPACED},\\d{2}|\\d{1,3}(?:(?:[,.']|${NARROW_GAP})\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,12}(?:[.,]\\d{1,4})?|\\.\\d{1,2})${END}`;

/**
 * An amount with its currency before or after it. Every repetition is bounded and a match starts only
 * where no word or number is under way, so the time is linear in the text.
 */
const PRICE = new RegExp(
  [
    `(?<![\\p{L}\\p{N}$])${MARK}\\s?${AMOUNT}(?:${POWER})?(?: ?(?:${CODE_PATTERN})(?![\\p{L}\\p{N}]))?`,
    `(?<![\\p{L}\\p{N}.,])(?:${SPACED}(?:,\\d{1,2})?|${AMOUNT})(?:${POWER})?\\s?${AFTER}`,
  ].join("|"),
  "gu",
);

/** Every price of a text, in order. A number without a currency is none. */
export function pricesIn(text: string): PriceMark[] {
  return [...text.matchAll(PRICE)].flatMap((match) => {
    const [written] = match;
    const quantity = readQuantity(written);
    if (!quantity || !/^[A-Z]{3}$/.test(quantity.unit)) return [];
    const { value: price, unit: currency } = quantity;
    return { price, currency, start: match.index, end: match.index + written.length };
  });
}
