import { isObject, type Json, type JsonObject, jsonType } from "../json-values.ts";
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
