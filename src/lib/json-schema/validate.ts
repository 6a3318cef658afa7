import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { checkedSchemas, KEYWORDS, REFERENCES } from "./check-schema.ts";
import { Evaluation, type Rule, type SchemaViolation, TooMuchWork } from "./evaluation.ts";
import { type Compile, SchemaFault } from "./keyword.ts";

/** Steps of at most 150 ns: less than a tenth of a second. */
const MAX_STEPS = 600_000;
/** Steps of a scalar, to which no schema applies that describes members or items. */
const MAX_SCALAR_STEPS = 5_000;

/** Whether `format` is a rule or an annotation; JSON Schema 2020-12 leaves the choice to the validator. */
export type Formats = "assert" | "annotate";

const compiled: Record<Formats, WeakMap<JsonObject, Rule>> = {
  assert: new WeakMap(),
  annotate: new WeakMap(),
};

/**
 * Validates a value against a JSON Schema 2020-12. Returns at most `limit`
 * violations; `omitted` counts the rest. The time is bounded: a validation that would take longer is a
 * violation itself. Each schema object is compiled once and must not change. Throws a `SchemaFault`
 * where `schemaFault` returns one.
 */
export function validateJson(
  schema: JsonObject,
  value: Json,
  limit: number,
  { formats = "assert" }: { formats?: Formats | undefined } = {},
): { violations: SchemaViolation[]; omitted: number } {
  const rule =
    compiled[formats].get(schema) ?? compilerOf(schema, formats).compile(schema, "schema");
  compiled[formats].set(schema, rule);
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

/**
 * Returns the first error of a JSON Schema 2020-12, or null: one of `checkedSchemas`, a reference that the
 * validator does not know, or schemas that never come to an end with one value, since they refer to each
 * other in a circle or multiply.
 */
export function schemaFault(schema: JsonObject): SchemaFault | null {
  try {
    const { compile, found } = compilerOf(schema, "assert");
    for (const { schema: each, path } of found) {
      if ("$dynamicRef" in each) {
        throw new SchemaFault(`${path}.$dynamicRef`, "$dynamicRef", "is not supported. Use $ref");
      }
      new Evaluation(0, MAX_SCALAR_STEPS).apply(compile(each, "schema"), null, null);
    }
    return null;
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    if (!(error instanceof TooMuchWork)) throw error;
    return new SchemaFault("", "$ref", "applies too many schemas to one value, or never ends");
  }
}

function compilerOf(root: JsonObject, formats: Formats) {
  const { references, found } = checkedSchemas(root);
  const known = new Map<Json, Rule>();

  const compile: Compile = (schema, keyword) => {
    if (schema === true) return () => true;
    if (schema === false) {
      return (_, at, evaluation) => evaluation.report(at, keyword, "is not allowed here");
    }
    if (!isObject(schema)) throw new SchemaFault("", keyword, "must be a schema");
    const made = known.get(schema);
    if (made) return made;
    const all = every([...referencesOf(schema), ...rulesOf(schema)]);
    const tracks = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    const rule = tracks ? tracking(all) : all;
    known.set(schema, rule);
    return rule;
  };

  const rulesOf = (schema: JsonObject): Rule[] =>
    [...KEYWORDS].flatMap(([name, { rule }]) => {
      const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
      const isAnnotation = name === "format" && formats === "annotate";
      if (rule === undefined || value === undefined || isAnnotation) return [];
      return rule(value, schema, compile);
    });

  // No schema is saved with a `$dynamicRef`; in one that was stored before, it refers like a `$ref`.
  const referencesOf = (schema: JsonObject): Rule[] =>
    REFERENCES.flatMap((keyword): Rule | [] => {
      const reference = schema[keyword];
      if (typeof reference !== "string") return [];
      // Made when it is needed: a schema may refer to itself, or be the first of a long chain.
      let rule: Rule | null = null;
      return (value, at, evaluation, evaluated) => {
        rule ??= compile(references.resolve(schema, reference) ?? null, keyword);
        return evaluation.apply(rule, value, at, evaluated);
      };
    });

  return { compile, found };
}

/** Applies rules as `Evaluation.every` does, without its frames: schemas within schemas fill the stack. */
function every(rules: Rule[]): Rule {
  return (value, at, evaluation, evaluated) => {
    let valid = true;
    for (const rule of rules) {
      evaluation.spend(1);
      valid = rule(value, at, evaluation, evaluated) && valid;
      if (!valid && evaluation.quiet) return false;
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
