import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { anchorsOf, checkedSchemas, resolve } from "./check-schema.ts";
import {
  type Compile,
  Evaluation,
  type Keyword,
  type Rule,
  type SchemaViolation,
  TooMuchWork,
} from "./evaluation.ts";
import { APPLICATOR_KEYWORDS } from "./keywords/applicators.ts";
import { ARRAY_KEYWORDS, unevaluatedItems } from "./keywords/arrays.ts";
import { OBJECT_KEYWORDS, unevaluatedProperties } from "./keywords/objects.ts";
import { VALUE_KEYWORDS } from "./keywords/values.ts";
import { SchemaFault } from "./schema-fault.ts";

/** Steps of at most 100 ns: a tenth of a second at worst. */
const MAX_STEPS = 1_000_000;

/** `unevaluated…` comes last: it applies to what no other keyword has evaluated. */
const KEYWORDS: [string, Keyword][] = [
  ...Object.entries(VALUE_KEYWORDS),
  ...Object.entries(ARRAY_KEYWORDS),
  ...Object.entries(OBJECT_KEYWORDS),
  ...Object.entries(APPLICATOR_KEYWORDS),
  ["unevaluatedProperties", unevaluatedProperties],
  ["unevaluatedItems", unevaluatedItems],
];

const compiled = new WeakMap<JsonObject, Rule>();

/**
 * Validates a value against a JSON Schema 2020-12, formats included. Returns at most `limit`
 * violations; `omitted` counts the rest. The time is bounded: a validation that would take longer is a
 * violation itself. Each schema object is compiled once and must not change. Throws a `SchemaFault`
 * where `schemaFault` returns one.
 */
export function validateJson(
  schema: JsonObject,
  value: Json,
  limit: number,
): { violations: SchemaViolation[]; omitted: number } {
  const rule = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, rule);
  const evaluation = new Evaluation(limit, MAX_STEPS);
  try {
    evaluation.apply(rule, value, null, null);
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    evaluation.violations.unshift({
      path: [],
      rule: "work",
      message: "takes too long to validate",
    });
  }
  return { violations: evaluation.violations, omitted: evaluation.omitted };
}

function compileSchema(root: JsonObject): Rule {
  const anchors = anchorsOf(checkedSchemas(root));
  const known = new Map<Json, Rule>();

  const compile: Compile = (schema, keyword) => {
    if (schema === true) return () => true;
    if (schema === false) {
      return (_, at, evaluation) => evaluation.report(at, keyword, "is not allowed here");
    }
    if (!isObject(schema)) throw new SchemaFault("", keyword, "must be a schema");
    const made = known.get(schema);
    if (made) return made;
    // Stored before it is made: a schema may refer to itself.
    let rule: Rule = () => true;
    known.set(schema, (...args) => rule(...args));
    rule = every(rulesOf(schema, compile));
    if ("unevaluatedProperties" in schema || "unevaluatedItems" in schema) rule = tracking(rule);
    return rule;
  };

  const rulesOf = (schema: JsonObject, within: Compile): Rule[] => {
    const rules = KEYWORDS.flatMap(([name, keyword]) => {
      const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
      return value === undefined ? [] : [keyword(value, schema, within)];
    });
    if (typeof schema.$ref !== "string") return rules;
    const target = resolve(schema.$ref, root, anchors);
    if (target === undefined) throw new SchemaFault("", "$ref", "points to no schema");
    const referred = within(target, "$ref");
    return [
      (value, at, evaluation, evaluated) => evaluation.apply(referred, value, at, evaluated),
      ...rules,
    ];
  };

  return compile(root, "schema");
}

/** Applies all rules, to report every violation; a quiet evaluation stops at the first. */
function every(rules: Rule[]): Rule {
  return (value, at, evaluation, evaluated) => {
    let valid = true;
    for (const rule of rules) {
      evaluation.spend(1);
      if (rule(value, at, evaluation, evaluated)) continue;
      if (evaluation.quiet) return false;
      valid = false;
    }
    return valid;
  };
}

/** Gives a rule a set of its own, in which only its parts record what they evaluate. */
function tracking(rule: Rule): Rule {
  return (value, at, evaluation, evaluated) => {
    const own = new Set<string | number>();
    const valid = rule(value, at, evaluation, own);
    evaluation.spend(own.size);
    for (const step of own) evaluated?.add(step);
    return valid;
  };
}
