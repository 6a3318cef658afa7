import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { type Computed, columnIndexes, columnOf, type Noted, noted, type Table } from "../table.ts";
import { cellText, isEmpty, READERS, unitNotes } from "../values/cells.ts";

type OperationOf<Op extends DataOperation["op"]> = Extract<DataOperation, { op: Op }>;

/** Keeps the first or the last rows. */
export function limitRows(
  { columns, rows }: Table,
  { count, from }: OperationOf<"limit">,
): Computed<Noted> {
  const start = from === "end" ? Math.max(0, rows.length - count) : 0;
  return noted(columns, rows.slice(start, start + count));
}

/** Keeps the named columns in their order, each once. */
export function selectColumns(table: Table, select: OperationOf<"select">): Computed<Noted> {
  const indexes = columnIndexes(table, select.columns);
  if (!indexes.ok) return indexes;
  const places = [...new Set(indexes.value)];
  const columns = places.map((index) => table.columns[index] ?? "");
  return noted(
    columns,
    table.rows.map((row) => places.map((index) => row[index] ?? null)),
  );
}

/** Keeps the first of the rows with equal text in the named columns, or in all columns. */
export function distinctRows(table: Table, distinct: OperationOf<"distinct">): Computed<Noted> {
  const indexes = columnIndexes(table, distinct.columns ?? table.columns);
  if (!indexes.ok) return indexes;
  const seen = new Set<string>();
  const rows = table.rows.filter((row) => {
    const key = JSON.stringify(indexes.value.map((index) => cellText(row[index] ?? null)));
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return noted(table.columns, rows);
}

/**
 * Sorts rows stably by one column. It is compared as numbers, dates or text, whichever most of its
 * values are; other values follow, and empty ones come last, in both directions.
 */
export function sortRows(table: Table, { by, direction }: OperationOf<"sort">): Computed<Noted> {
  const column = columnOf(table, by);
  if (!column.ok) return column;
  const { index, name, cells } = column.value;
  const filled = cells.filter((cell) => !isEmpty(cell));
  const numbers = filled.filter((cell) => READERS.number(cell) !== null).length;
  const dates = filled.filter((cell) => READERS.date(cell) !== null).length;
  const texts = filled.length - numbers - dates;
  const kind =
    numbers > 0 && numbers >= Math.max(dates, texts)
      ? "number"
      : dates > 0 && dates >= texts
        ? "date"
        : "text";
  const sign = direction === "desc" ? -1 : 1;
  const keyed = table.rows.map((row) => {
    const cell = row[index] ?? null;
    const key = READERS[kind](cell);
    return { row, key: key ?? "", rank: isEmpty(cell) ? 2 : key === null ? 1 : 0 };
  });
  const sorted = keyed.toSorted(
    (a, b) => a.rank - b.rank || (a.rank === 0 ? sign * compare(a.key, b.key) : 0),
  );
  const others = keyed.filter(({ rank }) => rank === 1).length;
  return noted(
    table.columns,
    sorted.map(({ row }) => row),
    [
      ...(others === 0
        ? []
        : [`${others} of ${filled.length} values of ${name} are not ${kind}s and come last.`]),
      ...(kind === "number" ? unitNotes(cells, name) : []),
    ],
  );
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
