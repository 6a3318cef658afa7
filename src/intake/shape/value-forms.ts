import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { FORMATS } from "../../lib/json-schema/formats.ts";
import type { Form, ShapeType } from "./profile.ts";

/** Returns the type of a value. A whole number beyond a double is an integer. */
export function typeOf(value: PayloadValue): ShapeType {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return Array.isArray(value) ? "array" : "object";
  }
}

/** Returns the forms among these that a value fits; null unless it is text or a number. */
export function formsOf(value: PayloadValue, among: readonly Form[]): Form[] | null {
  if (typeof value === "string") return among.filter((form) => fits(value, form));
  if (typeof value === "number") return among.filter((form) => NUMBER_TESTS[form]?.(value));
  return typeof value === "bigint" ? [] : null;
}

/** Whether a text fits a form. */
function fits(text: string, form: Form): boolean {
  return text.length <= LONGEST && TEXT_TESTS[form]?.(text) === true;
}

/** Longer text has none of these forms. */
const LONGEST = 100;

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

const TEXT_TESTS: { [form in Form]?: ((text: string) => boolean) | undefined } = {
  // The validator of the learned schema asks the same.
  "date-time": FORMATS.get("date-time"),
  date: FORMATS.get("date"),
  uuid: FORMATS.get("uuid"),
  "integer-text": (text) => INTEGER.test(text),
  "number-text": (text) => NUMBER.test(text),
  "boolean-text": (text) => text === "true" || text === "false",
};

/** From 2001-09-09 to 2096-10-02 as seconds: an id or an amount is rarely of this size. */
const SECONDS = { from: 1_000_000_000, to: 4_000_000_000 };

const NUMBER_TESTS: { [form in Form]?: (number: number) => boolean } = {
  "epoch-seconds": (number) => isWithin(number, 1),
  "epoch-ms": (number) => isWithin(number, 1_000),
};

function isWithin(number: number, perSecond: number): boolean {
  const seconds = number / perSecond;
  return Number.isInteger(number) && seconds >= SECONDS.from && seconds < SECONDS.to;
}
