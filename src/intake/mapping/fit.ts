import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import type { InputType } from "../../contract/workflow.ts";
import { isIsoInstant, readInstant } from "../../lib/instants.ts";

/** A decimal as JSON writes it, without an exponent: no leading zeros, no plus. */
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** Significant digits that every double keeps. */
const SURE_DIGITS = 15;
/** The end of a time that says its offset; without one it could be any zone's. */
const OFFSET = /(?:z|utc|gmt|[+-]\d{2}:?(?:\d{2})?)(?:\s*\([^()]*\))?$/i;

/**
 * Converts a value to the type of its input if nothing is lost: numbers and booleans to text, text such
 * as `12` or `true` to its value, the epoch and times with an offset to ISO 8601. Other values are returned
 * unchanged, for `checkInputs` to refuse. `007` stays text, since its sender did not write a number.
 */
export function fitted(value: PayloadValue, type: InputType): PayloadValue {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return String(value);
  }
  if (type === "timestamp" && (typeof value === "number" || typeof value === "bigint")) {
    return isoOf(value) ?? value;
  }
  if (typeof value !== "string") return value;
  if (type === "timestamp") return fittedTime(value);
  if (type === "number" || type === "integer") return spelledNumber(value.trim()) ?? value;
  if (type === "boolean") return { true: true, false: false }[value.trim()] ?? value;
  return value;
}

function fittedTime(text: string): string {
  return isIsoInstant(text) || !OFFSET.test(text.trim()) ? text : (isoOf(text) ?? text);
}

/** Returns null beyond the year 275760, where `Date` ends. */
function isoOf(time: number | bigint | string): string | null {
  const date = new Date(readInstant(time) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function spelledNumber(text: string): number | bigint | null {
  const fraction = PLAIN.exec(text);
  if (fraction === null) return null;
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "");
  const number = Number(text);
  if (digits.length <= SURE_DIGITS || String(number) === text) return number;
  return fraction[1] === undefined ? BigInt(text) : null;
}
