import type { Transform } from "../../../contract/inbound/mapping.ts";
import { compiled } from "../jsonata/compile.ts";
import { evaluate } from "../jsonata/evaluate.ts";
import type { TransformOf } from "./outcome.ts";

/** What a JSONata expression makes of the value (`$`) and the payload (`$payload`). */
export const jsonata: TransformOf<"jsonata"> = (value, { expression }, payload) =>
  evaluate(expression, value, payload);

/** What is wrong with a setting, as a sentence without its subject; null for nothing. */
export function jsonataFault({
  expression,
}: Extract<Transform, { type: "jsonata" }>): string | null {
  const known = compiled(expression);
  return known.ok ? null : known.message;
}
