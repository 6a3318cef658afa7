import * as z from "zod";
import { canonicalJson } from "../../json-values.ts";
import { count, type Keyword, keyword, ofArrays, SCHEMA, SCHEMA_LIST } from "../keyword.ts";

const prefixItems = keyword(SCHEMA_LIST, (list, _, compile) => {
  const rules = list.map((schema) => compile(schema, "prefixItems"));
  return ofArrays((value, at, evaluation, evaluated) =>
    evaluation.every(rules.slice(0, value.length).entries(), ([step, rule]) =>
      evaluation.applyTo([step, value[step] ?? null], rule, at, evaluated),
    ),
  );
});

const items = keyword(SCHEMA, (held, { prefixItems: before }, compile) => {
  const first = Array.isArray(before) ? before.length : 0;
  const rule = compile(held, "items");
  return ofArrays((value, at, evaluation, evaluated) =>
    evaluation.every(
      value.entries(),
      (item) => item[0] < first || evaluation.applyTo(item, rule, at, evaluated),
    ),
  );
});

const bounds = z.object({ minContains: count.default(1), maxContains: count.default(Infinity) });

const contains = keyword(SCHEMA, (held, schema, compile) => {
  const rule = compile(held, "contains");
  const { minContains: least, maxContains: most } = bounds.parse(schema);
  const tooFew = `must have at least ${least} items that match the schema of contains`;
  const tooMany = `must have at most ${most} items that match the schema of contains`;
  return ofArrays((value, at, evaluation, evaluated) => {
    let found = 0;
    for (const [step, item] of value.entries()) {
      if (!evaluation.quietly(() => evaluation.apply(rule, item, { parent: at, step }))) continue;
      found += 1;
      evaluated?.add(step);
    }
    if (found < least) return evaluation.report(at, "contains", tooFew);
    return found <= most || evaluation.report(at, "maxContains", tooMany);
  });
});

/** Compares canonical texts, so that the time does not grow with the square of the items. */
const uniqueItems = keyword(z.boolean(), (held) => {
  if (!held) return () => true;
  return ofArrays((value, at, evaluation) => {
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
  });
});

/** Keywords of arrays. */
export const ARRAY_KEYWORDS: Record<string, Keyword> = {
  uniqueItems,
  prefixItems,
  items,
  contains,
  minContains: { type: count },
  maxContains: { type: count },
};
