import type { Json } from "../../../../contract/json.ts";
import type { Computed, Table } from "../table.ts";
import { cellDate, cellQuantity, cellText, foldedText, isEmpty } from "../values/cells.ts";
import {
  columnIndexes,
  columnOf,
  type OperationOf,
  type OperationResult,
  operationResult,
  unitNotes,
} from "./operation.ts";

/** Keeps the first or the last rows. */
export function limitRows(
  table: Table,
  { count, from }: OperationOf<"limit">,
): Computed<OperationResult> {
  const start = from === "end" ? Math.max(0, table.rows.length - count) : 0;
  return operationResult(table.columns, table.rows.slice(start, start + count));
}

/** Keeps the named columns in their order, each once. */
export function selectColumns(
  table: Table,
  select: OperationOf<"select">,
): Computed<OperationResult> {
  const indexes = columnIndexes(table, select.columns);
  if (!indexes.ok) return indexes;
  const places = [...new Set(indexes.value)];
  const columns = places.map((index) => table.columns[index] ?? "");
  const rows = table.rows.map((row) => places.map((index) => row[index] ?? null));
  return operationResult(columns, rows);
}

/** Keeps the first of the rows with equal text in the named columns, or in all columns. */
export function distinctRows(
  table: Table,
  distinct: OperationOf<"distinct">,
): Computed<OperationResult> {
  const indexes = columnIndexes(table, distinct.columns ?? table.columns);
  if (!indexes.ok) return indexes;
  const seen = new Set<string>();
  const rows = table.rows.filter((row) => {
    const key = JSON.stringify(indexes.value.map((index) => cellText(row[index] ?? null)));
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return operationResult(table.columns, rows);
}

type Kind = "number" | "date" | "text";

/** A row with its sort key. */
interface Keyed {
  row: Json[];
  empty: boolean;
  text: string;
  number: number | null;
  date: number | null;
}

/**
 * Sorts rows stably by one column. It is compared as numbers, dates or text, whichever most of its
 * values are; other values follow, and empty ones come last, in both directions.
 */
export function sortRows(
  table: Table,
  { by, direction }: OperationOf<"sort">,
): Computed<OperationResult> {
  const column = columnOf(table, by);
  if (!column.ok) return column;
  const { index, name } = column.value;
  const keyed = table.rows.map((row) => keyOf(row, row[index] ?? null));
  const present = keyed.filter(({ empty }) => !empty);
  const kind = kindOf(present);
  const sign = direction === "desc" ? -1 : 1;

  const rows = keyed
    .toSorted((a, b) => rank(a, kind) - rank(b, kind) || sign * compare(a, b, kind))
    .map(({ row }) => row);
  const misfits = present.filter((key) => rank(key, kind) > 0).length;
  const notes =
    misfits === 0
      ? []
      : [`${misfits} of ${present.length} values of ${name} are not ${kind}s and come last.`];
  const units =
    kind === "number"
      ? unitNotes(
          table.rows.map((row) => row[index] ?? null),
          name,
        )
      : [];
  return operationResult(table.columns, rows, [...notes, ...units]);
}

function keyOf(row: Json[], cell: Json): Keyed {
  const number = cellQuantity(cell)?.value ?? null;
  const date = number === null ? cellDate(cell) : null;
  return { row, empty: isEmpty(cell), text: foldedText(cell), number, date };
}

function kindOf(keys: readonly Keyed[]): Kind {
  const numbers = keys.filter(({ number }) => number !== null).length;
  const dates = keys.filter(({ date }) => date !== null).length;
  const texts = keys.length - numbers - dates;
  if (numbers > 0 && numbers >= Math.max(dates, texts)) return "number";
  return dates > 0 && dates >= texts ? "date" : "text";
}

/** Returns 0 for a value of the column's kind, 1 for another value, 2 for an empty one. */
function rank(key: Keyed, kind: Kind): number {
  if (key.empty) return 2;
  return kind === "text" || key[kind] !== null ? 0 : 1;
}

function compare(a: Keyed, b: Keyed, kind: Kind): number {
  if (kind !== "text") {
    const [left, right] = [a[kind], b[kind]];
    if (left !== null && right !== null) return left - right;
  }
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
