import type { Json } from "../../../contract/json.ts";
import type { Table } from "../../../contract/outputs.ts";
import type { ColumnInput, RowsInput } from "../../../contract/tools/write-spreadsheet.ts";
import { cutNote } from "../../../lib/cut-note.ts";
import { counted } from "../../../lib/text.ts";
import { basisOf } from "../cuts.ts";
import { findColumn } from "../process-data/table.ts";
import { contentOfCall, toTable } from "../source-content.ts";
import { fail, type ToolContext } from "../tool.ts";
import { readColumn, type SheetCell } from "./cells.ts";

/** A column to write. */
interface Column extends Pick<ColumnInput, "type"> {
  header: string;
}

/** Rows to write, each with a value for every column. */
export interface Rows {
  columns: Column[];
  rows: Json[][];
  /** What people are told below the rows: that their source was cut. */
  caveat: string | null;
}

/** Returns the rows that a call gives or references, under its chosen columns; `sources` are those of given rows. */
export function resolveRows(
  { columns, rows, from }: RowsInput,
  sources: readonly string[] | undefined,
  context: ToolContext,
): Rows {
  if (from !== undefined) {
    if (rows !== undefined) fail("Give either rows or from, not both.");
    const table = toTable(contentOfCall(from, context));
    const chosen = columns ? choose(table, columns) : allOf(table);
    return { ...chosen, caveat: cutNote(context.cutsOf([from])) };
  }
  if (rows === undefined) return fail("Give rows, or an earlier call in from.");
  if (columns === undefined) return fail("Rows need columns, each with a name.");
  const value = { columns: columns.map(({ name }) => name), rows };
  return {
    columns: columns.map(written),
    rows: toTable({ from: "value", value }).rows,
    caveat: cutNote(context.cutsOf(basisOf(sources, context))),
  };
}

type Chosen = Pick<Rows, "columns" | "rows">;

function allOf({ columns, rows }: Table): Chosen {
  return { columns: columns.map((header) => ({ header, type: "auto" })), rows };
}

/** Selects columns. A column keeps its original name, however the call writes it. */
function choose(table: Table, columns: ColumnInput[]): Chosen {
  const places = columns.map(({ name }) => findColumn(table.columns, name));
  return {
    columns: columns.map((column, at) => {
      const place = places[at] ?? 0;
      return written({ ...column, name: table.columns[place] ?? column.name });
    }),
    rows: table.rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}

function written({ name, header, type }: ColumnInput): Column {
  return { header: header ?? name, type };
}

/** A sheet to write, with typed cells in rows. */
export interface Sheet {
  columns: Column[];
  rows: SheetCell[][];
  /** A line below the rows. */
  caveat: string | null;
  /** Notes on values that could not be kept or read. */
  notes: string[];
}

/** Types every value; texts longer than `maxText` characters are noted. */
export function typedSheet({ columns, rows, caveat }: Rows, maxText: number): Sheet {
  const allNotes = caveat === null ? [] : [`Below the rows is: "${caveat}"`];
  const typed = columns.map((column, index) => {
    const values = rows.map((row) => row[index] ?? null);
    const { cells, unread } = readColumn(values, column.type);
    if (unread > 0) allNotes.push(unreadNote(column, unread));
    return cells;
  });
  const grid = rows.map((_, row) => typed.flatMap((cells) => cells[row] ?? []));
  const long = grid.flat().filter(({ value, url }) => {
    return typeof value === "string" && url === undefined && value.length > maxText;
  }).length;
  if (long > 0)
    allNotes.push(
      `${counted(long, "text")} ${long === 1 ? "was" : "were"} cut to the ${maxText} characters of a cell.`,
    );
  return { columns, rows: grid, caveat, notes: allNotes };
}

function unreadNote({ header, type }: Column, unread: number): string {
  return `Column "${header}": ${counted(unread, "value")} ${unread === 1 ? "was" : "were"} left as written, as no ${type} could be read.`;
}
