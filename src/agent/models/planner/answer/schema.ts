import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isRecord } from "../../../tools/process-data/json/shape.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { findColumn } from "../bind/columns.ts";
import { dateOf, figureOf, inCurrency, isoDate } from "./property-names.ts";

/** What there is to fill a caller's schema with. */
export interface Material {
  /** The answer as it would be without a schema. */
  data: Json | undefined;
  records: Record<string, Json>[];
  /** Single values by name: figures, title, summary. */
  named: Record<string, Json>;
}

export type Shaped = { ok: true; data: Json } | { ok: false; message: string };

const MAX_DEPTH = 8;

function typeOf(schema: JsonObject): string | null {
  const type = schema.type;
  if (typeof type === "string") return type;
  if (Array.isArray(type))
    return type.find((one): one is string => typeof one === "string" && one !== "null") ?? null;
  if (isRecord(schema.properties ?? null)) return "object";
  return schema.items === undefined ? null : "array";
}

function asObject(value: Json | undefined): JsonObject {
  return value !== undefined && isRecord(value) ? value : {};
}

/** A value as the type that a schema names, or undefined when it is none. */
function converted(value: Json | undefined, type: string | null): Json | undefined {
  if (value === undefined) return undefined;
  switch (type) {
    case "string":
      return typeof value === "string" ? value : value === null ? undefined : cellText(value);
    case "number":
    case "integer": {
      const number =
        typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : null;
      if (number === null) return undefined;
      return type === "integer" && !Number.isInteger(number) ? undefined : number;
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      if (typeof value !== "string") return undefined;
      return /^(?:yes|true|in stock|available|y)$/i.test(value)
        ? true
        : /^(?:no|false|out of stock|n)$/i.test(value)
          ? false
          : undefined;
    case "array":
      return Array.isArray(value) ? value : undefined;
    case "object":
      return isRecord(value) ? value : undefined;
    default:
      return value;
  }
}

/** The value of a record that a property's name means. */
function lookUp(name: string, record: Record<string, Json>): Json | undefined {
  const columns = Object.keys(record);
  const match = findColumn(name, columns);
  const found = match === null ? undefined : record[columns[match.index] ?? ""];
  return found ?? figureOf(name, record) ?? inCurrency(name, record) ?? dateOf(name, record);
}

function fitItem(
  schema: JsonObject,
  record: Record<string, Json>,
  depth: number,
): Json | undefined {
  const type = typeOf(schema);
  if (type === "object")
    return fitObject(schema, { data: record, records: [record], named: record }, depth + 1);
  const values = Object.values(record);
  const fitting = values
    .map((value) => converted(value, type))
    .filter((value) => value !== undefined);
  return fitting[0];
}

function fitArray(schema: JsonObject, material: Material, depth: number): Json | undefined {
  const items = asObject(schema.items);
  const source = Array.isArray(material.data) ? material.data : null;
  const plain = source !== null && !source.some((value) => isRecord(value));
  const rows = plain ? source.map((value) => ({ value })) : material.records;
  const fitted = rows.map((row) => fitItem(items, row, depth));
  const kept = fitted.filter((value) => value !== undefined);
  return kept.length === 0 && rows.length > 0 ? undefined : kept;
}

/** A value whose property no name leads to: the only value there is of its type. */
function byType(
  schema: JsonObject,
  material: Material,
  properties: JsonObject,
  name: string,
): Json | undefined {
  const type = typeOf(schema);
  const scalarNames = Object.keys(properties).filter(
    (key) => typeOf(asObject(properties[key])) === type,
  );
  if (scalarNames.length !== 1 || scalarNames[0] !== name) return undefined;
  const own = converted(material.data, type);
  if (own !== undefined && type !== "string") return own;
  if (type === "string" && typeof material.data === "string") return material.data;
  const candidates = Object.values(material.named).filter(
    (value) => typeof value === type || (type === "integer" && Number.isInteger(value)),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

function fitProperty(
  name: string,
  schema: JsonObject,
  material: Material,
  properties: JsonObject,
  depth: number,
): Json | undefined {
  if (Object.hasOwn(schema, "const")) return schema.const;
  const type = typeOf(schema);
  if (type === "array") {
    const named = lookUp(name, material.named);
    return Array.isArray(named)
      ? fitArray(schema, { data: named, records: named.filter(isRecord), named: {} }, depth + 1)
      : fitArray(schema, material, depth + 1);
  }
  if (type === "object") return fitObject(schema, material, depth + 1);
  const single = material.records.length === 1 ? material.records[0] : undefined;
  const found =
    lookUp(name, material.named) ?? (single === undefined ? undefined : lookUp(name, single));
  const value = converted(found, type) ?? byType(schema, material, properties, name);
  return schema.format === "date" ? (isoDate(value) ?? value) : value;
}

function fitObject(schema: JsonObject, material: Material, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const properties = asObject(schema.properties);
  const out: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = fitProperty(name, asObject(property), material, properties, depth);
    if (value !== undefined) out[name] = value;
    else if (nullable(asObject(property))) out[name] = null;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const whole = required.every((name) => typeof name === "string" && Object.hasOwn(out, name));
  if (Object.keys(properties).length === 0 && isRecord(material.data ?? null)) return material.data;
  return whole ? out : undefined;
}

function nullable(schema: JsonObject): boolean {
  return schema.type === "null" || (Array.isArray(schema.type) && schema.type.includes("null"));
}

/** The required properties that nothing was found for. */
function unfilled(schema: JsonObject, material: Material): string[] {
  const target = typeOf(schema) === "array" ? asObject(schema.items) : schema;
  const properties = asObject(target.properties);
  const required = Array.isArray(target.required) ? target.required : Object.keys(properties);
  const record = material.records[0];
  const from: Material =
    typeOf(schema) === "array" && record !== undefined
      ? { data: record, records: [record], named: record }
      : material;
  return required
    .filter((name): name is string => typeof name === "string")
    .filter(
      (name) => fitProperty(name, asObject(properties[name]), from, properties, 1) === undefined,
    );
}

/** Shapes what was found to a caller's JSON Schema: by the names of properties, then by type. */
export function shapeTo(schema: JsonObject, material: Material): Shaped {
  const type = typeOf(schema);
  const fitted =
    type === "array"
      ? fitArray(schema, material, 0)
      : type === "object"
        ? fitObject(schema, material, 0)
        : converted(material.data, type);
  if (fitted !== undefined) return { ok: true, data: fitted };
  const names = unfilled(schema, material);
  const what =
    names.length === 0
      ? `data of type ${type ?? "any"}`
      : `the required ${names.length === 1 ? "property" : "properties"} ${names.join(", ")}`;
  return {
    ok: false,
    message: `The output schema asks for ${what}, which was not found in what was read.`,
  };
}
