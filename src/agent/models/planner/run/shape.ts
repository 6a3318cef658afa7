import type { Json, JsonObject } from "../../../../contract/json.ts";
import { violationLine } from "../../../../contract/problem.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { schemaViolations } from "../../../schema-check.ts";
import { cellDate, cellQuantity, cellText } from "../../../tools/process-data/values/cells.ts";
import { failure, records, type Result as Shaped, success } from "../../../tools/source-content.ts";
import type { MaterialPage } from "../program.ts";
import { isCalled, lookUp, withoutFigure } from "./names.ts";
import type { Result } from "./result.ts";

/** What there is to fill a schema with. */
interface Found {
  results: readonly Result[];
  /** What the only page that was read says of itself, or the cells of one row, by label. */
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
): Shaped<Json> {
  const missing: string[] = [];
  const found = { results, facts: factsOf(results, pages) };
  const data = fill(schema, found, { name: "", path: "", missing });
  if (data === undefined || missing.length > 0) {
    const names = [...new Set(missing)].join(", ") || "the data";
    return failure(`The output schema asks for ${names}, which the answer does not give.`);
  }
  const [violation] = schemaViolations(schema, data);
  if (violation === undefined) return success(data);
  return failure(`The answer does not match the output schema: ${violationLine(violation)}`);
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
  const type = typeOf(schema) ?? (properties ? "object" : items ? "array" : undefined);
  if (type === "object") return fillObject(schema, found, place);
  if (type === "array") return fillList(objectOf(items), found, place);
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
  // A result that another property names is that one's.
  const free = found.results.filter(
    ({ part, columns }) => columns.length > 1 || !names.some((name) => isNamed({ part }, name)),
  );
  const data: JsonObject = {};
  for (const [name, property] of properties) {
    const place = { name, path: path === "" ? name : `${path}.${name}`, missing: [] };
    const named = found.results.filter((result) => isNamed(result, name));
    const results = named.length > 0 ? named : free;
    const value = fill(objectOf(property), { ...found, results }, place);
    if (value !== undefined && place.missing.length === 0) data[name] = value;
    else if (!required.includes(name)) continue;
    else if (typesOf(objectOf(property)).includes("null")) data[name] = null;
    else missing.push(...(place.missing.length > 0 ? place.missing : [`"${place.path}"`]));
  }
  // An object of nothing answers nothing, even if it requires nothing.
  return Object.keys(data).length === 0 ? undefined : data;
}

const isNamed = ({ part }: Pick<Result, "part">, name: string) => isCalled(name, part.label);

function fillList(items: JsonObject, { results }: Found, place: Place): Json[] | undefined {
  const lists = results.filter(({ output, data }) => output === "table" || Array.isArray(data));
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) return undefined;
  const path = `${place.path}[]`;
  const hasFields = Object.keys(objectOf(items.properties)).length > 0;
  const isWhole = !hasFields && typesOf(items).every((type) => type === "object");
  const filled = records(only).flatMap((record): Json[] => {
    if (isWhole) return [record];
    const missing: string[] = [];
    const cells = Object.values(record);
    const value = hasFields
      ? fillObject(items, { results: [], facts: record }, { ...place, path, missing })
      : converted(cells.length === 1 ? cells[0] : lookUp(place.name, record), items);
    if (value !== undefined && missing.length === 0) return [value];
    place.missing.push(...(missing.length > 0 ? missing : [`"${path}"`]));
    return [];
  });
  return place.missing.length > 0 ? undefined : filled;
}

/** Names that any answer may have. */
const GENERAL = /^(?:|answer|result|value|text|message|response|output|summary)$/i;

/** Fills in the result of this name, else a cell of the only row, a fact of the page, or the answer as a whole. */
function fillScalar(schema: JsonObject, { results, facts }: Found, { name }: Place) {
  if (schema.const !== undefined) return schema.const;
  const [exact, ...rivals] = results.filter((result) => name !== "" && isNamed(result, name));
  const own = rivals.length > 0 ? undefined : converted(scalarOf(exact), schema);
  if (own !== undefined) return own;
  // "longestDelay" of the row with the highest delay.
  const [row, ...more] = exact === undefined || rivals.length > 0 ? [] : records(exact);
  const figure = row && more.length === 0 ? lookUp(withoutFigure(name), row) : undefined;
  if (figure !== undefined) return converted(figure, schema);
  const single = results.map(records).filter(({ length }) => length === 1);
  const cells = single.flatMap(([row = {}]) => lookUp(name, row) ?? []);
  if (cells.length === 1) return converted(cells[0], schema);
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

function typeOf(schema: JsonObject): Json | undefined {
  return typesOf(schema).find((type) => type !== "null");
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

const YES = /^(?:yes|true|y|in stock|available)$/i;
const NO = /^(?:no|false|n|out of stock)$/i;

/** Converts a value to the type of a schema; undefined if it is none of it. */
function converted(value: Json | undefined, schema: JsonObject): Json | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = cellQuantity(value)?.value;
  switch (typeOf(schema)) {
    case "string": {
      if (typeof value === "object") return undefined;
      if (schema.format !== "date") return cellText(value);
      const date = cellDate(value);
      return date === null ? undefined : new Date(date).toISOString().slice(0, 10);
    }
    case "number":
      return number;
    case "integer":
      return Number.isInteger(number) ? number : undefined;
    case "boolean":
      return YES.test(cellText(value)) || (NO.test(cellText(value)) ? false : undefined);
    default:
      return value;
  }
}
