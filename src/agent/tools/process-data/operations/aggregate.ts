import type { Json } from "../../../../contract/json.ts";
import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import {
  type Computed,
  columnIndexes,
  columnOf,
  found,
  type Noted,
  noted,
  refused,
  type Table,
  uniqueNames,
} from "../table.ts";
import { cellDate, cellQuantity, cellText, isEmpty, unitNotes } from "../values/cells.ts";
import { rounded } from "../values/numbers.ts";

type Aggregation = Extract<DataOperation, { op: "aggregate" }>;
type Aggregate = Aggregation["aggregates"][number];

/** Additional decimals of a mean. */
const MEAN_DECIMALS = 10;

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
export function aggregateRows(table: Table, operation: Aggregation): Computed<Noted> {
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
  return noted(
    uniqueNames([...grouped, ...figures.map(({ name }) => name)]),
    rows,
    figures.flatMap(({ notes }) => notes),
  );
}

function groupsOf(rows: readonly Json[][], by: readonly number[]): Json[][][] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify(by.map((index) => cellText(row[index] ?? null))),
  );
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
  const cellsOf = (rows: readonly Json[][]) =>
    rows.map((row) => row[index] ?? null).filter((cell) => !isEmpty(cell));
  if (fn === "count") return found({ name, notes: [], of: (rows) => cellsOf(rows).length });

  const cells = cellsOf(table.rows);
  const isDated = cells.length > 0 && cells.every((cell) => cellDate(cell) !== null);
  if ((fn === "min" || fn === "max") && isDated) {
    return found({ name, notes: [], of: (rows) => extremeDate(fn, cellsOf(rows)) });
  }
  const unread = cells.filter((cell) => cellQuantity(cell) === null).length;
  if (unread === cells.length && table.rows.length > 0) {
    return refused("not_numbers", `No value of ${columnName} is a number.`);
  }
  const notes = unitNotes(cells, columnName);
  if (unread > 0) {
    const all = cells.length;
    notes.unshift(`${unread} of ${all} values of ${columnName} are not numbers and were left out.`);
  }
  return found({ name, notes, of: (rows) => numberFrom(fn, cellsOf(rows)) });
}

/** Computes a figure; null if it is undefined, such as the largest of no numbers. */
function numberFrom(fn: Exclude<Aggregate["fn"], "count">, cells: readonly Json[]): number | null {
  const quantities = cells.flatMap((cell) => cellQuantity(cell) ?? []);
  const values = quantities.map(({ value }) => value).toSorted((a, b) => a - b);
  const decimals = quantities.reduce((most, each) => Math.max(most, each.decimals), 0);
  const sum = rounded(
    values.reduce((all, value) => all + value, 0),
    decimals,
  );
  if (!Number.isFinite(sum) || (values.length === 0 && fn !== "sum")) return null;
  switch (fn) {
    case "sum":
      return sum;
    case "average":
      return rounded(sum / values.length, decimals + MEAN_DECIMALS);
    case "min":
      return values.at(0) ?? null;
    case "max":
      return values.at(-1) ?? null;
  }
}

function extremeDate(fn: "min" | "max", cells: readonly Json[]): Json {
  const sorted = cells.toSorted((a, b) => (cellDate(a) ?? 0) - (cellDate(b) ?? 0));
  return sorted.at(fn === "min" ? 0 : -1) ?? null;
}
