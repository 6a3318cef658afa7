import * as z from "zod";
import type { Json, JsonObject } from "../contract/json.ts";
import { isObject } from "../lib/json-values.ts";
import { patternFault } from "../lib/pattern.ts";
import { checkReferences } from "./references.ts";
import { SchemaFault } from "./schema-fault.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

const typeName = z.enum(["null", "boolean", "object", "array", "number", "string", "integer"]);
const count = z.int().min(0);
const names = z.array(z.string());

/** What the keywords of 2020-12 hold that are no schemas themselves; unknown keywords are notes. */
const VALUES = new Map<string, z.ZodType>(
  Object.entries({
    $schema: z.enum([DIALECT, `${DIALECT}#`]),
    $ref: z.string().startsWith("#", "must point into this schema: nothing else is fetched"),
    $anchor: z.string(),
    $id: z.never("is not supported: all references are within this schema"),
    $dynamicRef: z.never("is not supported; use $ref"),
    $dynamicAnchor: z.never("is not supported; use $anchor"),
    type: z.union([typeName, z.array(typeName).min(1)]),
    enum: z.array(z.unknown()),
    required: names,
    dependentRequired: z.record(z.string(), names),
    pattern: z.string(),
    format: z.string(),
    minimum: z.number(),
    maximum: z.number(),
    exclusiveMinimum: z.number(),
    exclusiveMaximum: z.number(),
    multipleOf: z.number().positive(),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: z.boolean(),
  }),
);

/** How the keywords that hold schemas hold them. */
const HOLDERS = new Map<string, "one" | "list" | "map">([
  ["additionalProperties", "one"],
  ["propertyNames", "one"],
  ["unevaluatedProperties", "one"],
  ["unevaluatedItems", "one"],
  ["items", "one"],
  ["contains", "one"],
  ["not", "one"],
  ["if", "one"],
  ["then", "one"],
  ["else", "one"],
  ["prefixItems", "list"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["properties", "map"],
  ["patternProperties", "map"],
  ["dependentSchemas", "map"],
  ["$defs", "map"],
  // Its name before 2019-09, which the vocabulary still reserves for it.
  ["definitions", "map"],
]);

/**
 * What keeps this from being a JSON Schema 2020-12 that can be checked against here, or null: its
 * keywords hold what they must, its references stay within it and end, and its patterns run in linear
 * time. The depth of the schema must be bounded.
 */
export function schemaFault(schema: JsonObject): SchemaFault | null {
  try {
    checkedSchemas(schema);
    return null;
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
}

/** All schemas in a schema, itself among them. Throws a `SchemaFault` where `schemaFault` finds one. */
export function checkedSchemas(schema: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  checkSchema(schema, "", found);
  checkReferences(schema, found);
  return found;
}

/** Checks a schema with all in it and adds them to `found`. */
function checkSchema(schema: Json, path: string, found: JsonObject[]): void {
  if (typeof schema === "boolean") return;
  const object = asObject(schema, path, "must be a schema: an object, true or false");
  found.push(object);
  for (const [keyword, value] of Object.entries(object)) {
    checkKeyword(keyword, value, `${path}.${keyword}`, found);
  }
}

function checkKeyword(keyword: string, value: Json, path: string, found: JsonObject[]): void {
  const wrong = VALUES.get(keyword)?.safeParse(value).error?.issues[0];
  if (wrong) throw new SchemaFault(path, keyword, wrong.message);
  if (keyword === "pattern") checkPattern(String(value), path);
  const holder = HOLDERS.get(keyword);
  if (holder === "one") checkSchema(value, path, found);
  if (holder === "list") checkList(value, path, found);
  if (holder === "map") checkMap(keyword, value, path, found);
}

function checkList(value: Json, path: string, found: JsonObject[]): void {
  if (!Array.isArray(value) || value.length === 0) {
    throw new SchemaFault(path, "schema", "must be a list of at least one schema");
  }
  for (const [at, schema] of value.entries()) checkSchema(schema, `${path}[${at}]`, found);
}

function checkMap(keyword: string, value: Json, path: string, found: JsonObject[]): void {
  for (const [name, schema] of Object.entries(asObject(value, path, "must hold schemas by name"))) {
    if (keyword === "patternProperties") checkPattern(name, `${path}.${name}`);
    checkSchema(schema, `${path}.${name}`, found);
  }
}

function checkPattern(pattern: string, path: string): void {
  const fault = patternFault(pattern);
  if (fault !== null) throw new SchemaFault(path, "pattern", fault);
}

function asObject(value: Json, path: string, otherwise: string): JsonObject {
  if (isObject(value)) return value;
  throw new SchemaFault(path, "schema", otherwise);
}
