import type { PayloadValue } from "../../contract/inbound/payload.ts";
import type { InputType } from "../../contract/workflow.ts";
import { readInstant } from "../instant.ts";

/** A plain decimal that is spelled as numbers are: no leading zeros, no plus, no exponent. */
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** Significant digits that every double keeps. */
const SURE_DIGITS = 15;

/**
 * The value in the type of the input, where nothing is lost by it: a number or boolean as text, text
 * such as `12` or `true` as what it spells, epoch seconds or milliseconds as the time that they are. Any other value is returned as it is: `checkInputs` says
 * what is wrong with it. `007` stays text, since it is no number to whoever wrote it so.
 */
export function fitted(value: PayloadValue, type: InputType): PayloadValue {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return String(value);
  }
  if (type === "timestamp" && (typeof value === "number" || typeof value === "bigint")) {
    return isoOf(value) ?? value;
  }
  if (typeof value !== "string") return value;
  if (type === "number" || type === "integer") return spelledNumber(value.trim()) ?? value;
  if (type === "boolean") return { true: true, false: false }[value.trim()] ?? value;
  return value;
}

/** The epoch ends for `Date` in the year 275760. */
function isoOf(epoch: number | bigint): string | null {
  const date = new Date(readInstant(epoch) ?? Number.NaN);
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
