import { isObject, type Json } from "../../json-values.ts";
import type { Evaluated, Evaluation, Keyword, Location, Rule } from "../evaluation.ts";
import { listOf, membersOf } from "../schema-fault.ts";
import { dependentRequired } from "./objects.ts";

type Apply = (
  evaluation: Evaluation,
  rule: Rule,
  value: Json,
  at: Location,
  evaluated: Evaluated,
) => boolean;

const aloud: Apply = (evaluation, ...rest) => evaluation.apply(...rest);
const quietly: Apply = (evaluation, ...rest) => evaluation.applyQuietly(...rest);

/** Applies a rule to the value itself: what it evaluated counts only if the value is valid. */
function inPlace(apply: Apply): Apply {
  return (evaluation, rule, value, at, evaluated) => {
    const own: Evaluated = evaluated === null ? null : new Set();
    const valid = apply(evaluation, rule, value, at, own);
    evaluation.spend(own?.size ?? 0);
    if (valid) for (const step of own ?? []) evaluated?.add(step);
    return valid;
  };
}

const applyInPlace = inPlace(aloud);
const testInPlace = inPlace(quietly);

const allOf: Keyword = (list, _, compile) => {
  const rules = listOf(list).map((schema) => compile(schema, "allOf"));
  return (value, at, evaluation, evaluated) => {
    let valid = true;
    for (const rule of rules) {
      valid = applyInPlace(evaluation, rule, value, at, evaluated) && valid;
      if (!valid && evaluation.quiet) return false;
    }
    return valid;
  };
};

const anyOf: Keyword = (list, _, compile) => {
  const rules = listOf(list).map((schema) => compile(schema, "anyOf"));
  const message = `must match at least one of the ${rules.length} schemas of anyOf`;
  return (value, at, evaluation, evaluated) => {
    let valid = false;
    for (const rule of rules) {
      valid = testInPlace(evaluation, rule, value, at, evaluated) || valid;
      // The other schemas matter only for what they evaluate.
      if (valid && evaluated === null) return true;
    }
    return valid || evaluation.report(at, "anyOf", message);
  };
};

const oneOf: Keyword = (list, _, compile) => {
  const rules = listOf(list).map((schema) => compile(schema, "oneOf"));
  return (value, at, evaluation, evaluated) => {
    const matching = rules.filter((rule) => testInPlace(evaluation, rule, value, at, evaluated));
    if (matching.length === 1) return true;
    const found = matching.length === 0 ? "none" : matching.length;
    const message = `must match exactly one of the ${rules.length} schemas of oneOf; it matches ${found}`;
    return evaluation.report(at, "oneOf", message);
  };
};

const not: Keyword = (schema, _, compile) => {
  const rule = compile(schema, "not");
  return (value, at, evaluation) =>
    !evaluation.applyQuietly(rule, value, at, null) ||
    evaluation.report(at, "not", "must not match the schema of not");
};

const condition: Keyword = (test, schema, compile) => {
  const rule = compile(test, "if");
  const then = compile(schema.then ?? true, "then");
  const otherwise = compile(schema.else ?? true, "else");
  return (value, at, evaluation, evaluated) => {
    const applies = testInPlace(evaluation, rule, value, at, evaluated);
    return applyInPlace(evaluation, applies ? then : otherwise, value, at, evaluated);
  };
};

const dependentSchemas: Keyword = (map, _, compile) => {
  const dependents = membersOf(map).map(([name, schema]) => ({
    name,
    rule: compile(schema, "dependentSchemas"),
  }));
  return (value, at, evaluation, evaluated) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const { name, rule } of dependents) {
      evaluation.spend(1);
      if (!Object.hasOwn(value, name)) continue;
      valid = applyInPlace(evaluation, rule, value, at, evaluated) && valid;
    }
    return valid;
  };
};

/** Lists of names are `dependentRequired`, all else is `dependentSchemas`. */
const dependencies: Keyword = (map, schema, compile) => {
  const isList = ([, held]: [string, Json]) => Array.isArray(held);
  const members = membersOf(map);
  const names = dependentRequired(Object.fromEntries(members.filter(isList)), schema, compile);
  const schemas = Object.fromEntries(members.filter((member) => !isList(member)));
  const others = dependentSchemas(schemas, schema, compile);
  return (...args) => {
    const isValid = names(...args);
    return others(...args) && isValid;
  };
};

/** Applies a schema to the members or items that no other keyword has evaluated. */
function unevaluated(
  keyword: string,
  cost: number,
  partsOf: (value: Json) => Iterable<[string | number, Json]>,
): Keyword {
  return (held, _, compile) => {
    const rule = compile(held, keyword);
    return (value, at, evaluation, evaluated) => {
      let valid = true;
      for (const [step, part] of partsOf(value)) {
        evaluation.spend(cost);
        if (evaluated?.has(step)) continue;
        valid = evaluation.apply(rule, part, { parent: at, step }, null) && valid;
        evaluated?.add(step);
      }
      return valid;
    };
  };
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
  dependentSchemas,
  dependencies,
};
