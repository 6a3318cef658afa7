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
  if (isDictionary(entries)) {
    const rows = entries.map(([key, each]) => (isObject(each) ? { key, ...each } : { key }));
    return [{ kind: "table", caption, ...inlineRows(rows) }];
  }
  const inner = entries.flatMap(([key, child]) => {
    const step = key.replace(/[\\.[\]]/g, "\\$&");
    return tablesIn(child, path === "" ? step : `${path}.${step}`, key, depth + 1);
  });
  // Lists are tables of their own.
  const own = Object.fromEntries(entries.filter(([, each]) => !Array.isArray(each)));
  if (Object.keys(own).length === 0) return inner;
  const isWhole = Object.keys(own).length === Object.keys(value).length;
  const rows = isWhole
    ? { ...rowsOfJson([value]).table, extract: { kind: "json" as const, path } }
    : inlineRows([own]);
  return [...inner, { kind: "record", caption, ...rows }];
}

function listTable(list: Json[], path: string, caption: string | null): MaterialTable {
  const areValues = list.length > 0 && list.every((one) => typeof one !== "object" || one === null);
  // A list of plain values is a column of its name.
  if (caption !== null && areValues) {
    return { kind: "list", caption, ...inlineRows(list.map((one) => ({ [caption]: one }))) };
  }
  const { table } = rowsOfJson([list]);
  return { kind: "table", caption, ...table, extract: { kind: "json", path } };
}

/** Whether an object's values are objects with the same keys, each under a name of its own. */
function isDictionary(entries: readonly [string, Json][]): boolean {
  const shapes = new Set(
    entries.map(([, value]) => (isObject(value) ? Object.keys(value).sort().join() : "")),
  );
  return entries.length > 2 && shapes.size === 1 && !shapes.has("");
}

/** Returns rows that no extraction gives, with the data from which `process_data` reads the same rows. */
export function inlineRows(
  rows: readonly JsonObject[],
): Pick<MaterialTable, "columns" | "rows" | "extract"> & { from: DataSource } {
  const { table } = rowsOfJson([[...rows]]);
  const from: DataSource = { data: JSON.stringify(rows), format: "json" };
  return { ...table, extract: { kind: "json", path: "" }, from };
}
