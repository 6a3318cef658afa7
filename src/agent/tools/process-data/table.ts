import type { Json } from "../../../contract/json.ts";
import { cutAt } from "../text.ts";
import { fail } from "../tool.ts";

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

/** A table with notes on how it came about. */
export interface Noted {
  table: Table;
  notes: string[];
}

/** Returns the table of an operation. */
export function noted(columns: string[], rows: Json[][], notes: string[] = []): Noted {
  return { table: { columns, rows }, notes };
}

/** A table taken out of a source. */
export interface Extracted extends Noted {
  /** True if rows, columns or text were left out. */
  cut: boolean;
}

/** Makes a table within the limits of ragged rows: short rows are filled with null, columns without a name are numbered. */
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
  const names = tables.reduce(withColumnsOf, []);
  const columns = names.slice(0, MAX_COLUMNS);
  const most = rowsWithin(columns.length);
  const rows: Json[][] = [];
  let cut = names.length > columns.length;
  for (const table of tables) {
    const places = columns.map((name) => columnAt(table.columns, name));
    const room = most - rows.length;
    cut ||= table.rows.length > room;
    for (const row of table.rows.slice(0, room)) rows.push(places.map((at) => row[at] ?? null));
  }
  return { table: { columns, rows }, cut };
}

/** Adds the columns that are new. Two of one table are never merged, even if they differ in case only. */
function withColumnsOf(names: string[], { columns }: Table): string[] {
  const isNew = (name: string) => {
    const known = names[columnAt(names, name)];
    return known === undefined || (known !== name && columns.includes(known));
  };
  return [...names, ...columns.filter(isNew)];
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

function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${cutAt(name, MAX_NAME_LENGTH - 1)}…`;
}

/** The most names in a message. */
const NAMES_SHOWN = 30;

/** Normalizes a name for comparison: without case, spaces, `_` and `-`. */
export function normalizeName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}

/** Finds a column by its exact or its normalized name. The message of a failure lists the columns. */
export function findColumn(columns: readonly string[], wanted: string): number {
  const index = columnAt(columns, wanted);
  if (index >= 0) return index;
  const there = columns.length === 0 ? "There are no columns." : `Columns: ${quoteNames(columns)}.`;
  return fail(`There is no column "${wanted}". ${there}`, "unknown_column");
}

function columnAt(columns: readonly string[], wanted: string): number {
  const written = columns.indexOf(wanted);
  return written >= 0 ? written : columns.map(normalizeName).indexOf(normalizeName(wanted));
}

/** Returns a column with its cell of each row; fails like `findColumn`. */
export function columnOf({ columns, rows }: Table, wanted: string) {
  const index = findColumn(columns, wanted);
  const cells = rows.map((row) => row[index] ?? null);
  return { index, name: columns[index] ?? wanted, cells };
}

/** Lists the first names in quotes. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
