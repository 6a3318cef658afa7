import type { Json } from "../../../../contract/json.ts";
import type { RowTest } from "../../../../contract/tools/process-data.ts";
import { type Computed, refused, type Table } from "../table.ts";
import { cellDate, cellQuantity, foldedText, isEmpty } from "../values/cells.ts";
import { columnOf, type OperationResult, operationResult } from "./operation.ts";

type Value = NonNullable<RowTest["value"]>;
type Order = "gt" | "gte" | "lt" | "lte";

/** A test of one cell. */
interface Probe {
  holds(cell: Json): boolean;
  /** The kind of cell that the test applies to; other cells are counted. */
  needs?: { kind: string; met(cell: Json): boolean };
}

/**
 * Keeps the rows whose cell passes the test; without a column, rows in which any cell passes. A negated
 * test keeps exactly the rows that its counterpart drops.
 */
export function filterRows(
  table: Table,
  { test, value, column: wanted }: RowTest,
): Computed<OperationResult> {
  const needsValue = test !== "empty" && test !== "not_empty";
  if (needsValue && value === undefined) {
    return refused("invalid_input", `The test "${test}" needs a value.`);
  }
  const probe = probeOf(test, value ?? "");
  const negated = test === "ne" || test === "not_contains" || test === "empty";
  if (wanted === undefined) {
    const rows = table.rows.filter((row) => row.some((cell) => probe.holds(cell)) !== negated);
    return operationResult(table.columns, rows);
  }
  const column = columnOf(table, wanted);
  if (!column.ok) return column;
  const { index, name } = column.value;
  const cells = table.rows.map((row) => row[index] ?? null);
  const rows = table.rows.filter((row) => probe.holds(row[index] ?? null) !== negated);
  return operationResult(table.columns, rows, unmetNotes(probe, cells, name));
}

function probeOf(test: RowTest["test"], value: Value): Probe {
  const text = foldedText(value);
  switch (test) {
    case "eq":
    case "ne":
      return { holds: (cell) => isEqual(cell, value) };
    case "contains":
    case "not_contains":
      return { holds: (cell) => foldedText(cell).includes(text) };
    case "starts_with":
      return { holds: (cell) => foldedText(cell).startsWith(text) };
    case "ends_with":
      return { holds: (cell) => foldedText(cell).endsWith(text) };
    case "empty":
    case "not_empty":
      return { holds: (cell) => !isEmpty(cell) };
    default:
      return orderProbe(test, value);
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
function orderProbe(test: Order, value: Value): Probe {
  const quantity = cellQuantity(value);
  if (quantity) {
    return comparing(test, quantity.value, "numbers", (cell) => {
      return cellQuantity(cell)?.value ?? yearOf(cell, quantity.value);
    });
  }
  const date = cellDate(value);
  if (date !== null) return comparing(test, date, "dates", cellDate);
  return comparing(test, foldedText(value), "text", (cell) =>
    isEmpty(cell) ? null : foldedText(cell),
  );
}

function comparing<T extends number | string>(
  test: Order,
  value: T,
  kind: string,
  read: (cell: Json) => T | null,
): Probe {
  const passes = {
    gt: (found: T) => found > value,
    gte: (found: T) => found >= value,
    lt: (found: T) => found < value,
    lte: (found: T) => found <= value,
  }[test];
  return {
    holds(cell) {
      const value = read(cell);
      return value !== null && passes(value);
    },
    needs: { kind, met: (cell) => isEmpty(cell) || read(cell) !== null },
  };
}

/** Returns the year of a date that is compared with a plain year. */
function yearOf(cell: Json, value: number): number | null {
  if (!Number.isInteger(value) || value < 1_000 || value > 9_999) return null;
  const date = cellDate(cell);
  return date === null ? null : new Date(date).getUTCFullYear();
}

function unmetNotes({ needs }: Probe, cells: readonly Json[], column: string): string[] {
  if (!needs) return [];
  const unmet = cells.filter((cell) => !needs.met(cell)).length;
  const values = cells.filter((cell) => !isEmpty(cell)).length;
  if (unmet === 0) return [];
  return [`${unmet} of ${values} values of ${column} are not ${needs.kind} and did not match.`];
}
