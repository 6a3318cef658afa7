import type { PayloadValue } from "../../../contract/inbound/payload.ts";

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
/** Digits beyond which no text is read as a number. */
const MAX_DIGITS = 1_000;

/** The text of a number: digits, at most one `.`, an exponent; no thousands separators, no units. */
export function isDecimal(text: string): boolean {
  return text.length <= MAX_DIGITS && DECIMAL.test(text);
}

/** A number, or the text of one, as the nearest double; null for anything else. */
export function toDouble(value: PayloadValue): number | null {
  const text = typeof value === "string" ? value.trim() : null;
  if (text !== null && !isDecimal(text)) return null;
  if (text === null && typeof value !== "number" && typeof value !== "bigint") return null;
  const number = Number(text ?? value);
  return Number.isFinite(number) ? number : null;
}
