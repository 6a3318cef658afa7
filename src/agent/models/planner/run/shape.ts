import type { Json, JsonObject } from "../../../../contract/json.ts";
import { violationLine } from "../../../../contract/problem.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { schemaViolations } from "../../../schema-check.ts";
import { cellDate, cellQuantity, cellText } from "../../../tools/process-data/values/cells.ts";
import { records } from "../../../tools/source-content.ts";
import type { MaterialPage } from "../program.ts";
import { isCalled, lookUp } from "./names.ts";
import type { Result } from "./result.ts";

/** Data that fits a schema, or why there is none. */
export type Shaped = { ok: true; data: Json | undefined } | { ok: false; message: string };

/** What there is to fill a schema with. */
interface Found {
  results: readonly Result[];
  /** What the only page that was read says of itself, by label. */
  facts: JsonObject;
}

interface Place {
  name: string;
  path: string;
  /** The required fields without a value so far, in quotes. */
  missing: string[];
}

/**
 * Fills a caller's JSON Schema by the names of its properties. A field is only filled from something
 * that was found under its name: never with a count of rows that nobody asked for.
 */
export function shapeTo(
  schema: JsonObject,
  results: readonly Result[],
  pages: readonly MaterialPage[],
): Shaped {
  const missing: string[] = [];
  const found = { results, facts: factsOf(results, pages) };
  const data = fill(schema, found, { name: "", path: "", missing });
  if (data === undefined || missing.length > 0) {
    const names = [...new Set(missing)].join(", ") || "the data";
    const message = `The output schema asks for ${names}, which the answer does not give.`;
    return { ok: false, message };
  }
  const [violation] = schemaViolations(schema, data);
  if (violation === undefined) return { ok: true, data };
  const message = `The answer does not match the output schema: ${violationLine(violation)}`;
  return { ok: false, message };
}

/** The facts of a page answer a schema only if no row of it was picked: those are about other things. */
function factsOf(results: readonly Result[], pages: readonly MaterialPage[]): JsonObject {
  const [page, ...others] = pages;
  const record = page?.tables.find(({ kind }) => kind === "record");
  const isOfRows = results.some(({ output }) => output === "table");
  return record === undefined || others.length > 0 || isOfRows ? {} : (records(record)[0] ?? {});
}

function fill(schema: JsonObject, found: Found, place: Place): Json | undefined {
  const { properties, items } = schema;
  const type = typesOf(schema).find((each) => each !== "null");
  if (type === "object" || (type === undefined && properties !== undefined)) {
    return fillObject(schema, found, place);
  }
  if (type === "array" || (type === undefined && items !== undefined)) {
    return fillList(objectOf(items), found, place);
  }
  return fillScalar(schema, found, place);
}

function fillObject(schema: JsonObject, found: Found, { path, missing }: Place): Json | undefined {
  const properties = Object.entries(objectOf(schema.properties));
  const names = properties.map(([name]) => name);
  const [only, ...others] = found.results;
  if (names.length === 0) {
    return only !== undefined && others.length === 0 && isObject(only.data) ? only.data : undefined;
  }
  const required = Array.isArray(schema.required) ? schema.required : names;
  const data: JsonObject = {};
  for (const [name, property] of properties) {
    const place = { name, path: path === "" ? name : `${path}.${name}`, missing: [] };
    const own = { ...found, results: relevant(name, names, found.results) };
    const value = fill(objectOf(property), own, place);
    if (value !== undefined && place.missing.length === 0) data[name] = value;
    else if (!required.includes(name)) continue;
    else if (typesOf(objectOf(property)).includes("null")) data[name] = null;
    else missing.push(...(place.missing.length > 0 ? place.missing : [`"${place.path}"`]));
  }
  // An object of nothing answers nothing, even if it requires nothing.
  return Object.keys(data).length === 0 ? undefined : data;
}

const isNamed = ({ part }: Result, name: string) => isCalled(name, part.name ?? part.label);

/** Returns the results of this name, else those that no property of the schema claims. */
function relevant(
  name: string,
  names: readonly string[],
  results: readonly Result[],
): readonly Result[] {
  const named = results.filter((result) => isNamed(result, name));
  if (named.length > 0) return named;
  return results.filter((result) => !names.some((other) => isNamed(result, other)));
}

function fillList(items: JsonObject, { results }: Found, place: Place): Json[] | undefined {
  const lists = results.filter(({ output, data }) => output === "table" || Array.isArray(data));
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) return undefined;
  const path = `${place.path}[]`;
  const hasFields = Object.keys(objectOf(items.properties)).length > 0;
  const isWhole = !hasFields && typesOf(items).every((type) => type === "object");
  const filled: Json[] = [];
  for (const record of records(only)) {
    const missing: string[] = [];
    const cells = Object.values(record);
    const value = hasFields
      ? fillObject(items, { results: [], facts: record }, { ...place, path, missing })
      : isWhole
        ? record
        : converted(cells.length === 1 ? cells[0] : lookUp(place.name, record), items);
    if (value === undefined || missing.length > 0) {
      place.missing.push(...(missing.length > 0 ? missing : [`"${path}"`]));
      return undefined;
    }
    filled.push(value);
  }
  return filled;
}

/** Names that any answer may have. */
const GENERAL = /^(?:|answer|result|value|text|message|response|output|summary)$/i;

function fillScalar(
  schema: JsonObject,
  { results, facts }: Found,
  { name }: Place,
): Json | undefined {
  if (schema.const !== undefined) return schema.const;
  const [exact, ...rivals] = results.filter((result) => name !== "" && isNamed(result, name));
  const own = rivals.length > 0 ? undefined : converted(scalarOf(exact), schema);
  if (own !== undefined) return own;
  const single = results.map(records);
  const cells = single
    .flatMap((rows) => (rows.length === 1 ? rows.map((row) => ({ value: lookUp(name, row) })) : []))
    .filter(({ value }) => value !== undefined);
  const [cell, ...more] = cells;
  if (cell !== undefined && more.length === 0) return converted(cell.value, schema);
  const fact = lookUp(name, facts);
  if (fact !== undefined) return converted(fact, schema);
  const [only, ...others] = results;
  if (!GENERAL.test(name) || only === undefined) return undefined;
  const value = others.length > 0 ? undefined : converted(scalarOf(only), schema);
  if (value !== undefined || !typesOf(schema).includes("string")) return value;
  return results.map((each) => each.sentence).join("\n");
}

function scalarOf(result: Result | undefined): Json | undefined {
  const data = result?.data;
  const value = Array.isArray(data) && data.length === 1 ? data[0] : data;
  return typeof value === "object" && value !== null ? undefined : value;
}

function typesOf({ type = [] }: JsonObject): Json[] {
  return Array.isArray(type) ? type : [type];
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

const YES = /^(?:yes|true|y|in stock|available)$/i;
const NO = /^(?:no|false|n|out of stock)$/i;

/** Converts a value to the type of a schema; undefined if it is none of it. */
function converted(value: Json | undefined, schema: JsonObject): Json | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  switch (typesOf(schema).find((type) => type !== "null")) {
    case "string": {
      if (typeof value === "object") return undefined;
      const date = schema.format === "date" ? cellDate(value) : null;
      if (date !== null) return new Date(date).toISOString().slice(0, 10);
      return schema.format === "date" ? undefined : cellText(value);
    }
    case "number":
      return cellQuantity(value)?.value;
    case "integer": {
      const number = cellQuantity(value)?.value;
      return Number.isInteger(number) ? number : undefined;
    }
    case "boolean": {
      if (typeof value === "boolean") return value;
      return YES.test(cellText(value)) || (NO.test(cellText(value)) ? false : undefined);
    }
    default:
      return value;
  }
}
