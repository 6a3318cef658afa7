import { nameIn, type Schema } from "../openapi.ts";

/** A type as it is told: words, and names of schemas that are explained elsewhere. */
export type TypePart = { text: string } | { schema: string };

const FORMATS: Record<string, string> = {
  uuid: "UUID",
  "date-time": "time (ISO 8601)",
  binary: "bytes",
};
const PLURALS: Record<string, string> = {
  string: "strings",
  integer: "whole numbers",
  number: "numbers",
  boolean: "true or false values",
  object: "objects",
  array: "lists",
  UUID: "UUIDs",
};

const LIST = "list of ";

/** The type of a value in a few words. */
export function typeOf(schema: Schema): TypePart[] {
  if (schema.$ref !== undefined) return [{ schema: nameIn(schema.$ref) }];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return joined(alternatives.map(typeOf), " or ");
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  const types = [schema.type ?? "any JSON value"].flat();
  return joined(
    types.map((type) => namedType(type, schema)),
    " or ",
  );
}

function namedType(type: string, schema: Schema): TypePart[] {
  switch (type) {
    case "array":
      return [{ text: LIST }, ...plural(typeOf(schema.items ?? {}))];
    case "object":
      return typeof schema.additionalProperties === "object" && !schema.properties
        ? [{ text: "object of " }, ...plural(typeOf(schema.additionalProperties))]
        : [{ text: "object" }];
    case "string":
      return [{ text: FORMATS[schema.format ?? ""] ?? "string" }];
    case "integer":
      return [{ text: "whole number" }];
    case "boolean":
      return [{ text: "true or false" }];
    default:
      return [{ text: type }];
  }
}

function plural(parts: TypePart[]): TypePart[] {
  const [only, ...rest] = parts;
  if (only === undefined || !("text" in only)) return parts;
  if (only.text === LIST) return [{ text: "lists of " }, ...rest];
  if (rest.length > 0) return parts;
  if (only.text === "any JSON value") return [{ text: "any JSON values" }];
  if (only.text === "whole number") return [{ text: "whole numbers" }];
  return [{ text: PLURALS[only.text] ?? only.text }];
}

function joined(lists: TypePart[][], between: string): TypePart[] {
  return lists.flatMap((parts, at) => (at === 0 ? parts : [{ text: between }, ...parts]));
}

/** What a value is where it may be null instead; null for what has several alternatives, or none. */
function unlessNull({ anyOf, oneOf }: Schema): Schema | null {
  const [only, ...others] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== "null");
  return only !== undefined && others.length === 0 ? only : null;
}

/** What a value must keep to beside its type, each in a few words. */
export function limitsOf(schema: Schema): string[] {
  const { items } = schema;
  const inner = unlessNull(schema);
  if (inner !== null) return limitsOf(inner);
  const ofItems = items && !items.$ref ? limitsOf(items).map((limit) => `each ${limit}`) : [];
  return [
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minItems, schema.maxItems, "item"),
    range(schema.minimum, schema.maximum, ""),
    ...ofItems,
  ].filter((limit) => limit !== null);
}

const figure = new Intl.NumberFormat("en");

function range(least?: number, most?: number, unit = ""): string | null {
  const counted = (count: number) =>
    `${figure.format(count)}${unit === "" ? "" : ` ${unit}${count === 1 ? "" : "s"}`}`;
  if (least !== undefined && most !== undefined) {
    if (least === most) return counted(most);
    return `${figure.format(least)} to ${counted(most)}`;
  }
  if (most !== undefined) return `at most ${counted(most)}`;
  return least === undefined ? null : `at least ${counted(least)}`;
}

/** The values that it, or each of its items, may have, where they are listed. */
export function valuesOf(schema: Schema): unknown[] {
  const { items, additionalProperties } = schema;
  if (schema.enum !== undefined) return schema.enum;
  const inner = items ?? unlessNull(schema) ?? additionalProperties;
  return typeof inner === "object" ? valuesOf(inner) : [];
}

/** The fields that a value of this schema may have, its own or those of its items. */
export function fieldsOf(schema: Schema): Schema | null {
  if (schema.properties) return schema;
  if (schema.items) return fieldsOf(schema.items);
  if (typeof schema.additionalProperties === "object") return fieldsOf(schema.additionalProperties);
  return null;
}

/** The alternatives of a value, or of its items, where there is more to tell of them than their type. */
export function variantsOf(schema: Schema): Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives === undefined) return schema.items ? variantsOf(schema.items) : [];
  const others = alternatives.filter(({ type }) => type !== "null");
  return others.length > 1 && others.some(saysMore) ? others : [];
}

const saysMore = ({ $ref, properties, enum: values, pattern }: Schema): boolean =>
  [$ref, properties, values, pattern].some((each) => each !== undefined);
