import * as z from "zod";
import type { Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import type { ColumnInput, RowsInput } from "../../../contract/tools/write-spreadsheet.ts";
import { findColumn } from "../process-data/table.ts";
import {
  contentOfCall,
  failure,
  type Result,
  type SourceContent,
  success,
  toTable,
} from "../source-content.ts";
import type { ToolContext } from "../tool.ts";
import { EMPTY, type SheetCell } from "./cell.ts";
import { readColumn } from "./read-cells.ts";

/** A column as it is written. */
export interface Column extends Omit<ColumnInput, "name" | "header"> {
  header: string;
}

/** Rows to write under columns, every row with a value for each. */
export interface Rows {
  columns: Column[];
  rows: Json[][];
  notes: string[];
}

/** The rows that a call gives or names, under the columns that it chooses. */
export function resolveRows(
  { columns, rows, from }: RowsInput,
  context: ToolContext,
): Result<Rows> {
  const wrong = columns?.find(({ format }) => format !== undefined && !isNumberFormat(format));
  if (wrong) {
    return failure(
      `"${wrong.format}" is no Excel number format; words in one stand in quotes: 0.00 "kg".`,
    );
  }
  if (from !== undefined && rows !== undefined) return failure("Give either rows or from.");
  if (from !== undefined) return rowsFrom(from, columns, context);
  if (rows === undefined) return failure("Give rows, or from with an earlier call.");
  if (columns === undefined) return failure("Rows need columns, each with a name.");
  const table = toTable({
    from: "value",
    value: { columns: columns.map(({ name }) => name), rows },
  });
  if (!table.ok) return table;
  return success({ columns: columns.map(written), rows: table.value.rows, notes: [] });
}

const cutAnswer = z.object({ cut: z.literal(true) });

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
  const notes = isCut(callId, material.value, context)
    ? [`What ${callId} found was cut: rows may be missing here too.`]
    : [];
  return success({ ...chosen.value, notes });
}

/** Of code it is the console that may be cut, and never the rows. */
function isCut(callId: string, { from }: SourceContent, context: ToolContext): boolean {
  const answer = context.answer(callId);
  return from !== "code" && answer?.ok === true && cutAnswer.safeParse(answer.content).success;
}

type Chosen = Pick<Rows, "columns" | "rows">;

function allOf({ columns, rows }: Table): Chosen {
  return { columns: columns.map((header) => ({ header, type: "auto" })), rows };
}

/** A column keeps the name that it has there, however the call writes it. */
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

/** No two of these begin alike, so that a text is taken apart in one way only, and in linear time. */
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
 * Whether Excel knows this as a number format. It calls a workbook with any other one damaged, and
 * offers to repair it.
 */
export function isNumberFormat(format: string): boolean {
  return FORMAT.test(format) && !/\p{Cc}/u.test(format);
}

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
