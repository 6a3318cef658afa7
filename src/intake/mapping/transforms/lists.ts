import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { MAX_JSON_VALUES } from "../../../lib/json-size.ts";
import {
  failure,
  MAX_TEXT_LENGTH,
  success,
  type Transformed,
  type TransformOf,
  wrongType,
} from "./outcome.ts";

/** Splits text at each separator; pieces are not trimmed, and empty ones stay. */
export const split: TransformOf<"split"> = (value, { separator }) => {
  if (typeof value !== "string") return wrongType(value, "text");
  const pieces = value.split(separator, MAX_JSON_VALUES + 1);
  if (pieces.length <= MAX_JSON_VALUES) return success(pieces);
  return failure(`has more than ${MAX_JSON_VALUES} parts`);
};

/** Joins the elements of an array: text, numbers and booleans. */
export const join: TransformOf<"join"> = (value, { separator }) => {
  if (!Array.isArray(value)) return wrongType(value, "an array");
  const nested = value.findIndex((element) => element === null || typeof element === "object");
  if (nested !== -1)
    return failure(
      `must contain only text, numbers and booleans; element [${nested}] is none of them`,
    );
  const texts = value.map(String);
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  if (length > MAX_TEXT_LENGTH) return failure(`becomes longer than ${MAX_TEXT_LENGTH} characters`);
  return success(texts.join(separator));
};

export const first: TransformOf<"first"> = (value) => elementOf(value, 0);

export const last: TransformOf<"last"> = (value) => elementOf(value, -1);

/** Counts the elements of an array, or the characters (code points) of a text. */
export const length: TransformOf<"length"> = (value) => {
  if (Array.isArray(value)) return success(value.length);
  return typeof value === "string"
    ? success(codePoints(value))
    : wrongType(value, "an array or text");
};

function elementOf(value: PayloadValue, at: 0 | -1): Transformed {
  if (!Array.isArray(value)) return wrongType(value, "an array");
  const element = value.at(at);
  return element === undefined ? failure("is an empty array") : success(element);
}

/** Counts without an array of them, which would take many times the memory of the text. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
