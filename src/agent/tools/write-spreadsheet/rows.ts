import * as z from "zod";
import type { Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import type { ColumnInput, RowsInput } from "../../../contract/tools/write-spreadsheet.ts";
import { toTable } from "../material/convert.ts";
import { type Made, made, notMade } from "../material/made.ts";
import { earlierMaterial, type Material } from "../material/material.ts";
import { findColumn } from "../process-data/values/names.ts";
import type { ToolContext } from "../tool.ts";
import { isNumberFormat } from "./number-format.ts";

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
export function rowsOf({ columns, rows, from }: RowsInput, context: ToolContext): Made<Rows> {
  const wrong = columns?.find(({ format }) => format !== undefined && !isNumberFormat(format));
  if (wrong) {
    return notMade(
      `"${wrong.format}" is no Excel number format; words in one stand in quotes: 0.00 "kg".`,
    );
  }
  if (from !== undefined && rows !== undefined) return notMade("Give either rows or from.");
  if (from !== undefined) return rowsFrom(from, columns, context);
  if (rows === undefined) return notMade("Give rows, or from with an earlier call.");
  if (columns === undefined) return notMade("Rows need columns, each with a name.");
  const table = toTable({
    from: "value",
    value: { columns: columns.map(({ name }) => name), rows },
  });
  if (!table.ok) return table;
  return made({ columns: columns.map(written), rows: table.value.rows, notes: [] });
}

const cutAnswer = z.object({ cut: z.literal(true) });

function rowsFrom(
  callId: string,
  columns: ColumnInput[] | undefined,
  context: ToolContext,
): Made<Rows> {
  const material = earlierMaterial(callId, context);
  if (!material.ok) return material;
  const table = toTable(material.value);
  if (!table.ok) return table;
  const chosen = columns ? choose(table.value, columns) : made(allOf(table.value));
  if (!chosen.ok) return chosen;
  const notes = isCut(callId, material.value, context)
    ? [`What ${callId} found was cut: rows may be missing here too.`]
    : [];
  return made({ ...chosen.value, notes });
}

/** Of code it is the console that may be cut, and never the rows. */
function isCut(callId: string, { from }: Material, context: ToolContext): boolean {
  const answer = context.earlier(callId);
  return from !== "code" && answer?.ok === true && cutAnswer.safeParse(answer.content).success;
}

type Chosen = Pick<Rows, "columns" | "rows">;

function allOf({ columns, rows }: Table): Chosen {
  return { columns: columns.map((header) => ({ header, type: "auto" })), rows };
}

/** A column keeps the name that it has there, however the call writes it. */
function choose(table: Table, columns: ColumnInput[]): Made<Chosen> {
  const places: number[] = [];
  const chosen: Column[] = [];
  for (const column of columns) {
    const match = findColumn(table.columns, column.name);
    if (!match.ok) return notMade(match.message);
    places.push(match.index);
    chosen.push(written({ ...column, name: table.columns[match.index] ?? column.name }));
  }
  const rows = table.rows.map((row) => places.map((place) => row[place] ?? null));
  return made({ columns: chosen, rows });
}

function written({ name, header, ...column }: ColumnInput): Column {
  return { ...column, header: header ?? name };
}
