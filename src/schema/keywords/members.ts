import type { JsonObject } from "../../contract/json.ts";
import { isObject } from "../../lib/json-values.ts";
import type { Rule, Run } from "../run.ts";
import { mapOf } from "../shape.ts";
import type { Compile } from "./keyword.ts";
import { matcherOf } from "./strings.ts";

/** The rule of `properties`, `patternProperties` and `additionalProperties`, which hang together. */
export function members(schema: JsonObject, compile: Compile): Rule {
  const rulesOf = rulesFor(schema, compile);
  return (value, at, run, seen) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const [step, member] of Object.entries(value)) {
      run.spend(1);
      for (const rule of rulesOf(step, run)) {
        seen?.add(step);
        holds = run.apply(rule, member, { parent: at, step }, null) && holds;
        if (!holds && run.quiet) return false;
      }
    }
    return holds;
  };
}

/** Which rules a member is held to, by its name. */
function rulesFor(schema: JsonObject, compile: Compile): (name: string, run: Run) => Rule[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const byName = new Map(
    mapOf(properties).map(([name, held]) => [name, compile(held, "properties")]),
  );
  const byPattern = mapOf(patternProperties).map(([pattern, held]) => ({
    matches: matcherOf(pattern),
    rule: compile(held, "patternProperties"),
  }));
  const others =
    additionalProperties === undefined
      ? []
      : [compile(additionalProperties, "additionalProperties")];
  return (name, run) => {
    const named = byName.get(name);
    const rules = byPattern.filter(({ matches }) => matches(name, run)).map(({ rule }) => rule);
    if (named) rules.push(named);
    return rules.length > 0 ? rules : others;
  };
}
