import type { Json } from "../../contract/json.ts";
import { isObject } from "../../lib/json-values.ts";
import { listOf, mapOf, numberOf, textOf } from "../shape.ts";
import type { Compile, Keyword } from "./keyword.ts";
import { members } from "./members.ts";

const required: Keyword = (held) => {
  const names = listOf(held).map(textOf);
  return (value, at, run) => {
    if (!isObject(value)) return true;
    run.spend(names.length);
    const missing = names.filter((name) => !Object.hasOwn(value, name));
    for (const step of missing) run.report({ parent: at, step }, "required", "is required");
    return missing.length === 0;
  };
};

const dependentRequired: Keyword = (held) => {
  const dependents = mapOf(held).map(([name, needs]) => ({
    name,
    needs: listOf(needs).map(textOf),
  }));
  return (value, at, run) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const { name, needs } of dependents) {
      run.spend(1 + needs.length);
      if (!Object.hasOwn(value, name)) continue;
      const message = `is required where there is ${JSON.stringify(name)}`;
      for (const step of needs.filter((need) => !Object.hasOwn(value, need))) {
        holds = run.report({ parent: at, step }, "dependentRequired", message);
      }
    }
    return holds;
  };
};

const propertyNames: Keyword = (held, _, compile) => {
  const rule = compile(held, "propertyNames");
  return (value, at, run) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const step of Object.keys(value)) {
      if (run.applyQuietly(rule, step, at, null)) continue;
      holds = run.report({ parent: at, step }, "propertyNames", "has a name that is not allowed");
      if (run.quiet) return false;
    }
    return holds;
  };
};

function count(rule: string, words: string, holds: (has: number, limit: number) => boolean) {
  const keyword: Keyword = (held: Json) => {
    const limit = numberOf(held);
    const message = `must have ${words} ${limit} members`;
    return (value, at, run) => {
      if (!isObject(value)) return true;
      return holds(Object.keys(value).length, limit) || run.report(at, rule, message);
    };
  };
  return keyword;
}

const withProperties: Keyword = (_, schema, compile) => members(schema, compile);
/** The three are one rule, made where the first of them stands. */
const unlessBefore =
  (...before: string[]): Keyword =>
  (_, schema, compile: Compile) =>
    before.some((name) => Object.hasOwn(schema, name)) ? () => true : members(schema, compile);

/** Keywords of objects. */
export const OBJECT_KEYWORDS: Record<string, Keyword> = {
  minProperties: count("minProperties", "at least", (has, limit) => has >= limit),
  maxProperties: count("maxProperties", "at most", (has, limit) => has <= limit),
  required,
  dependentRequired,
  propertyNames,
  properties: withProperties,
  patternProperties: unlessBefore("properties"),
  additionalProperties: unlessBefore("properties", "patternProperties"),
};
