import type { Json } from "../../contract/json.ts";
import { canonical } from "../canonical.ts";
import { listOf, numberOf } from "../shape.ts";
import type { Keyword } from "./keyword.ts";

const prefixItems: Keyword = (held, _, compile) => {
  const rules = listOf(held).map((schema) => compile(schema, "prefixItems"));
  return (value, at, run, seen) => {
    if (!Array.isArray(value)) return true;
    let holds = true;
    for (const [step, rule] of rules.slice(0, value.length).entries()) {
      holds = run.apply(rule, value[step] ?? null, { parent: at, step }, null) && holds;
      seen?.add(step);
      if (!holds && run.quiet) return false;
    }
    return holds;
  };
};

const items: Keyword = (held, schema, compile) => {
  const first = schema.prefixItems === undefined ? 0 : listOf(schema.prefixItems).length;
  const rule = compile(held, "items");
  return (value, at, run, seen) => {
    if (!Array.isArray(value)) return true;
    let holds = true;
    for (let step = first; step < value.length; step += 1) {
      holds = run.apply(rule, value[step] ?? null, { parent: at, step }, null) && holds;
      seen?.add(step);
      if (!holds && run.quiet) return false;
    }
    return holds;
  };
};

const contains: Keyword = (held, { minContains = 1, maxContains = null }, compile) => {
  const rule = compile(held, "contains");
  const least = numberOf(minContains);
  const most = maxContains === null ? Number.POSITIVE_INFINITY : numberOf(maxContains);
  const tooFew = `must have at least ${least} items that are as contains says`;
  const tooMany = `must have at most ${most} items that are as contains says`;
  return (value, at, run, seen) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const [step, item] of value.entries()) {
      if (!run.applyQuietly(rule, item, { parent: at, step }, null)) continue;
      count += 1;
      seen?.add(step);
    }
    if (count < least) return run.report(at, "contains", tooFew);
    return count <= most || run.report(at, "maxContains", tooMany);
  };
};

/** By a text of each item, so that the time does not grow with the square of their number. */
const uniqueItems: Keyword = (held) => (value, at, run) => {
  if (held !== true || !Array.isArray(value)) return true;
  const places = new Map<string, number>();
  for (const [step, item] of value.entries()) {
    const text = canonical(item, run);
    const before = places.get(text);
    if (before !== undefined) {
      return run.report(at, "uniqueItems", `has the same item at ${before} and ${step}`);
    }
    places.set(text, step);
  }
  return true;
};

function count(rule: string, words: string, holds: (has: number, limit: number) => boolean) {
  const keyword: Keyword = (held: Json) => {
    const limit = numberOf(held);
    const message = `must have ${words} ${limit} items`;
    return (value, at, run) =>
      !Array.isArray(value) || holds(value.length, limit) || run.report(at, rule, message);
  };
  return keyword;
}

/** Keywords of arrays. */
export const ARRAY_KEYWORDS: Record<string, Keyword> = {
  minItems: count("minItems", "at least", (has, limit) => has >= limit),
  maxItems: count("maxItems", "at most", (has, limit) => has <= limit),
  uniqueItems,
  prefixItems,
  items,
  contains,
};
