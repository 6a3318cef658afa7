import type { Json, JsonObject } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";

/** The figures of a portable schema that strict modes limit. */
interface Figures {
  /** Properties that are not required. */
  optional: number;
  /** Properties of more than one type. */
  unions: number;
  properties: number;
  depth: number;
  enumValues: number;
  /** Characters of all names and enum values. */
  characters: number;
  /** Characters of the longest enum of more than 250 values. */
  longEnum: number;
}

/** A provider's strict mode. */
export interface StrictMode {
  /** Whether all properties must be required; an optional one then accepts null. */
  requiresAll: boolean;
  /** The published limits. */
  most: Figures;
}

const SHARED = {
  properties: 5_000,
  depth: 10,
  enumValues: 1_000,
  characters: 120_000,
  longEnum: 15_000,
};

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export const OPENAI_STRICT: StrictMode = {
  requiresAll: true,
  most: { ...SHARED, optional: 0, unions: Number.POSITIVE_INFINITY },
};

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits */
export const ANTHROPIC_STRICT: StrictMode = {
  requiresAll: false,
  most: { ...SHARED, optional: 24, unions: 16 },
};

/**
 * Returns a portable schema in the form that a strict mode enforces, or null if that mode does not
 * support it.
 */
export function strictSchema(schema: JsonObject, mode: StrictMode): JsonObject | null {
  const strict = mode.requiresAll ? requireAll(schema) : schema;
  const { isOpen, ...figures } = measure(strict);
  const { most } = mode;
  const fits =
    figures.optional <= most.optional &&
    figures.unions <= most.unions &&
    figures.properties <= most.properties &&
    figures.depth <= most.depth &&
    figures.enumValues <= most.enumValues &&
    figures.characters <= most.characters &&
    figures.longEnum <= most.longEnum;
  return fits && !isOpen ? strict : null;
}

/** Makes every property required; those that were optional accept null. */
function requireAll(schema: JsonObject): JsonObject {
  const { properties, required, items, anyOf } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const inside = (part: Json) => (isObject(part) ? requireAll(part) : {});
  return {
    ...schema,
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [
              name,
              needed.has(name) ? inside(part) : nullable(inside(part)),
            ]),
          ),
          required: Object.keys(properties),
        }
      : {}),
    ...(isObject(items) ? { items: inside(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(inside) } : {}),
  };
}

function nullable(optional: JsonObject): JsonObject {
  const { description, ...schema } = optional;
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (variants.some((each) => isObject(each) && each.type === "null")) return optional;
  const either = { anyOf: [schema, { type: "null" }] };
  return description === undefined ? either : { ...either, description };
}

interface Measure extends Figures {
  /** Whether some part accepts any value, any property or any item. */
  isOpen: boolean;
}

/** An enum of more values is a long one. */
const LONG_ENUM = 250;

function measure(schema: JsonObject): Measure {
  const { properties, required, items, anyOf, type, enum: values } = schema;
  const named = isObject(properties) ? Object.entries(properties) : [];
  const inside = [
    ...named.map(([, part]) => part),
    ...(isObject(items) ? [items] : []),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ].map((part) => measure(isObject(part) ? part : {}));
  const sum = (figure: Exclude<keyof Measure, "isOpen">) =>
    inside.reduce((total, part) => total + part[figure], 0);
  const types = [type ?? []].flat();
  const needed = Array.isArray(required) ? required.length : 0;
  const listed = Array.isArray(values) ? values : [];
  const listedCharacters = listed.reduce<number>((total, value) => total + String(value).length, 0);
  return {
    isOpen:
      (types.length === 0 && !Array.isArray(anyOf)) ||
      (types.includes("object") && schema.additionalProperties !== false) ||
      (types.includes("array") && !isObject(items)) ||
      inside.some((part) => part.isOpen),
    optional: named.length - Math.min(needed, named.length) + sum("optional"),
    unions: (Array.isArray(anyOf) || types.length > 1 ? 1 : 0) + sum("unions"),
    properties: named.length + sum("properties"),
    depth: (named.length > 0 ? 1 : 0) + Math.max(0, ...inside.map(({ depth }) => depth)),
    enumValues: listed.length + sum("enumValues"),
    characters:
      named.reduce((total, [name]) => total + name.length, 0) +
      listedCharacters +
      sum("characters"),
    longEnum: Math.max(
      listed.length > LONG_ENUM ? listedCharacters : 0,
      ...inside.map(({ longEnum }) => longEnum),
    ),
  };
}
