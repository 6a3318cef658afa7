import { isObject, type Json, type JsonObject, jsonType, mapMembers } from "../json-values.ts";
import { References } from "./references.ts";

/** References multiply: a result has at most this many times the schemas of the original. */
const MAX_GROWTH = 4;

/**
 * Rewrites a JSON Schema 2020-12 in the keywords that the function calling of OpenAI, Anthropic and
 * Workers AI has in common: `type`, `description`, `enum`, `anyOf`, `properties`, `required`, `items`
 * and `additionalProperties`. References are replaced by their targets, objects are closed, and scalar
 * defaults become part of the description. The result may accept more than the original, except for
 * undeclared properties: check values against the original.
 */
export function portableSchema(root: JsonObject): JsonObject {
  const references = new References();
  const count = addSchemas(root, references);
  let visited = 0;

  function rewrite(schema: Json, within: readonly Json[]): JsonObject {
    visited += 1;
    if (!isObject(schema) || within.includes(schema) || visited > MAX_GROWTH * count) return {};
    const inside = [...within, schema];
    if (typeof schema.$ref === "string") {
      const target = rewrite(references.resolve(schema, schema.$ref) ?? false, inside);
      return typeof schema.description === "string"
        ? { ...target, description: schema.description }
        : target;
    }
    if (Array.isArray(schema.allOf)) return rewrite(merged(schema, inside), inside);
    return { ...shapeOf(schema, inside), ...described(schema) };
  }

  /** Joins the parts of `allOf` to one schema. */
  function merged({ allOf, ...own }: JsonObject, within: readonly Json[]): JsonObject {
    const parts = [allOf ?? []].flat().map((part) => {
      const target =
        isObject(part) && typeof part.$ref === "string"
          ? references.resolve(part, part.$ref)
          : part;
      return isObject(target) && !within.includes(target) ? target : {};
    });
    const all = [...parts, own];
    const properties = all.flatMap((part) => Object.entries(asObject(part.properties)));
    return {
      ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      required: all.flatMap((part) => asList(part.required)),
    };
  }

  function shapeOf(schema: JsonObject, inside: readonly Json[]): JsonObject {
    const values = "const" in schema ? [schema.const ?? null] : schema.enum;
    if (Array.isArray(values)) return { type: typesOf(values), enum: values };
    const variants = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(variants)) return variantsOf(schema, variants, inside);
    const type = schema.type ?? inferredType(schema);
    if (type === undefined) return {};
    return {
      type,
      ...(includesType(type, "object") ? objectShape(schema, inside) : {}),
      ...(includesType(type, "array") ? arrayShape(schema, inside) : {}),
    };
  }

  /** A schema that has properties and alternatives keeps only the properties. */
  function variantsOf(schema: JsonObject, variants: Json[], inside: readonly Json[]): JsonObject {
    const { anyOf: _, oneOf: __, ...own } = schema;
    if (own.properties !== undefined || own.items !== undefined) return shapeOf(own, inside);
    const rewritten = variants.map((variant) => rewrite(variant, inside));
    return rewritten.some(isEmpty) ? {} : { anyOf: rewritten };
  }

  function objectShape(schema: JsonObject, inside: readonly Json[]): JsonObject {
    const required = [...new Set(asList(schema.required))].filter(
      (name) => typeof name === "string",
    );
    const declared = asObject(schema.properties);
    const names = [...new Set([...Object.keys(declared), ...required])];
    const rest = schema.additionalProperties;
    if (names.length === 0) {
      return isObject(rest) ? { additionalProperties: rewrite(rest, inside) } : {};
    }
    return {
      properties: Object.fromEntries(
        names.map((name) => [name, rewrite(declared[name] ?? true, inside)]),
      ),
      required,
      additionalProperties: false,
    };
  }

  function arrayShape({ items, prefixItems }: JsonObject, inside: readonly Json[]): JsonObject {
    if (items !== undefined) return { items: rewrite(items, inside) };
    if (!Array.isArray(prefixItems)) return { items: {} };
    return { items: { anyOf: prefixItems.map((item) => rewrite(item, inside)) } };
  }

  return rewrite(root, []);
}

/** Returns the schemas in a schema, its definitions included. */
function addSchemas(schema: JsonObject, references: References, base?: string): number {
  const own = references.add(schema, base);
  const inside = Object.values(schema).flatMap((value) => [value].flat());
  return inside
    .filter(isObject)
    .reduce((count, each) => count + addSchemas(each, references, own), 1);
}

function described({ description, default: usual }: JsonObject): JsonObject {
  const text = typeof description === "string" ? description : "";
  const isScalar = usual !== undefined && typeof usual !== "object";
  const words = [text, isScalar ? `(default ${usual})` : ""].filter(Boolean).join(" ");
  return words === "" ? {} : { description: words };
}

function typesOf(values: Json[]): Json {
  const types = [...new Set(values.map(jsonType))];
  return types.length === 1 ? (types[0] ?? "string") : types;
}

function inferredType(schema: JsonObject): string | undefined {
  const isObjects = "properties" in schema || "additionalProperties" in schema;
  if (isObjects || asList(schema.required).length > 0) return "object";
  return "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

const includesType = (type: Json, name: string) => [type].flat().includes(name);
const isEmpty = (schema: JsonObject) => Object.keys(schema).length === 0;
const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

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
  const named = isObject(properties) && { properties: mapMembers(properties, inside) };
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
