import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { portableSchema } from "./portable.ts";

/**
 * Returns a tool's input schema in portable keywords, always one object: no provider accepts
 * alternatives at the top. Those are merged into an object with the properties of all.
 */
export function parametersOf(
  schema: JsonObject,
  options?: { limits: "describe" | "drop" },
): JsonObject {
  const { schema: portable } = portableSchema(schema, options);
  const variants = Array.isArray(portable.anyOf) ? portable.anyOf.filter(isObject) : [portable];
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
