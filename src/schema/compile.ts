import type { Json, JsonObject } from "../contract/json.ts";
import { isObject } from "../lib/json-values.ts";
import { checkedSchemas } from "./fault.ts";
import { ARRAY_KEYWORDS } from "./keywords/arrays.ts";
import { COMBINING_KEYWORDS } from "./keywords/combining.ts";
import type { Compile, Keyword } from "./keywords/keyword.ts";
import { NUMBER_KEYWORDS } from "./keywords/numbers.ts";
import { OBJECT_KEYWORDS } from "./keywords/objects.ts";
import { STRING_KEYWORDS } from "./keywords/strings.ts";
import { UNEVALUATED_KEYWORDS } from "./keywords/unevaluated.ts";
import { VALUE_KEYWORDS } from "./keywords/values.ts";
import { anchorsOf, resolve } from "./references.ts";
import type { Rule } from "./run.ts";
import { SchemaFault } from "./schema-fault.ts";

/** What is not evaluated is known when all else has been applied, so these come last. */
const KEYWORDS: [string, Keyword][] = [
  ...Object.entries(VALUE_KEYWORDS),
  ...Object.entries(NUMBER_KEYWORDS),
  ...Object.entries(STRING_KEYWORDS),
  ...Object.entries(ARRAY_KEYWORDS),
  ...Object.entries(OBJECT_KEYWORDS),
  ...Object.entries(COMBINING_KEYWORDS),
  ...Object.entries(UNEVALUATED_KEYWORDS),
];

/** Makes one rule of a JSON Schema 2020-12. Throws a `SchemaFault` where `schemaFault` finds one. */
export function compileSchema(root: JsonObject): Rule {
  const anchors = anchorsOf(checkedSchemas(root));
  const known = new Map<Json, Rule>();

  const compile: Compile = (schema, keyword) => {
    if (schema === true) return () => true;
    if (schema === false) return (_, at, run) => run.report(at, keyword, "is not allowed here");
    if (!isObject(schema)) throw new SchemaFault("", keyword, "must be a schema");
    const made = known.get(schema);
    if (made) return made;
    // Known before it is made: a schema may lead back to itself.
    let rule: Rule = () => true;
    known.set(schema, (value, at, run, seen) => rule(value, at, run, seen));
    rule = together(rulesOf(schema, compile));
    if ("unevaluatedProperties" in schema || "unevaluatedItems" in schema) rule = watching(rule);
    return rule;
  };

  const rulesOf = (schema: JsonObject, within: Compile): Rule[] => {
    const rules = KEYWORDS.flatMap(([name, keyword]) => {
      const held = Object.hasOwn(schema, name) ? schema[name] : undefined;
      return held === undefined ? [] : [keyword(held, schema, within)];
    });
    if (typeof schema.$ref !== "string") return rules;
    const target = resolve(schema.$ref, root, anchors);
    if (target === undefined) throw new SchemaFault("", "$ref", "leads to no schema");
    const referred = within(target, "$ref");
    return [(value, at, run, seen) => run.apply(referred, value, at, seen), ...rules];
  };

  return compile(root, "schema");
}

/** All rules, so that all findings are told; in a quiet run the first one that is broken is enough. */
function together(rules: Rule[]): Rule {
  return (value, at, run, seen) => {
    let holds = true;
    for (const rule of rules) {
      run.spend(1);
      if (rule(value, at, run, seen)) continue;
      if (run.quiet) return false;
      holds = false;
    }
    return holds;
  };
}

/** A rule that knows what its own parts, and no others, have looked at, and tells on. */
function watching(rule: Rule): Rule {
  return (value, at, run, seen) => {
    const own = new Set<string | number>();
    const holds = rule(value, at, run, own);
    for (const step of own) seen?.add(step);
    return holds;
  };
}
