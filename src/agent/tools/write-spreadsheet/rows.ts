import type { Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import type { ColumnInput, RowsInput } from "../../../contract/tools/write-spreadsheet.ts";
import { cutNote } from "../../../lib/cut-note.ts";
import { counted } from "../../../lib/text.ts";
import { basisOf } from "../cuts.ts";
import { findColumn } from "../process-data/table.ts";
import { contentOfCall, failure, type Result, success, toTable } from "../source-content.ts";
import type { ToolContext } from "../tool.ts";
import { EMPTY, type SheetCell } from "./cell.ts";
import { readColumn } from "./read-cells.ts";

/** A column to write. */
export interface Column extends Omit<ColumnInput, "name" | "header"> {
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
): Result<Rows> {
  const wrong = columns?.find(({ format }) => format !== undefined && !isNumberFormat(format));
  if (wrong) {
    return failure(
      `"${wrong.format}" is not an Excel number format. Put words in quotes: 0.00 "kg".`,
    );
  }
  if (from !== undefined && rows !== undefined)
    return failure("Give either rows or from, not both.");
  if (from !== undefined) return rowsFrom(from, columns, context);
  if (rows === undefined) return failure("Give rows, or an earlier call in from.");
  if (columns === undefined) return failure("Rows need columns, each with a name.");
  const table = toTable({
    from: "value",
    value: { columns: columns.map(({ name }) => name), rows },
  });
  if (!table.ok) return table;
  const caveat = cutNote(context.cutsOf(basisOf(sources, context)));
  return success({ columns: columns.map(written), rows: table.value.rows, caveat });
}

function rowsFrom(
  callId: string,
  columns: ColumnInput[] | undefined,
  context: ToolContext,
): Result<Rows> {
  const material = contentOfCall(callId, context);
  if (!material.ok) return material;
  const table = toTable(material.value);
  if (!table.ok) return table;
  const chosen = columns ? choose(table.value, columns) : success(allOf(table.value));
  if (!chosen.ok) return chosen;
  return success({ ...chosen.value, caveat: cutNote(context.cutsOf([callId])) });
}

type Chosen = Pick<Rows, "columns" | "rows">;

function allOf({ columns, rows }: Table): Chosen {
  return { columns: columns.map((header) => ({ header, type: "auto" })), rows };
}

/** Selects columns. A column keeps its original name, however the call writes it. */
function choose(table: Table, columns: ColumnInput[]): Result<Chosen> {
  const places: number[] = [];
  const chosen: Column[] = [];
  for (const column of columns) {
    const match = findColumn(table.columns, column.name);
    if (!match.ok) return failure(match.message);
    places.push(match.index);
    chosen.push(written({ ...column, name: table.columns[match.index] ?? column.name }));
  }
  const rows = table.rows.map((row) => places.map((place) => row[place] ?? null));
  return success({ columns: chosen, rows });
}

function written({ name, header, ...column }: ColumnInput): Column {
  return { ...column, header: header ?? name };
}

/** No two tokens start alike, so that a format has one parse, in linear time. */
const TOKEN = [
  '"[^"]*"', // a literal
  "\\\\.", // one literal character
  "[_*].", // room as wide as a character, or a character that fills the cell
  "\\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\\d{1,2})\\]",
  "\\[(?:[<>]=?|=|<>)-?\\d+(?:\\.\\d+)?\\]", // a condition
  "\\[\\$[^\\]]{0,20}\\]", // a currency or a locale
  "\\[(?:h{1,2}|m{1,2}|s{1,2})\\]", // elapsed time
  "General",
  "AM/PM",
  "A/P",
  "[ymdhs]",
  "E[+-]",
  "[0#?.,%/@]",
  "[-$€£¥+():!^&'~{}<>= ]", // shown as they are
].join("|");
const SECTION = `(?:${TOKEN})+`;
const FORMAT = new RegExp(`^${SECTION}(?:;(?:${TOKEN})*){0,3}$`, "i");

/**
 * Whether a text is a valid Excel number format. Excel reports a workbook with an invalid one as damaged.
 */
export function isNumberFormat(format: string): boolean {
  return FORMAT.test(format) && !/\p{Cc}/u.test(format);
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
    const { cells, unread } = readColumn(valuesAt(rows, index), column.type);
    if (unread > 0) allNotes.push(unreadNote(column, unread));
    return cells;
  });
  const grid = rows.map((_, row) => typed.map((cells) => cells[row] ?? EMPTY));
  const long = typed.reduce((count, cells) => count + tooLong(cells, maxText), 0);
  if (long > 0)
    allNotes.push(
      `${counted(long, "text")} ${long === 1 ? "was" : "were"} cut to the ${maxText} characters of a cell.`,
    );
  return { columns, rows: grid, caveat, notes: allNotes };
}

function valuesAt(rows: Json[][], index: number): Json[] {
  return rows.map((row) => row[index] ?? null);
}

function tooLong(cells: readonly SheetCell[], maxText: number): number {
  return cells.filter((cell) => cell.kind === "text" && cell.text.length > maxText).length;
}

function unreadNote({ header, type }: Column, unread: number): string {
  return `Column "${header}": ${counted(unread, "value")} ${unread === 1 ? "was" : "were"} left as written, as no ${type} could be read.`;
}
