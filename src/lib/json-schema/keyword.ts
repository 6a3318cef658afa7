import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../json-values.ts";
import type { Rule } from "./evaluation.ts";

/** An error in a JSON Schema. `path` leads to it from the schema's root, as `.properties.age.type`. */
export class SchemaFault extends Error {
  readonly path: string;
  readonly rule: string;

  constructor(path: string, rule: string, message: string) {
    super(message);
    this.name = "SchemaFault";
    this.path = path;
    this.rule = rule;
  }
}

/** Makes the rule of a schema that stands under `keyword` of another one. */
export type Compile = (schema: Json, keyword: string) => Rule;

/** A keyword of 2020-12: what its value must be, and how its rule is made from that. */
export interface Keyword {
  type: z.ZodType;
  /** Left out where others read the keyword. */
  rule?: (held: Json, schema: JsonObject, compile: Compile) => Rule;
}

/** Values of keywords that are a schema, a list of schemas or a map of them; each schema is checked by itself. */
export const SCHEMA = z.custom<Json>();
export const SCHEMA_LIST = z.custom<Json[]>(
  (value) => Array.isArray(value) && value.length > 0,
  "must be an array of at least one schema",
);
export const SCHEMA_MAP = z.custom<JsonObject>(isObject, "must be an object of schemas");

export const anyValue = z.custom<Json>();
export const count = z.int().min(0);
export const names = z.array(z.string());

/** Defines a keyword by its type and by what makes its rule from a value of that type. */
export function keyword<Held>(
  type: z.ZodType<Held>,
  make: (held: Held, schema: JsonObject, compile: Compile) => Rule,
): Required<Keyword> {
  return { type, rule: (held, schema, compile) => make(type.parse(held), schema, compile) };
}

/** Returns a rule of arrays, which all other values satisfy. */
export function ofArrays(rule: Rule<Json[]>): Rule {
  return (value, ...rest) => !Array.isArray(value) || rule(value, ...rest);
}

/** Returns a rule of objects, which all other values satisfy. */
export function ofObjects(rule: Rule<JsonObject>): Rule {
  return (value, ...rest) => !isObject(value) || rule(value, ...rest);
}
