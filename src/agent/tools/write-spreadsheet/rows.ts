import type { Table } from "../../../contract/outputs.ts";
import type { ColumnInput, RowsInput } from "../../../contract/tools/write-spreadsheet.ts";
import { cutNote } from "../../../lib/cut-note.ts";
import { counted } from "../../../lib/text.ts";
import { basisOf } from "../cuts.ts";
import { findColumn } from "../process-data/table.ts";
import { contentOfCall, toTable } from "../source-content.ts";
import { fail, type ToolContext } from "../tool.ts";
import { readColumn, type SheetCell } from "./cells.ts";

/** Rows to write, each with a value for every column. */
export interface Rows extends Table {
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
    const chosen = columns ? choose(table, columns) : table;
    return { ...chosen, caveat: cutNote(context.cutsOf([from])) };
  }
  if (rows === undefined) return fail("Give rows, or an earlier call in from.");
  if (columns === undefined) return fail("Rows need columns, each with a name.");
  const value = { columns: columns.map(({ name }) => name), rows };
  return {
    columns: columns.map(({ name, header }) => header ?? name),
    rows: toTable({ from: "value", value }).rows,
    caveat: cutNote(context.cutsOf(basisOf(sources, context))),
  };
}

/** Selects columns. A column keeps its original name, however the call writes it. */
function choose({ columns: names, rows }: Table, columns: ColumnInput[]): Table {
  const places = columns.map(({ name }) => findColumn(names, name));
  return {
    columns: columns.map(({ name, header }, at) => header ?? names[places[at] ?? -1] ?? name),
    rows: rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}

/** A sheet to write, with typed cells in rows. */
export interface Sheet extends Pick<Rows, "columns" | "caveat"> {
  rows: SheetCell[][];
  /** Notes on a line below the rows, and on texts that could not be kept. */
  notes: string[];
}

/** Types every value; texts longer than `maxText` characters are noted. */
export function typedSheet({ columns, rows, caveat }: Rows, maxText: number): Sheet {
  const typed = columns.map((_, index) => readColumn(rows.map((row) => row[index] ?? null)));
  const grid = rows.map((_, row) => typed.flatMap((cells) => cells[row] ?? []));
  const long = grid.flat().filter(({ value, url }) => {
    return typeof value === "string" && url === undefined && value.length > maxText;
  }).length;
  const notes = caveatNotes(caveat);
  if (long > 0)
    notes.push(
      `${counted(long, "text")} ${long === 1 ? "was" : "were"} cut to the ${maxText} characters of a cell.`,
    );
  return { columns, rows: grid, caveat, notes };
}

/** Returns what the answer says of the line below the rows. */
export function caveatNotes(caveat: string | null): string[] {
  return caveat === null ? [] : [`Below the rows is: "${caveat}"`];
}
