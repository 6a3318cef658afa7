import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { wordsOf } from "../language/normalize.ts";
import { asObject, converted, nullable, typeOf } from "./convert.ts";
import type { Material } from "./material.ts";
import { isoDate } from "./property-names.ts";
import { countOf, lookUp, meansOther, onlyAnswer } from "./schema-names.ts";

export type Shaped = { ok: true; data: Json } | { ok: false; message: string };

const MAX_DEPTH = 8;

function rowMaterial(record: JsonObject): Material {
  const nothing = { facts: {}, rows: null, labels: [], summary: "" };
  return { data: record, records: [record], found: record, ...nothing };
}

function sameWords(left: string, right: string): boolean {
  return wordsOf(left).join(" ") === wordsOf(right).join(" ");
}

/** What one row gives a list: an object of its fields, the field of the list's name, its only value. */
function fitItem(
  schema: JsonObject,
  record: JsonObject,
  name: string,
  depth: number,
): Json | undefined {
  const type = typeOf(schema);
  if (type === "object") return fitObject(schema, rowMaterial(record), depth + 1);
  if (type === null && !Object.keys(record).some((key) => sameWords(key, name)))
    return Object.hasOwn(record, "value") ? record.value : record;
  const named = converted(lookUp(name, record), type);
  if (named !== undefined) return named;
  const fitting = Object.values(record).flatMap((value) => converted(value, type) ?? []);
  // The first text of a row is what it is called; of several numbers none can be taken.
  return type === "string" || fitting.length === 1 ? fitting[0] : undefined;
}

function fitArray(
  schema: JsonObject,
  { data, records }: Pick<Material, "data" | "records">,
  name: string,
  depth: number,
): Json[] | undefined {
  const items = asObject(schema.items);
  const source = Array.isArray(data) ? data : null;
  const plain = source !== null && !source.some((value) => isObject(value));
  const rows = plain ? source.map((value) => ({ value })) : records;
  // A figure has a record of its own, which is no row of any list.
  if (source === null && (rows.length === 0 || !isObject(data ?? null))) return undefined;
  const kept = rows.flatMap((row) => {
    const fitted = fitItem(items, row, name, depth);
    return fitted === undefined ? [] : [fitted];
  });
  return kept.length === 0 && rows.length > 0 ? undefined : kept;
}

/** Lists are filled by name, else with what was found, where nothing else can be meant. */
function fitList(
  name: string,
  schema: JsonObject,
  material: Material,
  properties: JsonObject,
  depth: number,
): Json | undefined {
  const named = lookUp(name, material.found);
  if (Array.isArray(named)) {
    return fitArray(schema, { data: named, records: named.filter(isObject) }, name, depth + 1);
  }
  const lists = Object.values(properties).filter((one) => typeOf(asObject(one)) === "array");
  if (lists.length > 1 || meansOther(name, material)) return undefined;
  return fitArray(schema, material, name, depth + 1);
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
  if (type === "array") return fitList(name, schema, material, properties, depth);
  if (type === "object") return fitObject(schema, material, depth + 1);
  const asked = Object.keys(properties).length;
  const value =
    converted(lookUp(name, material.found), type) ??
    converted(lookUp(name, material.facts), type) ??
    converted(countOf(name, material), type) ??
    converted(onlyAnswer(name, type, material, asked), type);
  return schema.format === "date" ? (isoDate(value) ?? value) : value;
}

function fitObject(schema: JsonObject, material: Material, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const properties = asObject(schema.properties);
  const names = Object.keys(properties);
  if (names.length === 0) return converted(material.data, "object");
  const out: JsonObject = {};
  for (const name of names) {
    const property = asObject(properties[name]);
    const value = fitProperty(name, property, material, properties, depth);
    if (value !== undefined) out[name] = value;
    else if (nullable(property)) out[name] = null;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const whole = required.every((name) => typeof name === "string" && Object.hasOwn(out, name));
  // An object of nothing answers nothing, even where nothing is required of it.
  return whole && Object.keys(out).length > 0 ? out : undefined;
}

/** The properties that nothing was found for: of those that are required, where any are. */
function unfilled(schema: JsonObject, material: Material): string[] {
  const target = typeOf(schema) === "array" ? asObject(schema.items) : schema;
  const properties = asObject(target.properties);
  const listed = Array.isArray(target.required) ? target.required : [];
  const required = listed.length > 0 ? listed : Object.keys(properties);
  const record = material.records[0];
  const from = typeOf(schema) === "array" && record !== undefined ? rowMaterial(record) : material;
  return required
    .filter((name): name is string => typeof name === "string")
    .filter(
      (name) => fitProperty(name, asObject(properties[name]), from, properties, 1) === undefined,
    )
    .flatMap((name) => {
      const property = asObject(properties[name]);
      const list = typeOf(property) === "array" && typeOf(asObject(property.items)) === "object";
      const inner = list && from.records.length > 0 ? unfilled(property, from) : [];
      return inner.length === 0 ? [name] : inner.map((one) => `${name}[].${one}`);
    });
}

/** Shapes what was found to a caller's JSON Schema by the names of its properties. */
export function shapeTo(schema: JsonObject, material: Material): Shaped {
  const type = typeOf(schema);
  const fitted =
    type === "array"
      ? fitArray(schema, material, "", 0)
      : type === "object"
        ? fitObject(schema, material, 0)
        : type === "string"
          ? (converted(material.data, type) ?? material.summary)
          : converted(material.data, type);
  if (fitted !== undefined) return { ok: true, data: fitted };
  const names = unfilled(schema, material);
  const what =
    names.length === 0
      ? `data of type ${type ?? "any"}`
      : `the ${names.length === 1 ? "property" : "properties"} ${names.join(", ")}`;
  const [row, ...others] = material.records;
  const several =
    names.length > 0 &&
    row !== undefined &&
    others.length > 0 &&
    names.every((name) => lookUp(name, row) !== undefined);
  const which = several
    ? ` as one value: there are ${material.records.length}`
    : " in what was read";
  return {
    ok: false,
    message: `The output schema asks for ${what}, which ${names.length > 1 ? "were" : "was"} not found${which}.`,
  };
}
