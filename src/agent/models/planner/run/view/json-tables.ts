import type { Json, JsonObject } from "../../../../../contract/json.ts";
import type { DataSource } from "../../../../../contract/tools/process-data.ts";
import { isObject } from "../../../../../lib/json-values.ts";
import { rowsOfJson } from "../../../../tools/process-data/json.ts";
import type { MaterialTable } from "../../program.ts";

const MAX_DEPTH = 4;
const MAX_TABLES = 30;
/** The keys of an object that are looked at. */
const MAX_KEYS = 200;

/** Returns the lists of a JSON document, its dictionaries, and the objects that stand alone. */
export function jsonTables(root: Json): MaterialTable[] {
  return tablesIn(root, "", null, 0).slice(0, MAX_TABLES);
}

function tablesIn(
  value: Json,
  path: string,
  caption: string | null,
  depth: number,
): MaterialTable[] {
  if (Array.isArray(value)) return [listTable(value, path, caption)];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  const entries = Object.entries(value).slice(0, MAX_KEYS);
  if (isDictionary(entries)) return [dictionaryTable(entries, caption)];
  const inner = entries.flatMap(([key, child]) =>
    tablesIn(child, pathTo(path, key), key, depth + 1),
  );
  return [...inner, ...recordTable(value, path, caption)];
}

function listTable(list: Json[], path: string, caption: string | null): MaterialTable {
  const isPlain = caption !== null && list.length > 0 && !list.some((one) => isContainer(one));
  // A list of plain values is a column of its name.
  if (isPlain) {
    return { kind: "list", caption, ...inlineRows(list.map((one) => ({ [caption]: one }))) };
  }
  const { table } = rowsOfJson([list]);
  if (hasSplitColumn(table.columns)) {
    return { kind: "table", caption, ...inlineRows(list.filter(isObject).map(withoutNulls)) };
  }
  return { kind: "table", caption, ...table, extract: { kind: "json", path } };
}

/** Whether a column holds the nulls of objects whose values are columns of their own: `a` and `a.name`. */
function hasSplitColumn(columns: readonly string[]): boolean {
  return columns.some((name) => columns.some((other) => other.startsWith(`${name}.`)));
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

function recordTable(value: JsonObject, path: string, caption: string | null): MaterialTable[] {
  // Lists are tables of their own.
  const own = Object.entries(value).filter(([, each]) => !Array.isArray(each));
  if (own.length === 0) return [];
  if (own.length < Object.keys(value).length) {
    return [{ kind: "record", caption, ...inlineRows([Object.fromEntries(own)]) }];
  }
  const { table } = rowsOfJson([value]);
  return [{ kind: "record", caption, ...table, extract: { kind: "json", path } }];
}

/** Makes a row of each entry of an object whose values all have the same keys. */
function dictionaryTable(entries: [string, Json][], caption: string | null): MaterialTable {
  const rows = entries.map(([key, value]) => (isObject(value) ? { key, ...value } : { key }));
  return { kind: "table", caption, ...inlineRows(rows) };
}

function isDictionary(entries: readonly [string, Json][]): boolean {
  const shapes = new Set(
    entries.map(([, value]) => (isObject(value) ? Object.keys(value).sort().join() : "")),
  );
  return entries.length > 2 && shapes.size === 1 && !shapes.has("");
}

function isContainer(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function pathTo(path: string, key: string): string {
  const escaped = key.replace(/[\\.[\]]/g, "\\$&");
  return path === "" ? escaped : `${path}.${escaped}`;
}

/** Returns rows that no extraction gives, with the data from which `process_data` reads the same rows. */
export function inlineRows(
  records: readonly JsonObject[],
): Pick<MaterialTable, "columns" | "rows" | "extract"> & { from: DataSource } {
  const { table } = rowsOfJson([[...records]]);
  const from: DataSource = { data: JSON.stringify(records), format: "json" };
  return { ...table, extract: { kind: "json", path: "" }, from };
}
