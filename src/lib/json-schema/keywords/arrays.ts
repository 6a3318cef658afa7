import { canonicalJson } from "../../json-values.ts";
import type { Keyword } from "../evaluation.ts";
import { listOf, numberOf } from "../schema-fault.ts";

const prefixItems: Keyword = (list, _, compile) => {
  const rules = listOf(list).map((schema) => compile(schema, "prefixItems"));
  return (value, at, evaluation, evaluated) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (const [step, rule] of rules.slice(0, value.length).entries()) {
      valid = evaluation.apply(rule, value[step] ?? null, { parent: at, step }, null) && valid;
      evaluated?.add(step);
      if (!valid && evaluation.quiet) return false;
    }
    return valid;
  };
};

const items: Keyword = (held, schema, compile) => {
  const first = schema.prefixItems === undefined ? 0 : listOf(schema.prefixItems).length;
  const rule = compile(held, "items");
  return (value, at, evaluation, evaluated) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let step = first; step < value.length; step += 1) {
      valid = evaluation.apply(rule, value[step] ?? null, { parent: at, step }, null) && valid;
      evaluated?.add(step);
      if (!valid && evaluation.quiet) return false;
    }
    return valid;
  };
};

const contains: Keyword = (held, { minContains = 1, maxContains = null }, compile) => {
  const rule = compile(held, "contains");
  const least = numberOf(minContains);
  const most = maxContains === null ? Number.POSITIVE_INFINITY : numberOf(maxContains);
  const tooFew = `must have at least ${least} items that match the schema of contains`;
  const tooMany = `must have at most ${most} items that match the schema of contains`;
  return (value, at, evaluation, evaluated) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const [step, item] of value.entries()) {
      if (!evaluation.applyQuietly(rule, item, { parent: at, step }, null)) continue;
      count += 1;
      evaluated?.add(step);
    }
    if (count < least) return evaluation.report(at, "contains", tooFew);
    return count <= most || evaluation.report(at, "maxContains", tooMany);
  };
};

/** Compares canonical texts, so that the time does not grow with the square of the items. */
const uniqueItems: Keyword = (held) => (value, at, evaluation) => {
  if (held !== true || !Array.isArray(value)) return true;
  const places = new Map<string, number>();
  for (const [step, item] of value.entries()) {
    const text = canonicalJson(item, (steps) => evaluation.spend(steps));
    evaluation.spend(3);
    const before = places.get(text);
    if (before !== undefined) {
      const message = `must have unique items; items ${before} and ${step} are equal`;
      return evaluation.report(at, "uniqueItems", message);
    }
    places.set(text, step);
  }
  return true;
};

/** Keywords of arrays. */
export const ARRAY_KEYWORDS: Record<string, Keyword> = {
  uniqueItems,
  prefixItems,
  items,
  contains,
};
