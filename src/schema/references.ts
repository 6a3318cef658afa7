import type { Json, JsonObject } from "../contract/json.ts";
import { isObject } from "../lib/json-values.ts";
import { SchemaFault } from "./schema-fault.ts";

/** Schemas that may apply to one and the same value. */
const MAX_APPLIED = 1_000;

/** Keywords whose schemas apply to the very value that the schema itself applies to. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/**
 * Throws a `SchemaFault` when a `$ref` leads to none of these schemas, when schemas refer to each other in a
 * circle without going into the value (checking it would never end), or when references multiply
 * beyond measure. `schemas` are all schemas within `root`.
 */
export function checkReferences(root: JsonObject, schemas: JsonObject[]): void {
  const known = new Set(schemas);
  const anchors = anchorsOf(schemas);
  const targets = new Map<JsonObject, JsonObject>();
  for (const schema of schemas) {
    if (typeof schema.$ref !== "string") continue;
    const target = resolve(schema.$ref, root, anchors);
    if (typeof target === "boolean") continue;
    if (!isObject(target) || !known.has(target)) {
      throw new SchemaFault("", "$ref", `has a $ref to no schema: ${schema.$ref}`);
    }
    targets.set(schema, target);
  }
  const counts = new Map<JsonObject, number>();
  for (const schema of schemas) countApplied(schema, targets, counts, 0);
}

/** How many schemas apply to a value that this one applies to; each schema is counted once. */
function countApplied(
  schema: JsonObject,
  targets: Map<JsonObject, JsonObject>,
  counts: Map<JsonObject, number>,
  depth: number,
): number {
  const known = counts.get(schema);
  if (known === Infinity) throw new SchemaFault("", "$ref", "refers to itself without end");
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

/** The schemas that have an anchor, by it. */
export function anchorsOf(schemas: JsonObject[]): Anchors {
  return new Map(schemas.map((schema) => [schema.$anchor, schema]));
}

/** What a reference within the schema points at: a JSON Pointer (RFC 6901) or an anchor. */
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

/** A fragment without its percent-encoding (RFC 6901 section 6); as it is, where that is malformed. */
function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
