import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { jsonText } from "./json-text.ts";
import { made, type Outcome, type TransformOf, unfit } from "./outcome.ts";

/** Any value as text: whole numbers with all their digits, objects and arrays as JSON. */
export const string: TransformOf<"string"> = (value) => made(textOf(value));

export const trim: TransformOf<"trim"> = (value) => onText(value, (text) => text.trim());

export const lower: TransformOf<"lower"> = (value) => onText(value, (text) => text.toLowerCase());

export const upper: TransformOf<"upper"> = (value) => onText(value, (text) => text.toUpperCase());

/** A value as it reads inside text. */
export function textOf(value: PayloadValue): string {
  if (typeof value === "string") return value;
  return value !== null && typeof value === "object" ? jsonText(value) : String(value);
}

function onText(value: PayloadValue, change: (text: string) => string): Outcome {
  return typeof value === "string" ? made(change(value)) : unfit(value, "text");
}
