import { nameIn, type Schema } from "./reference.ts";

/** A part of a type: words, or the name of a schema. */
type TypePart = { text: string } | { schema: string };

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

/** Returns the type of a value in a few words. */
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

/** Returns the schema of a nullable value without its null; null for any other schema. */
function unlessNull({ anyOf, oneOf }: Schema): Schema | null {
  const [only, ...others] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== "null");
  return only !== undefined && others.length === 0 ? only : null;
}

/** Returns the limits of a value beside its type, each in a few words. */
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

/** Returns the values that an enum allows for a value or each of its items. */
export function valuesOf(schema: Schema): unknown[] {
  const { items, additionalProperties } = schema;
  if (schema.enum !== undefined) return schema.enum;
  const inner = items ?? unlessNull(schema) ?? additionalProperties;
  return typeof inner === "object" ? valuesOf(inner) : [];
}

/** Returns the schema that has the fields of a value, its own or those of its items. */
export function fieldsOf(schema: Schema): Schema | null {
  if (schema.properties) return schema;
  if (schema.items) return fieldsOf(schema.items);
  if (typeof schema.additionalProperties === "object") return fieldsOf(schema.additionalProperties);
  return null;
}

/** Returns the alternatives of a value or its items, unless their types say all there is to say. */
export function variantsOf(schema: Schema): Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives === undefined) return schema.items ? variantsOf(schema.items) : [];
  const others = alternatives.filter(({ type }) => type !== "null");
  return others.length > 1 && others.some(saysMore) ? others : [];
}

const saysMore = ({ $ref, properties, enum: values, pattern }: Schema): boolean =>
  [$ref, properties, values, pattern].some((each) => each !== undefined);

/** The place where fields are shown. */
export interface Place {
  schemas: ReadonlyMap<string, Schema>;
  /** Whether the fields are of a request; otherwise they are of a response. */
  isInput: boolean;
  /** The enclosing schemas; a schema that contains itself ends in a link. */
  within: readonly string[];
}

/**
 * Returns whether a referenced schema opens in place, as in requests. In responses it is a link, because
 * they have many schemas in common.
 */
export function opensHere(name: string, { schemas, isInput, within }: Place): boolean {
  return isInput && schemas.has(name) && !within.includes(name);
}

/** Returns what a value opens to: itself or, where that happens in place, the schema it refers to. */
export function opened(schema: Schema, place: Place): { inner: Schema; place: Place } | null {
  const target = referredBy(schema);
  if (target === null) return { inner: schema, place };
  const name = nameIn(target);
  const inner = place.schemas.get(name);
  if (inner === undefined || !opensHere(name, place)) return null;
  return { inner, place: { ...place, within: [...place.within, name] } };
}

/** Returns the description of a value or, without one, of the schema it refers to. */
export function wordsFor(schema: Schema, { schemas }: Place): string {
  const target = ownReference(schema);
  const words = target === null ? undefined : schemas.get(nameIn(target))?.description;
  return schema.description ?? words ?? "";
}

/** Returns the reference of a value or of its items; null for an inline schema. */
function referredBy(schema: Schema): string | null {
  return schema.items === undefined ? ownReference(schema) : referredBy(schema.items);
}

/** Returns the reference of a value, which may be nullable. */
function ownReference(schema: Schema): string | null {
  if (schema.$ref !== undefined) return schema.$ref;
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return only !== undefined && others.length === 0 ? referredBy(only) : null;
}

/** Returns the names of all schemas that these refer to, directly or not. */
export function reachable(
  roots: readonly Schema[],
  schemas: ReadonlyMap<string, Schema>,
): Set<string> {
  const names = new Set<string>();
  const open = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    open.push(...partsOf(schema));
    if (schema.$ref === undefined) continue;
    const name = nameIn(schema.$ref);
    const target = schemas.get(name);
    if (target === undefined || names.has(name)) continue;
    names.add(name);
    open.push(target);
  }
  return names;
}

/** Returns the names of the schemas that contain themselves, at any depth. */
export function recursive(schemas: ReadonlyMap<string, Schema>): Set<string> {
  const containingThemselves = [...schemas].filter(([name, schema]) =>
    reachable(partsOf(schema), schemas).has(name),
  );
  return new Set(containingThemselves.map(([name]) => name));
}

function partsOf(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  return [
    ...Object.values(properties),
    ...anyOf,
    ...oneOf,
    ...(items ? [items] : []),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
}
