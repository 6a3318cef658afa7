import type { Json } from "../../../contract/json.ts";
import { MAX_COLUMNS, MAX_NAME_LENGTH, rowsWithin } from "./limits.ts";
import { normaliseName } from "./values/names.ts";

/** Rows under named columns; every row has one cell for each column. */
export interface Table {
  columns: string[];
  rows: Json[][];
}

/** A table with what there is to say about how it was made. */
export interface Extracted {
  table: Table;
  notes: string[];
  /** True when rows, columns or text were left out. */
  cut: boolean;
}

/** A table of a few fixed columns, within the cell limit. */
export function tableOf(columns: string[], rows: Json[][]): Extracted {
  const most = rowsWithin(columns.length);
  return { table: { columns, rows: rows.slice(0, most) }, notes: [], cut: rows.length > most };
}

/** A table of rows that may be ragged: short rows are filled with null, nameless columns are numbered. */
export function tableOfGrid(header: readonly string[], rows: readonly Json[][]): Extracted {
  const widest = rows.reduce((width, row) => Math.max(width, row.length), header.length);
  const width = Math.min(widest, MAX_COLUMNS);
  const columns = uniqueNames(Array.from({ length: width }, (_, index) => header[index] ?? ""));
  const most = rowsWithin(width);
  const filled = rows.slice(0, most).map((row) => columns.map((_, index) => row[index] ?? null));
  const cut = widest > width || rows.length > most;
  return { table: { columns, rows: filled }, notes: [], cut };
}

/** Puts the rows of several tables one after another; columns of the same normalised name are one. */
export function unite(tables: readonly Table[]): { table: Table; cut: boolean } {
  const [first, ...others] = tables;
  if (first && others.length === 0) return { table: first, cut: false };

  const { names, places } = unitedColumns(tables);
  const most = rowsWithin(names.length);
  const rows: Json[][] = [];
  let cut = false;
  tables.forEach((table, index) => {
    const place = places[index] ?? [];
    const room = most - rows.length;
    cut ||= table.rows.length > room || place.includes(null);
    for (const row of table.rows.slice(0, room)) rows.push(placed(row, place, names.length));
  });
  return { table: { columns: uniqueNames(names), rows }, cut };
}

/** Names made distinct, of bounded length, the blank ones numbered by their place. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  return names.map((raw, index) => {
    const name = shortened(raw.trim()) || `Column ${index + 1}`;
    let unique = name;
    while (taken.has(unique)) {
      const copy = (copies.get(name) ?? 1) + 1;
      copies.set(name, copy);
      unique = `${name} ${copy}`;
    }
    taken.add(unique);
    return unique;
  });
}

/** Where each table's columns go among all of them; null for those over the column limit. */
function unitedColumns(tables: readonly Table[]): {
  names: string[];
  places: (number | null)[][];
} {
  const names: string[] = [];
  const byName = new Map<string, number[]>();
  const places = tables.map((table) => {
    const used = new Set<number>();
    return table.columns.map((column) => {
      const key = normaliseName(column) || column;
      const known = byName.get(key) ?? [];
      // Two columns of one table are never merged, even when their names differ in case only.
      const free = known.find((place) => !used.has(place));
      if (free === undefined && names.length >= MAX_COLUMNS) return null;
      const place = free ?? names.push(column) - 1;
      if (free === undefined) byName.set(key, [...known, place]);
      used.add(place);
      return place;
    });
  });
  return { names, places };
}

function placed(row: readonly Json[], places: readonly (number | null)[], width: number): Json[] {
  const cells = new Array<Json>(width).fill(null);
  places.forEach((place, index) => {
    if (place !== null) cells[place] = row[index] ?? null;
  });
  return cells;
}

/** Cuts a name without halving a surrogate pair. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
