import { isObject } from "../../lib/json-values.ts";
import type { Keyword } from "./keyword.ts";

const unevaluatedProperties: Keyword = (held, _, compile) => {
  const rule = compile(held, "unevaluatedProperties");
  return (value, at, run, seen) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const [step, member] of Object.entries(value)) {
      if (seen?.has(step)) continue;
      holds = run.apply(rule, member, { parent: at, step }, null) && holds;
      seen?.add(step);
    }
    return holds;
  };
};

const unevaluatedItems: Keyword = (held, _, compile) => {
  const rule = compile(held, "unevaluatedItems");
  return (value, at, run, seen) => {
    if (!Array.isArray(value)) return true;
    let holds = true;
    for (const [step, item] of value.entries()) {
      if (seen?.has(step)) continue;
      holds = run.apply(rule, item, { parent: at, step }, null) && holds;
      seen?.add(step);
    }
    return holds;
  };
};

/** Keywords for what no other keyword has looked at. */
export const UNEVALUATED_KEYWORDS: Record<string, Keyword> = {
  unevaluatedProperties,
  unevaluatedItems,
};
