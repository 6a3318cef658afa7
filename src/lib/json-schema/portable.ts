import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { References } from "./references.ts";

/** A schema in portable keywords, and whether it lost a rule of the original that no description states. */
export interface PortableSchema {
  schema: JsonObject;
  lost: boolean;
}

/** References multiply: a result has at most this many times the schemas of the original. */
const MAX_GROWTH = 4;

/** Keywords that only limit a value. They become words in the description. */
const LIMITS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
];

/** Keywords that no provider knows and no short sentence replaces. */
const LOST = [
  "$dynamicRef",
  "dependencies",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
];

/**
 * Rewrites a JSON Schema 2020-12 in the keywords that the function calling of OpenAI, Anthropic and
 * Workers AI has in common: `type`, `description`, `enum`, `anyOf`, `properties`, `required`, `items`
 * and `additionalProperties`. References are replaced by their targets, objects are closed, and defaults
 * become part of the description, as do limits unless `limits` is "drop". The result may accept more than the
 * original, except for undeclared properties: check values against the original.
 */
export function portableSchema(
  root: JsonObject,
  { limits }: { limits: "describe" | "drop" } = { limits: "describe" },
): PortableSchema {
  const references = new References();
  const count = addSchemas(root, references);
  let visited = 0;
  let lost = false;

  function rewrite(schema: Json, within: readonly Json[]): JsonObject {
    visited += 1;
    if (!isObject(schema) || within.includes(schema) || visited > MAX_GROWTH * count) {
      lost ||= schema !== true;
      return {};
    }
    const inside = [...within, schema];
    if (typeof schema.$ref === "string") {
      const target = rewrite(references.resolve(schema, schema.$ref) ?? false, inside);
      return typeof schema.description === "string"
        ? { ...target, description: schema.description }
        : target;
    }
    if (Array.isArray(schema.allOf)) return rewrite(merged(schema, inside), inside);
    lost ||= LOST.some((keyword) => keyword in schema);
    return { ...shapeOf(schema, inside), ...described(schema, limits) };
  }

  /** Joins the parts of `allOf` to one schema. */
  function merged({ allOf, ...own }: JsonObject, within: readonly Json[]): JsonObject {
    const parts = [allOf ?? []].flat().map((part) => {
      const target =
        isObject(part) && typeof part.$ref === "string"
          ? references.resolve(part, part.$ref)
          : part;
      if (isObject(target) && !within.includes(target)) return target;
      lost = true;
      return {};
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
    if (own.properties !== undefined || own.items !== undefined) {
      lost = true;
      return shapeOf(own, inside);
    }
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
    if (isObject(rest)) lost = true;
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

  const schema = rewrite(root, []);
  return { schema, lost };
}

/** Returns the schemas in a schema, its definitions included. */
function addSchemas(schema: JsonObject, references: References, base?: string): number {
  const own = references.add(schema, base);
  const inside = Object.values(schema).flatMap((value) => [value].flat());
  return inside
    .filter(isObject)
    .reduce((count, each) => count + addSchemas(each, references, own), 1);
}

function described(schema: JsonObject, limits: "describe" | "drop"): JsonObject {
  const text = typeof schema.description === "string" ? schema.description : "";
  const rules = limits === "drop" ? [] : LIMITS.filter((keyword) => keyword in schema);
  const shown = isScalar(schema.default) ? [...rules, "default"] : rules;
  const list = shown.map((keyword) => `${keyword} ${textOf(schema[keyword])}`).join(", ");
  const description = [text, ...(list === "" ? [] : [`(${list})`])].filter(Boolean).join(" ");
  return description === "" ? {} : { description };
}

const isScalar = (value: Json | undefined) => value !== undefined && typeof value !== "object";
const textOf = (value: Json | undefined) =>
  typeof value === "string" ? value : JSON.stringify(value);

function typesOf(values: Json[]): Json {
  const types = [...new Set(values.map(typeOf))];
  return types.length === 1 ? (types[0] ?? "string") : types;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
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
