import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { patternFault } from "../pattern/linear-pattern.ts";
import { SchemaFault } from "./schema-fault.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

const typeName = z.enum(["null", "boolean", "object", "array", "number", "string", "integer"]);
const count = z.int().min(0);
const names = z.array(z.string());

/** Keywords of 2020-12 whose values are not schemas; unknown keywords are annotations. */
const VALUES = new Map<string, z.ZodType>(
  Object.entries({
    $schema: z.enum([DIALECT, `${DIALECT}#`]),
    $ref: z.string().startsWith("#", "must point into this schema; nothing else is fetched"),
    $anchor: z.string(),
    $id: z.never("is not supported; all references point into this schema"),
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

/** Keywords whose values are schemas, lists of schemas or maps of schemas. */
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
  // The name of $defs before 2019-09, still reserved for it.
  ["definitions", "map"],
]);

/** Schemas that may apply to one and the same value. */
const MAX_APPLIED = 1_000;

/** Keywords whose schemas apply to the very value that the schema itself applies to. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/**
 * Returns the first error of a JSON Schema 2020-12, or null: keyword values of the wrong type,
 * references that leave the schema or never end, and patterns that cannot run in linear time. The
 * depth of the schema must be bounded.
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

/** Returns all schemas in a schema, itself included; throws what `schemaFault` returns. */
export function checkedSchemas(schema: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  checkSchema(schema, "", found);
  checkReferences(schema, found);
  return found;
}

/** Checks a schema with its subschemas and adds them to `found`. */
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
    throw new SchemaFault(path, "schema", "must be an array of at least one schema");
  }
  for (const [at, schema] of value.entries()) checkSchema(schema, `${path}[${at}]`, found);
}

function checkMap(keyword: string, value: Json, path: string, found: JsonObject[]): void {
  for (const [name, schema] of Object.entries(
    asObject(value, path, "must be an object of schemas"),
  )) {
    if (keyword === "patternProperties") checkPattern(name, `${path}.${name}`);
    checkSchema(schema, `${path}.${name}`, found);
  }
}

function checkPattern(pattern: string, path: string): void {
  const fault = patternFault(pattern);
  if (fault !== null) throw new SchemaFault(path, "pattern", fault);
}

function asObject(value: Json, path: string, message: string): JsonObject {
  if (isObject(value)) return value;
  throw new SchemaFault(path, "schema", message);
}

/**
 * Throws a `SchemaFault` for a `$ref` to none of these schemas, for schemas that refer to each other
 * in a circle without descending into the value (validation would never end), and for references that
 * multiply beyond `MAX_APPLIED`. `schemas` are all schemas within `root`.
 */
function checkReferences(root: JsonObject, schemas: JsonObject[]): void {
  const known = new Set(schemas);
  const anchors = anchorsOf(schemas);
  const targets = new Map<JsonObject, JsonObject>();
  for (const schema of schemas) {
    if (typeof schema.$ref !== "string") continue;
    const target = resolve(schema.$ref, root, anchors);
    if (typeof target === "boolean") continue;
    if (!isObject(target) || !known.has(target)) {
      throw new SchemaFault("", "$ref", `has a $ref that points to no schema: ${schema.$ref}`);
    }
    targets.set(schema, target);
  }
  const counts = new Map<JsonObject, number>();
  for (const schema of schemas) countApplied(schema, targets, counts, 0);
}

/** Counts the schemas that apply to a value of this one; each schema is counted once. */
function countApplied(
  schema: JsonObject,
  targets: Map<JsonObject, JsonObject>,
  counts: Map<JsonObject, number>,
  depth: number,
): number {
  const known = counts.get(schema);
  if (known === Infinity)
    throw new SchemaFault("", "$ref", "refers to itself in a circle that never ends");
  if (known !== undefined) return known;
  // A chain of references is followed by recursion, so its length is bounded on the way down.
  if (depth > MAX_APPLIED) throw tooManyApplied();
  counts.set(schema, Infinity);
  let count = 1;
  for (const next of appliedWith(schema, targets)) {
    count += countApplied(next, targets, counts, depth + 1);
    if (count > MAX_APPLIED) throw tooManyApplied();
  }
  counts.set(schema, count);
  return count;
}

function tooManyApplied() {
  return new SchemaFault("", "$ref", `applies more than ${MAX_APPLIED} schemas to one value`);
}

function appliedWith(schema: JsonObject, targets: Map<JsonObject, JsonObject>): JsonObject[] {
  const { dependentSchemas } = schema;
  const target = targets.get(schema);
  return [
    ...IN_PLACE.flatMap((keyword) => schema[keyword] ?? []),
    ...(isObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
    ...(target ? [target] : []),
  ].filter(isObject);
}

type Anchors = Map<Json | undefined, JsonObject>;

/** Maps anchors to their schemas. */
export function anchorsOf(schemas: JsonObject[]): Anchors {
  return new Map(schemas.map((schema) => [schema.$anchor, schema]));
}

/** Resolves a reference within the schema: a JSON Pointer (RFC 6901) or an anchor. */
export function resolve(reference: string, root: JsonObject, anchors: Anchors): Json | undefined {
  const fragment = unescaped(reference.slice(1));
  if (fragment !== "" && !fragment.startsWith("/")) {
    return anchors.get(fragment);
  }
  let place: Json | undefined = root;
  for (const token of fragment.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name))
      return undefined;
    place = Array.isArray(place) ? place[Number(name)] : place[name];
  }
  return place;
}

/** Decodes a fragment (RFC 6901 section 6); a malformed one stays unchanged. */
function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
