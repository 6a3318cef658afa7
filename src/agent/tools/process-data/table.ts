import type { Json } from "../../../contract/json.ts";

/** Why the data could not be processed, in words that help to ask again. */
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

/** A value, or why there is none. */
export type Outcome<T> = { ok: true; value: T } | Refusal;

/** Wraps a value that was found. */
export function found<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** Wraps the reason why there is no value. */
export function refused(code: Refusal["error"]["code"], message: string): Refusal {
  return { ok: false, error: { code, message } };
}

/** Cells that one call works on at most; rows over it are dropped and the answer says so. */
export const MAX_CELLS = 100_000;

/** Columns of one table at most. */
export const MAX_COLUMNS = 500;

/** Characters of a column's name at most. */
export const MAX_NAME_LENGTH = 100;

/** Nesting of JSON that is accepted: deeper data could exhaust the stack of whoever walks it next. */
export const MAX_DEPTH = 128;

/** Bytes of an answer's columns and rows as JSON, in UTF-8. */
export const MAX_RESULT_BYTES = 512 * 1024;

/** Rows of `width` cells that fit the cell limit. */
export function rowsWithin(width: number): number {
  return Math.floor(MAX_CELLS / Math.max(1, width));
}

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

/** What happened when a column was looked up. */
export type ColumnMatch = { ok: true; index: number } | { ok: false; message: string };

/** Names shown in a message at most. */
const NAMES_SHOWN = 30;

/** A name as it is compared: without case, spaces, `_` and `-`. */
export function normalizeName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}

/**
 * Finds a column by its name: as written, else normalised, else in its simple singular or plural,
 * else as the only one that starts so. The message of a failure lists the columns there are.
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
  return { ok: false, message: `"${wanted}" could be any of the columns ${meant}.` };
}

/** Names in quotes, the first ones when there are many. */
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
