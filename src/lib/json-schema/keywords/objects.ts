import { isObject, type JsonObject } from "../../json-values.ts";
import type { Compile, Evaluation, Keyword, Rule } from "../evaluation.ts";
import { listOf, membersOf, textOf } from "../schema-fault.ts";
import { matcherOf } from "./values.ts";

const required: Keyword = (list) => {
  const names = listOf(list).map(textOf);
  return (value, at, evaluation) => {
    if (!isObject(value)) return true;
    evaluation.spend(names.length);
    const missing = names.filter((name) => !Object.hasOwn(value, name));
    for (const step of missing) evaluation.report({ parent: at, step }, "required", "is required");
    return missing.length === 0;
  };
};

export const dependentRequired: Keyword = (map) => {
  const dependents = membersOf(map).map(([name, needs]) => ({
    name,
    needs: listOf(needs).map(textOf),
  }));
  return (value, at, evaluation) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const { name, needs } of dependents) {
      evaluation.spend(1 + needs.length);
      if (!Object.hasOwn(value, name)) continue;
      const message = `is required when ${JSON.stringify(name)} is present`;
      for (const step of needs.filter((need) => !Object.hasOwn(value, need))) {
        valid = evaluation.report({ parent: at, step }, "dependentRequired", message);
      }
    }
    return valid;
  };
};

const propertyNames: Keyword = (held, _, compile) => {
  const rule = compile(held, "propertyNames");
  return (value, at, evaluation) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const step of Object.keys(value)) {
      evaluation.spend(1);
      if (evaluation.applyQuietly(rule, step, at, null)) continue;
      valid = evaluation.report({ parent: at, step }, "propertyNames", "is not an allowed name");
      if (evaluation.quiet) return false;
    }
    return valid;
  };
};

/** Makes the one rule of `properties`, `patternProperties` and `additionalProperties`. */
function members(schema: JsonObject, compile: Compile): Rule {
  const rulesFor = memberRules(schema, compile);
  return (value, at, evaluation, evaluated) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const [step, member] of Object.entries(value)) {
      evaluation.spend(4);
      for (const rule of rulesFor(step, evaluation)) {
        evaluated?.add(step);
        valid = evaluation.apply(rule, member, { parent: at, step }, null) && valid;
        if (!valid && evaluation.quiet) return false;
      }
    }
    return valid;
  };
}

/** Returns a function from a member's name to its rules. */
function memberRules(
  schema: JsonObject,
  compile: Compile,
): (name: string, evaluation: Evaluation) => Rule[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const byName = new Map(
    membersOf(properties).map(([name, held]) => [name, compile(held, "properties")]),
  );
  const byPattern = membersOf(patternProperties).map(([pattern, held]) => ({
    matches: matcherOf(pattern),
    rule: compile(held, "patternProperties"),
  }));
  const others =
    additionalProperties === undefined
      ? []
      : [compile(additionalProperties, "additionalProperties")];
  return (name, evaluation) => {
    const named = byName.get(name);
    const rules = byPattern
      .filter(({ matches }) => matches(name, evaluation))
      .map(({ rule }) => rule);
    if (named) rules.push(named);
    return rules.length > 0 ? rules : others;
  };
}

/** The three keywords are one rule, made where the first of them stands. */
const unlessAfter =
  (...before: string[]): Keyword =>
  (_, schema, compile) =>
    before.some((name) => Object.hasOwn(schema, name)) ? () => true : members(schema, compile);

/** Keywords of objects. */
export const OBJECT_KEYWORDS: Record<string, Keyword> = {
  required,
  dependentRequired,
  propertyNames,
  properties: unlessAfter(),
  patternProperties: unlessAfter("properties"),
  additionalProperties: unlessAfter("properties", "patternProperties"),
};
