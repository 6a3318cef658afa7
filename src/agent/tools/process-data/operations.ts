import type { Json } from "../../../contract/json.ts";
import type { DataOperation, RowTest } from "../../../contract/tools/data.ts";
import { preview } from "../../../lib/text.ts";
import { fail } from "../tool.ts";
import { columnOf, findColumn, type Noted, noted, type Table, uniqueNames } from "./table.ts";
import {
  cellDate,
  cellQuantity,
  cellText,
  foldedText,
  isEmpty,
  READERS,
  rounded,
  sumOf,
  unitNotes,
} from "./values.ts";

type Value = NonNullable<RowTest["value"]>;

/** Tests a cell; null for a cell of another kind than the value. */
type Probe = (cell: Json) => boolean | null;

/** Keeps the rows whose cell passes the test. A negated test keeps exactly what its counterpart drops. */
export function filterRows(table: Table, { test, value, column: wanted }: RowTest): Noted {
  if (value === undefined && test !== "empty" && test !== "not_empty") {
    fail(`The test "${test}" needs a value.`, "invalid_input");
  }
  const { name, cells } = columnOf(table, wanted);
  const verdicts = cells.map(probeOf(test, value ?? ""));
  const isNegated = test === "ne" || test === "not_contains" || test === "empty";
  const rows = table.rows.filter((_, at) => (verdicts[at] === true) !== isNegated);
  const others = verdicts.filter((verdict) => verdict === null).length;
  const isByText = /^[gl]t/.test(test) && kindOf(value ?? "") === "text";
  if (others === 0) return noted(table.columns, rows, isByText ? textNotes(cells, name) : []);
  const filled = cells.filter((cell) => !isEmpty(cell)).length;
  const note = `${others} of ${filled} values of ${name} are not ${kindOf(value ?? "")}s and did not match.`;
  return noted(table.columns, rows, [note]);
}

function probeOf(test: RowTest["test"], value: Value): Probe {
  const text = foldedText(value);
  switch (test) {
    case "eq":
    case "ne":
      return (cell) => isEqual(cell, value);
    case "contains":
    case "not_contains":
      return (cell) => foldedText(cell).includes(text);
    case "starts_with":
      return (cell) => foldedText(cell).startsWith(text);
    case "ends_with":
      return (cell) => foldedText(cell).endsWith(text);
    case "empty":
    case "not_empty":
      return (cell) => !isEmpty(cell);
    case "gt":
      return inOrder(value, (sign) => sign > 0);
    case "gte":
      return inOrder(value, (sign) => sign >= 0);
    case "lt":
      return inOrder(value, (sign) => sign < 0);
    case "lte":
      return inOrder(value, (sign) => sign <= 0);
  }
}

function isEqual(cell: Json, value: Value): boolean {
  const wanted = cellQuantity(value);
  const quantity = wanted && cellQuantity(cell);
  if (wanted && quantity) {
    const sameUnit = wanted.unit === "" || quantity.unit === "" || wanted.unit === quantity.unit;
    return sameUnit && wanted.value === quantity.value;
  }
  const date = cellDate(value);
  if (date !== null && cellDate(cell) === date) return true;
  return foldedText(cell) === foldedText(value);
}

/** Compares numbers, dates or texts with their own kind: "N/A" is not more than 100. */
function inOrder(value: Value, passes: (sign: number) => boolean): Probe {
  const read = READERS[kindOf(value)];
  const wanted = read(value) ?? "";
  return (cell) => {
    if (isEmpty(cell)) return false;
    const given = read(cell);
    return given === null ? null : passes(given > wanted ? 1 : given < wanted ? -1 : 0);
  };
}

function kindOf(value: Value): keyof typeof READERS {
  if (cellQuantity(value)) return "number";
  return cellDate(value) === null ? "text" : "date";
}

type OperationOf<Op extends DataOperation["op"]> = Extract<DataOperation, { op: Op }>;

/** Keeps the first or the last rows. */
export function limitRows({ columns, rows }: Table, { count, from }: OperationOf<"limit">): Noted {
  const start = from === "end" ? Math.max(0, rows.length - count) : 0;
  return noted(columns, rows.slice(start, start + count));
}

/** Keeps the named columns in their order, each once. */
export function selectColumns(table: Table, select: OperationOf<"select">): Noted {
  const places = [...new Set(select.columns.map((name) => findColumn(table.columns, name)))];
  const columns = places.map((index) => table.columns[index] ?? "");
  return noted(
    columns,
    table.rows.map((row) => places.map((index) => row[index] ?? null)),
  );
}

/** Keeps the first of the rows with equal text in the named columns, or in all columns. */
export function distinctRows(table: Table, distinct: OperationOf<"distinct">): Noted {
  const { columns = table.columns } = distinct;
  const places = columns.map((name) => findColumn(table.columns, name));
  const seen = new Set<string>();
  const rows = table.rows.filter((row) => {
    const key = JSON.stringify(places.map((index) => cellText(row[index] ?? null)));
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
export function sortRows(table: Table, { by, direction }: OperationOf<"sort">): Noted {
  const { index, name, cells } = columnOf(table, by);
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
      ...(kind === "text" ? textNotes(cells, name) : []),
    ],
  );
}

/** Warns if values with digits were compared as text, in which "9:15" comes behind "10:30". */
function textNotes(cells: readonly Json[], column: string): string[] {
  const text = cells.map(cellText).find((each) => /\d/.test(each));
  if (text === undefined) return [];
  const shown = JSON.stringify(preview(text));
  return [
    `${column} was compared letter by letter: ${shown} is read neither as a number nor as an ISO date.`,
  ];
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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
export function aggregateRows(table: Table, operation: Aggregation): Noted {
  const by = operation.by.map((name) => findColumn(table.columns, name));
  const all = operation.aggregates.map((aggregate) => figureOf(table, aggregate));
  const figures = all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
  const groups = by.length === 0 ? [table.rows] : groupsOf(table.rows, by);
  const rows = groups.map((group) => [
    ...by.map((index) => group[0]?.[index] ?? null),
    ...figures.map((figure) => figure.of(group)),
  ]);
  const grouped = by.map((index) => table.columns[index] ?? "");
  return noted(uniqueNames([...grouped, ...figures.map(({ name }) => name)]), rows, [
    ...figures.flatMap(({ notes }) => notes),
    ...totalNotes(table.rows),
  ]);
}

const TOTAL = /^(?:(?:grand|sub)[- ]?)?(?:totals?|totale|sum|summe|gesamt|suma)\b:?$/i;

/** Warns if a table ends with its own total, which would be counted twice. */
function totalNotes(rows: readonly Json[][]): string[] {
  const name = rows
    .at(-1)
    ?.map(cellText)
    .find((cell) => TOTAL.test(cell));
  return name === undefined ? [] : [`The last row, "${name}", was counted like the others.`];
}

function groupsOf(rows: readonly Json[][], by: readonly number[]): Json[][][] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify(by.map((index) => cellText(row[index] ?? null))),
  );
  return [...groups.values()];
}

function figureOf(table: Table, { fn, column: wanted }: Aggregate): Figure {
  if (wanted === undefined) {
    if (fn !== "count") fail(`The aggregate "${fn}" needs a column.`, "invalid_input");
    return { name: "count", notes: [], of: (rows) => rows.length };
  }
  const { index, name: columnName } = columnOf(table, wanted);
  const name = `${fn} of ${columnName}`;
  const cellsOf = (rows: readonly Json[][]) =>
    rows.map((row) => row[index] ?? null).filter((cell) => !isEmpty(cell));
  if (fn === "count") return { name, notes: [], of: (rows) => cellsOf(rows).length };

  const cells = cellsOf(table.rows);
  const isDated = cells.length > 0 && cells.every((cell) => cellDate(cell) !== null);
  if ((fn === "min" || fn === "max") && isDated) {
    return { name, notes: [], of: (rows) => extremeDate(fn, cellsOf(rows)) };
  }
  const unread = cells.filter((cell) => cellQuantity(cell) === null).length;
  if (unread === cells.length && table.rows.length > 0) {
    fail(`No value of ${columnName} is a number.`, "not_numbers");
  }
  const notes = unitNotes(cells, columnName);
  if (unread > 0) {
    const all = cells.length;
    notes.unshift(`${unread} of ${all} values of ${columnName} are not numbers and were left out.`);
  }
  return { name, notes, of: (rows) => numberFrom(fn, cellsOf(rows)) };
}

/** Computes a figure; null if it is undefined, such as the largest of no numbers. */
function numberFrom(fn: Exclude<Aggregate["fn"], "count">, cells: readonly Json[]): number | null {
  const quantities = cells.flatMap((cell) => cellQuantity(cell) ?? []);
  const values = quantities.map(({ value }) => value).toSorted((a, b) => a - b);
  const decimals = quantities.reduce((most, each) => Math.max(most, each.decimals), 0);
  const sum = sumOf(values, decimals);
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
