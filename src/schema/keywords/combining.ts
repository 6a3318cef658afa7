import type { Json } from "../../contract/json.ts";
import { isObject } from "../../lib/json-values.ts";
import type { Place, Rule, Run, Seen } from "../run.ts";
import { listOf, mapOf } from "../shape.ts";
import type { Keyword } from "./keyword.ts";

type Apply = (run: Run, rule: Rule, value: Json, at: Place, seen: Seen) => boolean;

const aloud: Apply = (run, ...rest) => run.apply(...rest);
const quietly: Apply = (run, ...rest) => run.applyQuietly(...rest);

/** Applies a rule to the value itself: what it has looked at counts only when it holds. */
function inPlace(apply: Apply, run: Run, rule: Rule, value: Json, at: Place, seen: Seen): boolean {
  const own: Seen = seen === null ? null : new Set();
  const holds = apply(run, rule, value, at, own);
  if (holds) for (const step of own ?? []) seen?.add(step);
  return holds;
}

const allOf: Keyword = (held, _, compile) => {
  const rules = listOf(held).map((schema) => compile(schema, "allOf"));
  return (value, at, run, seen) => {
    let holds = true;
    for (const rule of rules) {
      holds = inPlace(aloud, run, rule, value, at, seen) && holds;
      if (!holds && run.quiet) return false;
    }
    return holds;
  };
};

const anyOf: Keyword = (held, _, compile) => {
  const rules = listOf(held).map((schema) => compile(schema, "anyOf"));
  const message = `is as none of the ${rules.length} schemas of anyOf says`;
  return (value, at, run, seen) => {
    let holds = false;
    for (const rule of rules) {
      holds = inPlace(quietly, run, rule, value, at, seen) || holds;
      // The others may have looked at more, but only where somebody asks.
      if (holds && seen === null) return true;
    }
    return holds || run.report(at, "anyOf", message);
  };
};

const oneOf: Keyword = (held, _, compile) => {
  const rules = listOf(held).map((schema) => compile(schema, "oneOf"));
  return (value, at, run, seen) => {
    const fitting = rules.filter((rule) => inPlace(quietly, run, rule, value, at, seen)).length;
    const message = `is as ${fitting} of the ${rules.length} schemas of oneOf say, and not as one`;
    return fitting === 1 || run.report(at, "oneOf", message);
  };
};

const not: Keyword = (held, _, compile) => {
  const rule = compile(held, "not");
  return (value, at, run) =>
    !run.applyQuietly(rule, value, at, null) || run.report(at, "not", "is as not says");
};

const condition: Keyword = (held, schema, compile) => {
  const test = compile(held, "if");
  const then = compile(schema.then ?? true, "then");
  const otherwise = compile(schema.else ?? true, "else");
  return (value, at, run, seen) => {
    const applies = inPlace(quietly, run, test, value, at, seen);
    return inPlace(aloud, run, applies ? then : otherwise, value, at, seen);
  };
};

const dependentSchemas: Keyword = (held, _, compile) => {
  const dependents = mapOf(held).map(([name, schema]) => ({
    name,
    rule: compile(schema, "dependentSchemas"),
  }));
  return (value, at, run, seen) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const { name, rule } of dependents) {
      run.spend(1);
      if (Object.hasOwn(value, name)) holds = inPlace(aloud, run, rule, value, at, seen) && holds;
    }
    return holds;
  };
};

/** Keywords that put schemas together, all for the value itself. */
export const COMBINING_KEYWORDS: Record<string, Keyword> = {
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  dependentSchemas,
};
