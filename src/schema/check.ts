import type { Json, JsonObject } from "../contract/json.ts";
import { compileSchema } from "./compile.ts";
import { type Finding, type Rule, Run, TooMuchWork } from "./run.ts";

/** Steps of about 100 ns: two seconds at worst. */
const MAX_STEPS = 20_000_000;

const compiled = new WeakMap<JsonObject, Rule>();

/** What was found; `more` counts what was left out. */
export interface Findings {
  findings: Finding[];
  more: number;
}

/**
 * All that breaks a JSON Schema 2020-12 in a value, `most` of it in words. The time is bounded: what
 * takes longer is a finding itself. Formats are asserted. A schema is compiled once, so it must not be
 * changed; it throws a `SchemaFault` where `schemaFault` finds one.
 */
export function checkValue(schema: JsonObject, value: Json, most: number): Findings {
  const rule = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, rule);
  const run = new Run(most, MAX_STEPS);
  try {
    run.apply(rule, value, null, null);
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    run.findings.unshift({ path: [], rule: "work", message: "takes too long to be checked" });
  }
  return { findings: run.findings, more: run.more };
}
