import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { portableSchema } from "./portable.ts";

/**
 * Returns a tool's input schema in portable keywords, always one object: no provider accepts
 * alternatives at the top. Those are merged into an object with the properties of all; `alternatives` says
 * whether those further inside are too, which a description then has to tell apart.
 */
export function parametersOf(
  schema: JsonObject,
  { alternatives = "keep" }: { alternatives?: "keep" | "merge" } = {},
): JsonObject {
  const portable = portableSchema(schema);
  const shown = alternatives === "merge" ? withMerged(portable) : portable;
  return mergedObject(Array.isArray(shown.anyOf) ? shown.anyOf.filter(isObject) : [shown]);
}

/** Merges the objects of a list of alternatives, and of each list inside. */
function withMerged(schema: JsonObject): JsonObject {
  const { properties, items, anyOf, ...own } = schema;
  const inside = (part: Json) => (isObject(part) ? withMerged(part) : part);
  if (Array.isArray(anyOf)) {
    const variants = anyOf.filter(isObject).map(withMerged);
    const areObjects = variants.every(({ type }) => type === "object");
    return { ...own, ...(areObjects ? mergedObject(variants) : { anyOf: variants }) };
  }
  const named = isObject(properties) && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, inside(part)]),
    ),
  };
  return { ...schema, ...named, ...(items !== undefined && { items: inside(items) }) };
}

/** Returns one object with the properties of all; those that all require are required. */
function mergedObject(variants: readonly JsonObject[]): JsonObject {
  const objects = variants.filter(({ type }) => type === "object");
  const required = [...new Set(objects.flatMap(requiredOf))].filter((name) =>
    objects.every((each) => requiredOf(each).includes(name)),
  );
  const names = [...new Set(objects.flatMap((each) => Object.keys(propertiesOf(each))))];
  const properties = names.map((name) => [
    name,
    joined(objects.flatMap((each) => propertiesOf(each)[name] ?? [])),
  ]);
  const isClosed = names.length > 0 && objects.every((each) => each.additionalProperties === false);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

function joined(schemas: Json[]): Json {
  const distinct = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  const [first, ...others] = distinct;
  if (first !== undefined && others.length === 0) return first;
  const parts = distinct.filter(isObject);
  const values = parts.flatMap((part) => (Array.isArray(part.enum) ? [part.enum] : []));
  if (values.length < parts.length) return { anyOf: parts };
  return { ...parts[0], enum: [...new Set(values.flat())] };
}

function requiredOf({ required }: JsonObject): Json[] {
  return Array.isArray(required) ? required : [];
}

/** Returns the properties of a schema. */
export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}
