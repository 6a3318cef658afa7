import type { Outcome } from "../outcome.ts";
import type { Table } from "../table.ts";
import { cellText } from "../values/cells.ts";
import { type Operated, type OperationOf, operated, placesOf } from "./operation.ts";

/** Keeps the first or the last rows. */
export function limitRows(table: Table, { count, from }: OperationOf<"limit">): Outcome<Operated> {
  const start = from === "end" ? Math.max(0, table.rows.length - count) : 0;
  return operated(table.columns, table.rows.slice(start, start + count));
}

/** Keeps columns in the order asked for, each once. */
export function selectColumns(table: Table, select: OperationOf<"select">): Outcome<Operated> {
  const found = placesOf(table, select.columns);
  if (!found.ok) return found;
  const places = [...new Set(found.value)];
  const columns = places.map((index) => table.columns[index] ?? "");
  const rows = table.rows.map((row) => places.map((index) => row[index] ?? null));
  return operated(columns, rows);
}

/** Keeps the first row of those with equal text in the columns, in all columns when none is named. */
export function distinctRows(table: Table, distinct: OperationOf<"distinct">): Outcome<Operated> {
  const found = placesOf(table, distinct.columns ?? table.columns);
  if (!found.ok) return found;
  const seen = new Set<string>();
  const rows = table.rows.filter((row) => {
    const key = JSON.stringify(found.value.map((index) => cellText(row[index] ?? null)));
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return operated(table.columns, rows);
}
