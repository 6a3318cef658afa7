import * as z from "zod";
import { canonicalJson, isObject, type Json, type JsonObject } from "../../json-values.ts";
import type { Evaluation, Rule } from "../evaluation.ts";
import {
  type Compile,
  count,
  type Keyword,
  keyword,
  names,
  ofArrays,
  ofObjects,
  SCHEMA,
  SCHEMA_LIST,
  SCHEMA_MAP,
} from "../keyword.ts";
import { matcherOf } from "./values.ts";

const prefixItems = keyword(SCHEMA_LIST, (list, _, compile) => {
  const rules = list.map((schema) => compile(schema, "prefixItems"));
  return ofArrays((value, at, evaluation, evaluated) =>
    evaluation.every(rules.slice(0, value.length).entries(), ([step, rule]) =>
      evaluation.applyTo([step, value[step] ?? null], rule, at, evaluated),
    ),
  );
});

const items = keyword(SCHEMA, (held, { prefixItems: before }, compile) => {
  const first = Array.isArray(before) ? before.length : 0;
  const rule = compile(held, "items");
  return ofArrays((value, at, evaluation, evaluated) =>
    evaluation.every(
      value.entries(),
      (item) => item[0] < first || evaluation.applyTo(item, rule, at, evaluated),
    ),
  );
});

const bounds = z.object({ minContains: count.default(1), maxContains: count.default(Infinity) });

const contains = keyword(SCHEMA, (held, schema, compile) => {
  const rule = compile(held, "contains");
  const { minContains: least, maxContains: most } = bounds.parse(schema);
  const tooFew = `must have at least ${least} items that match the schema of contains`;
  const tooMany = `must have at most ${most} items that match the schema of contains`;
  return ofArrays((value, at, evaluation, evaluated) => {
    let found = 0;
    for (const [step, item] of value.entries()) {
      if (!evaluation.quietly(() => evaluation.apply(rule, item, { parent: at, step }))) continue;
      found += 1;
      evaluated?.add(step);
    }
    if (found < least) return evaluation.report(at, "contains", tooFew);
    return found <= most || evaluation.report(at, "maxContains", tooMany);
  });
});

/** Compares canonical texts, so that the time does not grow with the square of the items. */
const uniqueItems = keyword(z.boolean(), (held) => {
  if (!held) return () => true;
  return ofArrays((value, at, evaluation) => {
    const places = new Map<string, number>();
    for (const [step, item] of value.entries()) {
      const text = canonicalJson(item, (steps) => evaluation.spend(steps));
      evaluation.spend(3);
      const before = places.get(text);
      if (before !== undefined) {
        const message = `must have unique items; items ${before} and ${step} are equal`;
        return evaluation.report(at, "uniqueItems", message);
      }
      places.set(text, step);
    }
    return true;
  });
});

/** Keywords of arrays. */
export const ARRAY_KEYWORDS: Record<string, Keyword> = {
  uniqueItems,
  prefixItems,
  items,
  contains,
  minContains: { type: count },
  maxContains: { type: count },
};

/** Makes a rule that reports each of these names that an object lacks. */
function having(list: string[], rule: string, message: string): Rule {
  return ofObjects((value, at, evaluation) => {
    evaluation.spend(list.length);
    return evaluation.every(list, (step) => {
      return Object.hasOwn(value, step) || evaluation.report({ parent: at, step }, rule, message);
    });
  });
}

/** Lists of names by name. A record of zod would lose the name `__proto__`. */
const NAME_LISTS = z.custom<JsonObject>(
  (map) => isObject(map) && Object.values(map).every((list) => names.safeParse(list).success),
  "must be an object of lists of names",
);

/** Names that an object with a member must have as well, or the schema that then applies to it. */
const dependents = (type: z.ZodType<JsonObject>): Keyword =>
  keyword(type, (map, _, compile) => {
    const rules = Object.entries(map).map(([name, held]) => {
      const needs = names.safeParse(held).data;
      const message = `is required when ${JSON.stringify(name)} is present`;
      const rule = needs
        ? having(needs, "dependentRequired", message)
        : compile(held, "dependentSchemas");
      return { name, rule };
    });
    return ofObjects((value, at, evaluation, evaluated) =>
      evaluation.every(rules, ({ name, rule }) => {
        evaluation.spend(1);
        return !Object.hasOwn(value, name) || evaluation.applyInPlace(rule, value, at, evaluated);
      }),
    );
  });

const propertyNames = keyword(SCHEMA, (held, _, compile) => {
  const rule = compile(held, "propertyNames");
  return ofObjects((value, at, evaluation) =>
    evaluation.every(Object.keys(value), (step) => {
      evaluation.spend(1);
      return (
        evaluation.quietly(() => evaluation.apply(rule, step, at)) ||
        evaluation.report({ parent: at, step }, "propertyNames", "is not an allowed name")
      );
    }),
  );
});

/** Makes the one rule of `properties`, `patternProperties` and `additionalProperties`. */
function members(schema: JsonObject, compile: Compile): Rule {
  const rulesFor = memberRules(schema, compile);
  return ofObjects((value, at, evaluation, evaluated) =>
    evaluation.every(Object.entries(value), (member) => {
      evaluation.spend(4);
      return evaluation.every(rulesFor(member[0], evaluation), (rule) =>
        evaluation.applyTo(member, rule, at, evaluated),
      );
    }),
  );
}

/** Returns a function from a member's name to its rules. */
function memberRules(
  { properties, patternProperties, additionalProperties }: JsonObject,
  compile: Compile,
): (name: string, evaluation: Evaluation) => Rule[] {
  const byName = new Map(
    entriesOf(properties).map(([name, held]) => [name, compile(held, "properties")]),
  );
  const byPattern = entriesOf(patternProperties).map(([pattern, held]) => ({
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

const entriesOf = (map: Json = null): [string, Json][] =>
  isObject(map) ? Object.entries(map) : [];

/** The three keywords are one rule, made where the first of them stands. */
const unlessAfter = (type: z.ZodType<Json>, ...before: string[]): Keyword =>
  keyword(type, (_, schema, compile) =>
    before.some((name) => Object.hasOwn(schema, name)) ? () => true : members(schema, compile),
  );

/** Keywords of objects. */
export const OBJECT_KEYWORDS: Record<string, Keyword> = {
  required: keyword(names, (list) => having(list, "required", "is required")),
  dependentRequired: dependents(NAME_LISTS),
  dependentSchemas: dependents(SCHEMA_MAP),
  dependencies: dependents(SCHEMA_MAP),
  propertyNames,
  properties: unlessAfter(SCHEMA_MAP),
  patternProperties: unlessAfter(SCHEMA_MAP, "properties"),
  additionalProperties: unlessAfter(SCHEMA, "properties", "patternProperties"),
};
