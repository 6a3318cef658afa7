import type { Json } from "../../../../contract/json.ts";
import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import {
  type Computed,
  findColumn,
  found,
  quoteNames,
  type Refusal,
  refused,
  type Table,
} from "../table.ts";
import { cellQuantity } from "../values/cells.ts";

/** One kind of operation. */
export type OperationOf<Op extends DataOperation["op"]> = Extract<DataOperation, { op: Op }>;

/** The table and notes of an operation. */
export interface OperationResult {
  table: Table;
  notes: string[];
}

/** Wraps the table of an operation. */
export function operationResult(
  columns: string[],
  rows: Table["rows"],
  notes: string[] = [],
): Computed<OperationResult> {
  return found({ table: { columns, rows }, notes });
}

/** Returns the indexes of columns, or an error that lists the columns. */
export function columnIndexes(table: Table, names: readonly string[]): Computed<number[]> {
  const places: number[] = [];
  for (const name of names) {
    const match = findColumn(table.columns, name);
    if (!match.ok) return unknownColumn(match.message);
    places.push(match.index);
  }
  return found(places);
}

/** Returns the index and the full name of a column. */
export function columnOf(table: Table, wanted: string): Computed<{ index: number; name: string }> {
  const match = findColumn(table.columns, wanted);
  if (!match.ok) return unknownColumn(match.message);
  return found({ index: match.index, name: table.columns[match.index] ?? wanted });
}

function unknownColumn(message: string): Refusal {
  return refused("unknown_column", message);
}

/** Warns if numbers of different units were treated alike: dollars and euros, kg and lb. */
export function unitNotes(cells: readonly Json[], column: string): string[] {
  const units = new Set(cells.flatMap((cell) => cellQuantity(cell)?.unit || []));
  if (units.size < 2) return [];
  return [
    `The values of ${column} have different units (${quoteNames([...units])}), which were ignored.`,
  ];
}
