import type { Json } from "../../../contract/json.ts";

/** Why the data could not be processed, with a message that helps to correct the call. */
export interface Refusal {
  ok: false;
  error: {
    code:
      | "unknown_call"
      | "unreadable_source"
      | "nothing_found"
      | "unknown_column"
      | "not_numbers"
      | "invalid_input";
    message: string;
  };
}

/** A value, or the reason why there is none. */
export type Computed<T> = { ok: true; value: T } | Refusal;

/** Wraps a value. */
export function found<T>(value: T): Computed<T> {
  return { ok: true, value };
}

/** Wraps the reason why there is no value. */
export function refused(code: Refusal["error"]["code"], message: string): Refusal {
  return { ok: false, error: { code, message } };
}

/** The most cells of one call; rows over the limit are dropped and noted. */
export const MAX_CELLS = 400_000;

/** The most columns of a table. */
export const MAX_COLUMNS = 500;

/** The most characters of a column's name. */
const MAX_NAME_LENGTH = 100;

/** The deepest accepted JSON: deeper data could exhaust the stack of the code that walks it. */
export const MAX_DEPTH = 128;

/** The most bytes of an answer's columns and rows, as JSON in UTF-8. */
export const MAX_RESULT_BYTES = 1024 * 1024;

/** Returns how many rows of `width` cells fit the cell limit. */
export function rowsWithin(width: number): number {
  return Math.floor(MAX_CELLS / Math.max(1, width));
}

/** Rows under named columns; every row has one cell for each column. */
export interface Table {
  columns: string[];
  rows: Json[][];
}

/** A table with notes on its extraction. */
export interface Extracted {
  table: Table;
  notes: string[];
  /** True if rows, columns or text were left out. */
  cut: boolean;
}

/** Makes a table within the cell limit. */
export function tableOf(columns: string[], rows: Json[][]): Extracted {
  const most = rowsWithin(columns.length);
  return { table: { columns, rows: rows.slice(0, most) }, notes: [], cut: rows.length > most };
}

/** Makes a table of ragged rows: short rows are filled with null, columns without a name are numbered. */
export function tableOfGrid(header: readonly string[], rows: readonly Json[][]): Extracted {
  const widest = rows.reduce((width, row) => Math.max(width, row.length), header.length);
  const width = Math.min(widest, MAX_COLUMNS);
  const columns = uniqueNames(Array.from({ length: width }, (_, index) => header[index] ?? ""));
  const most = rowsWithin(width);
  const filled = rows.slice(0, most).map((row) => columns.map((_, index) => row[index] ?? null));
  const cut = widest > width || rows.length > most;
  return { table: { columns, rows: filled }, notes: [], cut };
}

/** Concatenates the rows of several tables and merges columns of the same normalized name. */
export function concatTables(tables: readonly Table[]): { table: Table; cut: boolean } {
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

/** Makes names distinct and of bounded length; blank names are numbered by their position. */
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

/** Maps each table's columns to the merged columns; null for those over the column limit. */
function unitedColumns(tables: readonly Table[]): {
  names: string[];
  places: (number | null)[][];
} {
  const names: string[] = [];
  const byName = new Map<string, number[]>();
  const places = tables.map((table) => {
    const used = new Set<number>();
    return table.columns.map((column) => {
      const key = normalizeName(column) || column;
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

/** The result of a column look-up. */
export type ColumnMatch = { ok: true; index: number } | { ok: false; message: string };

/** The most names in a message. */
const NAMES_SHOWN = 30;

/** Normalizes a name for comparison: without case, spaces, `_` and `-`. */
export function normalizeName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}

/**
 * Finds a column by its exact name, its normalized name, its singular or plural, or an unambiguous
 * prefix. The message of a failure lists the columns.
 */
export function findColumn(columns: readonly string[], wanted: string): ColumnMatch {
  const written = columns.indexOf(wanted);
  if (written >= 0) return { ok: true, index: written };

  const name = normalizeName(wanted);
  const names = columns.map(normalizeName);
  if (name === "") return missing(columns, wanted);
  const same = names.indexOf(name);
  if (same >= 0) return { ok: true, index: same };
  const singular = names.map(withoutPlural).indexOf(withoutPlural(name));
  if (singular >= 0) return { ok: true, index: singular };

  const starting = names.flatMap((candidate, index) => (candidate.startsWith(name) ? [index] : []));
  const [only, ...others] = starting;
  if (only === undefined) return missing(columns, wanted);
  if (others.length === 0) return { ok: true, index: only };
  const meant = quoteNames(starting.map((index) => columns[index] ?? ""));
  return { ok: false, message: `"${wanted}" matches several columns: ${meant}.` };
}

/** Lists the first names in quotes. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function missing(columns: readonly string[], wanted: string): ColumnMatch {
  const there = columns.length === 0 ? "There are no columns." : `Columns: ${quoteNames(columns)}.`;
  return { ok: false, message: `There is no column "${wanted}". ${there}` };
}

function withoutPlural(name: string): string {
  if (name.length > 4 && name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.length > 2 && name.endsWith("s") && !name.endsWith("ss") ? name.slice(0, -1) : name;
}
