import { isObject, type Json } from "../../json-values.ts";
import { type Keyword, keyword, SCHEMA, SCHEMA_LIST } from "../keyword.ts";

const allOf = keyword(SCHEMA_LIST, (list, _, compile) => {
  const rules = list.map((schema) => compile(schema, "allOf"));
  return (value, at, evaluation, evaluated) =>
    evaluation.every(rules, (rule) => evaluation.applyInPlace(rule, value, at, evaluated));
});

const anyOf = keyword(SCHEMA_LIST, (list, _, compile) => {
  const rules = list.map((schema) => compile(schema, "anyOf"));
  const message = `must match at least one of the ${rules.length} schemas of anyOf`;
  return (value, at, evaluation, evaluated) => {
    let valid = false;
    for (const rule of rules) {
      const matches = () => evaluation.applyInPlace(rule, value, at, evaluated);
      valid = evaluation.quietly(matches) || valid;
      // The other schemas matter only for what they evaluate.
      if (valid && evaluated === null) return true;
    }
    return valid || evaluation.report(at, "anyOf", message);
  };
});

const oneOf = keyword(SCHEMA_LIST, (list, _, compile) => {
  const rules = list.map((schema) => compile(schema, "oneOf"));
  return (value, at, evaluation, evaluated) => {
    const matching = rules.filter((rule) =>
      evaluation.quietly(() => evaluation.applyInPlace(rule, value, at, evaluated)),
    );
    if (matching.length === 1) return true;
    const found = matching.length === 0 ? "none" : matching.length;
    const message = `must match exactly one of the ${rules.length} schemas of oneOf; it matches ${found}`;
    return evaluation.report(at, "oneOf", message);
  };
});

const not = keyword(SCHEMA, (schema, _, compile) => {
  const rule = compile(schema, "not");
  return (value, at, evaluation) =>
    !evaluation.quietly(() => evaluation.apply(rule, value, at)) ||
    evaluation.report(at, "not", "must not match the schema of not");
});

const condition = keyword(SCHEMA, (held, schema, compile) => {
  const rule = compile(held, "if");
  const then = compile(schema.then ?? true, "then");
  const otherwise = compile(schema.else ?? true, "else");
  return (value, at, evaluation, evaluated) => {
    const test = () => evaluation.applyInPlace(rule, value, at, evaluated);
    const next = evaluation.quietly(test) ? then : otherwise;
    return evaluation.applyInPlace(next, value, at, evaluated);
  };
});

/** Applies a schema to the members or items that no other keyword has evaluated. */
function unevaluated(
  name: string,
  cost: number,
  partsOf: (value: Json) => Iterable<[string | number, Json]>,
): Keyword {
  return keyword(SCHEMA, (held, _, compile) => {
    const rule = compile(held, name);
    return (value, at, evaluation, evaluated) =>
      evaluation.every(partsOf(value), (part) => {
        evaluation.spend(cost);
        return evaluated?.has(part[0]) || evaluation.applyTo(part, rule, at, evaluated);
      });
  });
}

/** Keywords of what is left, which come after all others. */
export const UNEVALUATED_KEYWORDS: Record<string, Keyword> = {
  unevaluatedProperties: unevaluated("unevaluatedProperties", 2, (value) =>
    isObject(value) ? Object.entries(value) : [],
  ),
  unevaluatedItems: unevaluated("unevaluatedItems", 1, (value) =>
    Array.isArray(value) ? value.entries() : [],
  ),
};

/** Keywords that apply schemas to the value itself. */
export const APPLICATOR_KEYWORDS: Record<string, Keyword> = {
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  // By a list: an object with a member `then` would pass for a promise.
  ...Object.fromEntries(["then", "else"].map((name) => [name, { type: SCHEMA }])),
};
