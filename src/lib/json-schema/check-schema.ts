import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { patternFault } from "../pattern/linear-pattern.ts";
import { names, SCHEMA, SCHEMA_LIST, SCHEMA_MAP, SchemaFault } from "./keyword.ts";
import { KEYWORDS } from "./keywords.ts";
import { References } from "./references.ts";

/** Keywords that refer to another schema. */
export const REFERENCES = ["$ref", "$dynamicRef"] as const;

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
    checkNoDynamicReferences(checkedWalk(schema));
    return null;
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
}

/** Returns the references of a schema; throws what `schemaFault` returns for one that was stored. */
export function checkedReferences(schema: JsonObject): References {
  return checkedWalk(schema).references;
}

function checkedWalk(schema: JsonObject): Walk {
  const walk: Walk = { references: new References(), found: [] };
  checkSchema(schema, "", undefined, walk);
  checkReferences(walk);
  return walk;
}

/** The schemas found so far, with their places. */
interface Walk {
  references: References;
  found: { schema: JsonObject; path: string }[];
}

/** Refuses what the validator does not know. */
function checkNoDynamicReferences({ found }: Walk): void {
  const first = found.find(({ schema }) => "$dynamicRef" in schema);
  if (first === undefined) return;
  const message = "is not supported. Use $ref";
  throw new SchemaFault(`${first.path}.$dynamicRef`, "$dynamicRef", message);
}

/** Checks a schema with its subschemas and adds them to the walk. */
function checkSchema(schema: Json, path: string, base: string | undefined, walk: Walk): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) {
    throw new SchemaFault(path, "schema", "must be a schema: an object, true or false");
  }
  const own = walk.references.add(schema, base);
  walk.found.push({ schema, path });
  for (const [keyword, value] of Object.entries(schema)) {
    checkKeyword(keyword, value, `${path}.${keyword}`, own, walk);
  }
}

function checkKeyword(keyword: string, value: Json, path: string, base: string, walk: Walk): void {
  const type = KEYWORDS.get(keyword)?.type;
  const wrong = type?.safeParse(value).error?.issues[0];
  if (wrong) {
    const holdsSchemas = type === SCHEMA_LIST || type === SCHEMA_MAP;
    throw new SchemaFault(path, holdsSchemas ? "schema" : keyword, wrong.message);
  }
  if (keyword === "pattern") checkPattern(String(value), path);
  if (type === SCHEMA) checkSchema(value, path, base, walk);
  if (type !== SCHEMA_LIST && type !== SCHEMA_MAP) return;
  for (const [name, schema] of Object.entries(value ?? {})) {
    const place = type === SCHEMA_LIST ? `${path}[${name}]` : `${path}.${name}`;
    if (keyword === "patternProperties") checkPattern(name, place);
    if (keyword === "dependencies" && names.safeParse(schema).success) continue;
    checkSchema(schema, place, base, walk);
  }
}

function checkPattern(pattern: string, path: string): void {
  const fault = patternFault(pattern);
  if (fault !== null) throw new SchemaFault(path, "pattern", fault);
}

/**
 * Throws a `SchemaFault` for a reference out of the document, for schemas that refer to each other in a
 * circle without descending into the value (validation would never end), and for references that multiply
 * beyond `MAX_APPLIED`. The target of a reference is a schema, also where no keyword says so.
 */
function checkReferences(walk: Walk): void {
  const { references, found } = walk;
  const targets = new Map<JsonObject, JsonObject[]>();
  // Grows while it is walked through.
  for (const { schema, path } of found) {
    for (const keyword of REFERENCES) {
      const reference = schema[keyword];
      if (typeof reference !== "string") continue;
      const target = references.resolve(schema, reference);
      if (typeof target === "boolean") continue;
      if (!isObject(target)) throw pointsOutside(`${path}.${keyword}`, keyword, reference);
      if (!references.knows(target)) checkSchema(target, "", references.baseOf(schema), walk);
      targets.set(schema, [...(targets.get(schema) ?? []), target]);
    }
  }
  const counts = new Map<JsonObject, number>();
  for (const { schema } of found) countApplied(schema, targets, counts, 0);
}

function pointsOutside(path: string, keyword: string, reference: string): SchemaFault {
  const message = `points to nothing in this schema: ${reference}. Remote schemas are not fetched; put a copy into $defs`;
  return new SchemaFault(path, keyword, message);
}

/** Counts the schemas that apply to a value of this one; each schema is counted once. */
function countApplied(
  schema: JsonObject,
  targets: Map<JsonObject, JsonObject[]>,
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

function appliedWith(schema: JsonObject, targets: Map<JsonObject, JsonObject[]>): JsonObject[] {
  const { dependentSchemas, dependencies } = schema;
  return [
    ...IN_PLACE.flatMap((keyword) => schema[keyword] ?? []),
    ...[dependentSchemas, dependencies].filter(isObject).flatMap((map) => Object.values(map)),
    ...(targets.get(schema) ?? []),
  ].filter(isObject);
}
