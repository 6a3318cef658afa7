import type { Json } from "../../../contract/json.ts";
import { EMPTY, type SheetCell } from "./cells/cell.ts";
import { readColumn } from "./cells/read.ts";
import type { Column, Rows } from "./rows.ts";

/** A sheet as it is written: typed cells, row by row. */
export interface Sheet {
  columns: Column[];
  rows: SheetCell[][];
  /** What could not be kept or read as it was asked for. */
  notes: string[];
}

/** Gives every value its type; a text of more than `maxText` characters is noted. */
export function typedSheet({ columns, rows, notes }: Rows, maxText: number): Sheet {
  const told = [...notes];
  const typed = columns.map((column, index) => {
    const { cells, unread } = readColumn(valuesAt(rows, index), column.type);
    if (unread > 0) told.push(unreadNote(column, unread));
    return cells;
  });
  const grid = rows.map((_, row) => typed.map((cells) => cells[row] ?? EMPTY));
  const long = typed.reduce((count, cells) => count + tooLong(cells, maxText), 0);
  if (long > 0) told.push(`${counted(long, "text")} cut to the ${maxText} characters of a cell.`);
  return { columns, rows: grid, notes: told };
}

function valuesAt(rows: Json[][], index: number): Json[] {
  return rows.map((row) => row[index] ?? null);
}

function tooLong(cells: readonly SheetCell[], maxText: number): number {
  return cells.filter((cell) => cell.kind === "text" && cell.text.length > maxText).length;
}

function unreadNote({ header, type }: Column, unread: number): string {
  return `Column "${header}": ${counted(unread, "value")} left as written, as no ${type} could be read.`;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} was` : `${count} ${what}s were`;
}
