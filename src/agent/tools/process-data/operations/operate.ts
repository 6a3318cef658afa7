import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { found, type Outcome } from "../outcome.ts";
import type { Table } from "../table.ts";
import { aggregateRows } from "./aggregate.ts";
import { filterRows } from "./filter.ts";
import type { Operated } from "./operation.ts";
import { distinctRows, limitRows, selectColumns } from "./rows.ts";
import { sortRows } from "./sort.ts";

/** Runs operations on a table in their order; the first one that is refused ends it. */
export function operate(table: Table, operations: readonly DataOperation[]): Outcome<Operated> {
  let current: Operated = { table, notes: [] };
  for (const operation of operations) {
    const next = runOperation(current.table, operation);
    if (!next.ok) return next;
    current = { table: next.value.table, notes: [...current.notes, ...next.value.notes] };
  }
  return found(current);
}

function runOperation(table: Table, operation: DataOperation): Outcome<Operated> {
  switch (operation.op) {
    case "filter":
      return filterRows(table, operation);
    case "sort":
      return sortRows(table, operation);
    case "limit":
      return limitRows(table, operation);
    case "select":
      return selectColumns(table, operation);
    case "distinct":
      return distinctRows(table, operation);
    case "aggregate":
      return aggregateRows(table, operation);
  }
}
