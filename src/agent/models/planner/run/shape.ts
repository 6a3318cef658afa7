import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { cellDate, cellQuantity, cellText } from "../../../tools/process-data/values/cells.ts";
import type { MaterialPage } from "../program.ts";
import type { Result } from "./results.ts";
import { recordsOf } from "./words.ts";

/** Data that fits a schema, or the fields for which nothing was found. */
export type Shaped = { ok: true; data: Json } | { ok: false; message: string };

/** What there is to fill a schema with. */
interface Found {
  results: readonly Result[];
  /** What the only page that was read says of itself, by label. */
  facts: JsonObject;
}

const MAX_DEPTH = 8;

/**
 * Fills a caller's JSON Schema by the names of its properties. A field is only filled from something
 * that was found under its name: never with a count of rows that nobody asked for.
 */
export function shapeTo(
  schema: JsonObject,
  results: readonly Result[],
  pages: readonly MaterialPage[],
): Shaped {
  const found: Found = { results, facts: factsOf(results, pages) };
  const missing: string[] = [];
  const data = fill(schema, found, { name: "", path: "", missing, depth: 0 });
  if (data !== undefined && missing.length === 0) return { ok: true, data };
  const names = missing.length === 0 ? "the data" : missing.join(", ");
  return {
    ok: false,
    message: `The output schema asks for ${names}, which the answer does not give.`,
  };
}

/** The facts of a page answer a schema only if no row of it was picked: those are about other things. */
function factsOf(results: readonly Result[], pages: readonly MaterialPage[]): JsonObject {
  const [page, ...others] = pages;
  const record = page?.tables.find(({ kind }) => kind === "record");
  if (record === undefined || others.length > 0) return {};
  const isOfRows = results.some(({ output }) => output === "table");
  return isOfRows ? {} : (recordsOf(record.columns, record.rows.slice(0, 1))[0] ?? {});
}

interface Place {
  name: string;
  path: string;
  /** The fields without a value so far. */
  missing: string[];
  depth: number;
}

function fill(schema: JsonObject, found: Found, place: Place): Json | undefined {
  if (place.depth > MAX_DEPTH) return undefined;
  switch (typeOf(schema)) {
    case "object":
      return fillObject(schema, found, place);
    case "array":
      return fillList(schema, found, place);
    default:
      return fillScalar(schema, found, place);
  }
}

function fillObject(schema: JsonObject, found: Found, place: Place): Json | undefined {
  const properties = objectOf(schema.properties);
  const names = Object.keys(properties);
  const [only, ...others] = found.results;
  if (names.length === 0) {
    return only !== undefined && others.length === 0 && isObject(only.data) ? only.data : undefined;
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : names);
  const data: JsonObject = {};
  for (const name of names) {
    const property = objectOf(properties[name]);
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const before = place.missing.length;
    const inner = { name, path, missing: place.missing, depth: place.depth + 1 };
    const value = fill(property, { ...found, results: relevant(name, properties, found) }, inner);
    if (value !== undefined) data[name] = value;
    else if (!required.has(name)) place.missing.length = before;
    else if (isNullable(property)) {
      place.missing.length = before;
      data[name] = null;
    } else if (place.missing.length === before) place.missing.push(`"${path}"`);
  }
  // An object of nothing answers nothing, even if it requires nothing.
  return Object.keys(data).length === 0 ? undefined : data;
}

/** Returns the results of this name, else those that no other property of the schema claims. */
function relevant(name: string, properties: JsonObject, { results }: Found): readonly Result[] {
  const named = results.filter(({ part }) => isCalled(name, part.name ?? part.label));
  if (named.length > 0) return named;
  return results.filter(
    ({ part }) =>
      !Object.keys(properties).some((other) => isCalled(other, part.name ?? part.label)),
  );
}

function fillList(schema: JsonObject, found: Found, place: Place): Json[] | undefined {
  const items = objectOf(schema.items);
  const lists = found.results.filter(
    ({ output, data }) => output === "table" || Array.isArray(data),
  );
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) return undefined;
  const { columns, rows } = only.wide ?? only;
  const records = recordsOf(columns, rows);
  const isObjects =
    typeOf(items) === "object" && Object.keys(objectOf(items.properties)).length > 0;
  const filled: Json[] = [];
  for (const record of records) {
    const missing: string[] = [];
    const inner = { ...place, path: `${place.path}[]`, missing, depth: place.depth + 1 };
    const value = isObjects
      ? fillObject(items, { results: [], facts: record }, inner)
      : itemOf(items, record, place.name);
    if (value === undefined || missing.length > 0) {
      const named = missing.length > 0 ? missing : [`"${place.path}[]"`];
      place.missing.push(...named.filter((one) => !place.missing.includes(one)));
      return undefined;
    }
    filled.push(value);
  }
  return filled;
}

/** Returns the value of a row for a list of plain values: its only cell, or the one of the list's name. */
function itemOf(items: JsonObject, record: JsonObject, name: string): Json | undefined {
  if (typeOf(items) === "object" || typeOf(items) === null) return record;
  const values = Object.values(record);
  const value = values.length === 1 ? values[0] : lookUp(name, record);
  return converted(value, items);
}

function fillScalar(schema: JsonObject, found: Found, { name }: Place): Json | undefined {
  if (schema.const !== undefined) return schema.const;
  const { results, facts } = found;
  const named = results.filter(
    ({ part }) => name !== "" && isCalled(name, part.name ?? part.label),
  );
  const [exact, ...rivals] = named;
  if (exact !== undefined && rivals.length === 0) {
    const value = converted(scalarOf(exact), schema);
    if (value !== undefined) return value;
  }
  const cells = results.flatMap(({ wide, ...own }) => {
    const { columns, rows } = wide ?? own;
    return rows.length === 1 ? recordsOf(columns, rows) : [];
  });
  const values = cells.map((record) => lookUp(name, record)).filter((value) => value !== undefined);
  const [cell, ...more] = values;
  if (cell !== undefined && more.length === 0) return converted(cell, schema);
  const fact = lookUp(name, facts);
  if (fact !== undefined) return converted(fact, schema);
  const [only, ...others] = results;
  const isGeneral = name === "" || GENERAL.has(name.toLowerCase());
  if (!isGeneral || only === undefined) return undefined;
  if (others.length === 0) {
    const value = converted(scalarOf(only), schema);
    if (value !== undefined) return value;
  }
  return typeOf(schema) === "string" ? results.map((each) => each.sentence).join("\n") : undefined;
}

/** Names that any answer may have. */
const GENERAL = new Set("answer result value text message response output summary".split(" "));

function scalarOf({ data }: Result): Json | undefined {
  const value = Array.isArray(data) && data.length === 1 ? data[0] : data;
  return typeof value === "object" && value !== null ? undefined : value;
}

/** Splits a name into words in lower case without a plural's s: "unitPrices" → unit, price. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/\be-mail/gi, "email").replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2");
  const words = spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => !IDLE.has(word))
    .map((word) =>
      word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
    )
    .map((word) => SAME[word] ?? word);
}

const IDLE = new Set(["of", "the", "a", "in", "for", "is"]);

/** Whether all words of a property's name, or all of the other name, are in the other. */
function isCalled(property: string, name: string): boolean {
  const [wanted, own] = [wordsOf(property), wordsOf(name)];
  return areAlike(wanted, own);
}

/** Words of names that mean the same figure. */
const SAME: Readonly<Record<string, string | undefined>> = {
  total: "sum",
  avg: "average",
  mean: "average",
  count: "number",
  maximum: "max",
  highest: "max",
  minimum: "min",
  lowest: "min",
};

/** Words of a name that ask for a figure: a name without them means something else. */
const FIGURES = new Set("sum average median number max min".split(" "));

function areAlike(wanted: readonly string[], own: readonly string[]): boolean {
  if (wanted.length === 0 || own.length === 0) return false;
  if (wanted.some((word) => FIGURES.has(word) && !own.includes(word))) return false;
  return wanted.every((word) => own.includes(word)) || own.every((word) => wanted.includes(word));
}

/** Currencies as names of properties have them: "priceEur". */
const CURRENCIES: Readonly<Record<string, string | undefined>> = {
  eur: "EUR",
  euro: "EUR",
  usd: "USD",
  dollar: "USD",
  gbp: "GBP",
  pound: "GBP",
  chf: "CHF",
  sek: "SEK",
  nok: "NOK",
  dkk: "DKK",
  jpy: "JPY",
};

/** Returns the value of a record under a property's name; one with a currency must be in it. */
function lookUp(name: string, record: JsonObject): Json | undefined {
  const words = wordsOf(name);
  const currency = words.map((word) => CURRENCIES[word]).find((code) => code !== undefined);
  const bare = words.filter((word) => CURRENCIES[word] === undefined);
  const entries = Object.entries(record).map(([key, value]) => ({ words: wordsOf(key), value }));
  const exact = entries.filter((entry) => entry.words.join(" ") === bare.join(" "));
  const near = entries.filter((entry) => areAlike(bare, entry.words));
  // What names a row stands first: "name" of "Product".
  const isLabel = bare.length === 1 && /^(?:name|title|label)$/.test(bare[0] ?? "");
  const [first] = entries;
  const naming = isLabel && first !== undefined && typeof first.value === "string" ? [first] : [];
  const [only, ...others] = exact.length > 0 ? exact : near.length > 0 ? near : naming;
  if (only === undefined || others.length > 0) return undefined;
  const isInCurrency = currency === undefined || cellQuantity(only.value)?.unit === currency;
  return isInCurrency ? only.value : undefined;
}

function typeOf(schema: JsonObject): string | null {
  const { type } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    return type.find((one): one is string => typeof one === "string" && one !== "null") ?? null;
  }
  if (isObject(schema.properties ?? null)) return "object";
  return schema.items === undefined ? null : "array";
}

function isNullable({ type }: JsonObject): boolean {
  return type === "null" || (Array.isArray(type) && type.includes("null"));
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

/** Converts a value to the type of a schema; undefined if it is none of it. */
function converted(value: Json | undefined, schema: JsonObject): Json | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const fitted = asType(value, typeOf(schema));
  if (fitted === undefined) return undefined;
  const dated = schema.format === "date" ? isoDay(fitted) : fitted;
  const allowed = Array.isArray(schema.enum) ? schema.enum : null;
  return allowed === null || (dated !== undefined && allowed.includes(dated)) ? dated : undefined;
}

function asType(value: Json, type: string | null): Json | undefined {
  switch (type) {
    case "string":
      return typeof value === "object" ? undefined : cellText(value);
    case "number":
    case "integer": {
      const number = cellQuantity(value)?.value;
      return number === undefined || (type === "integer" && !Number.isInteger(number))
        ? undefined
        : number;
    }
    case "boolean": {
      if (typeof value === "boolean") return value;
      const text = cellText(value).toLowerCase();
      if (["yes", "true", "y", "in stock", "available"].includes(text)) return true;
      return ["no", "false", "n", "out of stock"].includes(text) ? false : undefined;
    }
    default:
      return value;
  }
}

function isoDay(value: Json): string | undefined {
  const date = cellDate(value);
  return date === null ? undefined : new Date(date).toISOString().slice(0, 10);
}
