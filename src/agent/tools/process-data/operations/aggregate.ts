import type { Json } from "../../../../contract/json.ts";
import { type Computed, found, refused, type Table, uniqueNames } from "../table.ts";
import { cellDate, cellQuantity, cellText, isEmpty } from "../values/cells.ts";
import {
  type Decimal,
  decimalOf,
  decimalToNumber,
  meanOf,
  type Quantity,
  sumOf,
} from "../values/numbers.ts";
import {
  columnIndexes,
  columnOf,
  type OperationOf,
  type OperationResult,
  operationResult,
  unitNotes,
} from "./operation.ts";

type Aggregate = OperationOf<"aggregate">["aggregates"][number];

/** One figure computed for each group. */
interface Figure {
  name: string;
  notes: string[];
  of(rows: readonly Json[][]): Json;
}

/**
 * Aggregates all rows, or each group of rows with equal values in the `by` columns, in order of their
 * first row. Values that are not numbers are left out and noted; a column without numbers is an error.
 */
export function aggregateRows(
  table: Table,
  operation: OperationOf<"aggregate">,
): Computed<OperationResult> {
  const by = columnIndexes(table, operation.by);
  if (!by.ok) return by;
  const figures: Figure[] = [];
  for (const aggregate of operation.aggregates) {
    const figure = figureOf(table, aggregate);
    if (!figure.ok) return figure;
    if (!figures.some(({ name }) => name === figure.value.name)) figures.push(figure.value);
  }
  const groups = by.value.length === 0 ? [table.rows] : groupsOf(table.rows, by.value);
  const rows = groups.map((group) => [
    ...by.value.map((index) => group[0]?.[index] ?? null),
    ...figures.map((figure) => figure.of(group)),
  ]);
  const grouped = by.value.map((index) => table.columns[index] ?? "");
  const columns = uniqueNames([...grouped, ...figures.map(({ name }) => name)]);
  return operationResult(
    columns,
    rows,
    figures.flatMap(({ notes }) => notes),
  );
}

function groupsOf(rows: readonly Json[][], by: readonly number[]): Json[][][] {
  const groups = new Map<string, Json[][]>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((index) => cellText(row[index] ?? null)));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

function figureOf(table: Table, { fn, column: wanted }: Aggregate): Computed<Figure> {
  if (wanted === undefined) {
    if (fn !== "count") return refused("invalid_input", `The aggregate "${fn}" needs a column.`);
    return found({ name: "count", notes: [], of: (rows) => rows.length });
  }
  const column = columnOf(table, wanted);
  if (!column.ok) return column;
  const { index, name: columnName } = column.value;
  const name = `${fn} of ${columnName}`;
  const cellsOf = (rows: readonly Json[][]) => filledCells(rows, index);
  if (fn === "count") return found({ name, notes: [], of: (rows) => cellsOf(rows).length });

  const cells = cellsOf(table.rows);
  if ((fn === "min" || fn === "max") && cells.length > 0 && cells.every(isDate)) {
    return found({ name, notes: [], of: (rows) => extremeDate(fn, cellsOf(rows)) });
  }
  const unread = cells.filter((cell) => cellQuantity(cell) === null).length;
  if (unread === cells.length && table.rows.length > 0) {
    return refused("not_numbers", `No value of ${columnName} is a number.`);
  }
  const notes = [...unreadNotes(unread, cells.length, columnName), ...unitNotes(cells, columnName)];
  return found({ name, notes, of: (rows) => numberFrom(fn, cellsOf(rows)) });
}

function filledCells(rows: readonly Json[][], index: number): Json[] {
  return rows.map((row) => row[index] ?? null).filter((cell) => !isEmpty(cell));
}

function unreadNotes(unread: number, all: number, column: string): string[] {
  if (unread === 0) return [];
  return [`${unread} of ${all} values of ${column} are not numbers and were left out.`];
}

/** Computes a figure; null if it is undefined, such as the largest of no numbers. */
function numberFrom(fn: Exclude<Aggregate["fn"], "count">, cells: readonly Json[]): number | null {
  const sorted = cells
    .flatMap((cell) => cellQuantity(cell) ?? [])
    .toSorted((a, b) => a.value - b.value);
  if (fn === "sum") return decimalToNumber(sumOf(sorted.map(exactly)));
  if (sorted.length === 0) return null;
  switch (fn) {
    case "average":
      return decimalToNumber(meanOf(sorted.map(exactly)));
    case "median":
      return decimalToNumber(meanOf(middleOf(sorted).map(exactly)));
    case "min":
      return sorted.at(0)?.value ?? null;
    case "max":
      return sorted.at(-1)?.value ?? null;
  }
}

function exactly({ digits }: Quantity): Decimal {
  return decimalOf(digits);
}

/** Returns the middle value of an odd number of values, the middle two of an even number. */
function middleOf<T>(sorted: readonly T[]): T[] {
  return sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
}

function isDate(cell: Json): boolean {
  return cellDate(cell) !== null;
}

function extremeDate(fn: "min" | "max", cells: readonly Json[]): Json {
  const sorted = cells.toSorted((a, b) => (cellDate(a) ?? 0) - (cellDate(b) ?? 0));
  return sorted.at(fn === "min" ? 0 : -1) ?? null;
}
