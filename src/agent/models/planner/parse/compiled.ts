import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type { Frame } from "./frame.ts";
import { filterOf, whereOf } from "./say.ts";
import type { Column, TableFacts } from "./table.ts";

/** What a question comes to on one table. */
export interface Compiled {
  shape:
    | { kind: "table" | "list" | "value" | "count" | "exists" }
    | { kind: "every"; all: DataOperation[] }
    | {
        kind: "figures";
        operator: "difference" | "percent";
        second: DataOperation[];
        labels: [string, string];
      };
  operations: DataOperation[];
  /** The operations that say which rows it is about; a later part may inherit them. */
  rows: DataOperation[];
  /** Canonical English of what is done. */
  says: string;
}

/** A reading that means something, or the reason why it does not. */
export type Compilation = { ok: true; compiled: Compiled } | { ok: false; reason: string };

/** What `compile` needs of the table's rows. */
export interface Evaluator {
  facts: TableFacts;
  /** Runs operations on the table; null if they fail. */
  run(operations: readonly DataOperation[]): { columns: string[]; rows: unknown[][] } | null;
}

export type Names = readonly Column[];

export const nothing = (reason: string): Compilation[] => [{ ok: false, reason }];

/** A question whose operations are put together. */
export interface Builder {
  frame: Frame;
  evaluator: Evaluator;
  /** The operations of the part before, if its rows are meant. */
  inherited: readonly DataOperation[];
}

/** Returns the operations that say which rows are meant. */
export function filtersOf(b: Builder): DataOperation[] {
  return [
    ...b.inherited,
    ...b.frame.filters.map(filterOf),
    ...(b.frame.dedupe ? [{ op: "distinct" as const }] : []),
  ];
}

/** Returns a reading that means something. */
export function done(
  b: Builder,
  shape: Compiled["shape"],
  operations: DataOperation[],
  says: string,
  rows: DataOperation[] = filtersOf(b),
): Compilation {
  return { ok: true, compiled: { shape, operations, rows, says } };
}

/** Whether a filter names a single row by a column whose cells all differ. */
export function isOneRow(b: Builder): boolean {
  return b.frame.filters.some(
    ({ tests, columns }) =>
      tests.length === 1 &&
      tests[0]?.test === "eq" &&
      columns[0]?.unique === true &&
      columns[0].kind !== "number",
  );
}

/** Says all filters. */
export function whereAll(b: Builder): string {
  return whereOf(b.frame.filters);
}

/** Returns how many of the first rows share the first value. */
export function tiesOf(b: Builder, sorted: readonly DataOperation[], by: string): number | null {
  const table = b.evaluator.run(sorted);
  const index = table?.columns.indexOf(by) ?? -1;
  if (table === null || index < 0) return null;
  const first = table.rows[0]?.[index];
  if (first === undefined || first === null || first === "") return null;
  let count = 0;
  while (count < table.rows.length && String(table.rows[count]?.[index]) === String(first))
    count += 1;
  return count;
}

/** Returns the operation that sorts the rows. */
export function ordersOf(b: Builder): DataOperation[] {
  const [first, second, third] = b.frame.orders;
  if (first === undefined || third !== undefined) return [];
  const direction = (descending: boolean) => (descending ? ("desc" as const) : ("asc" as const));
  const then =
    second === undefined
      ? {}
      : { thenBy: second.column.name, thenDirection: direction(second.descending) };
  return [{ op: "sort", by: first.column.name, direction: direction(first.descending), ...then }];
}
