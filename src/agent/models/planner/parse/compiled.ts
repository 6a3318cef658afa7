import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type { Column, TableFacts } from "./facts.ts";
import type { Filter, Frame } from "./frame.ts";

/** What a question comes to on one table. */
export interface Compiled {
  shape:
    | { kind: "table" | "list" | "value" | "count" | "exists" }
    | { kind: "every"; all: DataOperation[] }
    | { kind: "share"; second: DataOperation[]; labels: [string, string] };
  operations: DataOperation[];
  /** The operations that say which rows it is about; a later part may inherit them. */
  rows: DataOperation[];
  /** Canonical English of what is done. */
  says: string;
}

/** Runs operations on the table; null if they fail. */
export type Run = (
  operations: readonly DataOperation[],
) => { columns: string[]; rows: unknown[][] } | null;

/** A question whose operations are put together. */
export interface Builder {
  frame: Frame;
  facts: TableFacts;
  run: Run;
  /** Which rows are meant: those of the part before, if it is about them, with the filters. */
  rows: DataOperation[];
  /** The filters in canonical English, as a clause. */
  where: string;
}

/** Readings that mean something, or the reason why there is none. */
export type Compilation = Compiled[] | string;

/** Returns a reading; its rows are those that the filters leave, unless others are given. */
export function reading(
  b: Builder,
  kind: Exclude<Compiled["shape"]["kind"], "every" | "share">,
  operations: readonly DataOperation[],
  says: string,
  rows: DataOperation[] = b.rows,
): Compiled {
  return { shape: { kind }, operations: [...b.rows, ...operations], rows, says };
}

/** Returns an aggregate without groups, or of groups. */
export function aggregate(
  fn: Frame["figures"][number]["fn"],
  column: string | undefined,
  by: string[] = [],
): DataOperation {
  return { op: "aggregate", by, aggregates: [{ fn, ...(column === undefined ? {} : { column }) }] };
}

/** Returns the operation of a filter. */
export function filterOf({ tests }: Pick<Filter, "tests">): DataOperation {
  const [only, second] = tests;
  if (only !== undefined && second === undefined) return { op: "filter", ...only };
  return { op: "filter_any", tests: [...tests] };
}

/** The tests in canonical English. */
const TEST_WORDS = {
  eq: "is",
  ne: "is not",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  empty: "is empty",
  not_empty: "is not empty",
} as const;

/** Says filters as a clause; empty if there are none. */
export function whereOf(filters: readonly Pick<Filter, "tests">[], join = " where "): string {
  const said = filters.map(({ tests }) =>
    tests
      .map(({ column, test, value }) =>
        [column ?? "a cell", TEST_WORDS[test], ...(value === undefined ? [] : [value])].join(" "),
      )
      .join(" or "),
  );
  return said.length === 0 ? "" : `${join}${said.join(" and ")}`;
}

const direction = (descending: boolean): "asc" | "desc" => (descending ? "desc" : "asc");
export const extremity = (descending: boolean) => (descending ? "highest" : "lowest");
export const namesOf = (columns: readonly Column[], join = " and ") =>
  columns.map(({ name }) => name).join(join);

/** Returns the operation that sorts by a column or a figure. */
export function sorting(by: string, descending: boolean): Extract<DataOperation, { op: "sort" }> {
  return { op: "sort", by, direction: direction(descending) };
}

/** Returns the operation that sorts the rows, by up to two columns. */
export function ordersOf({ frame }: Builder): DataOperation[] {
  const [first, second] = frame.orders;
  if (first === undefined) return [];
  const sort = sorting(first.column.name, first.descending);
  if (second === undefined) return [sort];
  const thenDirection = direction(second.descending);
  return [{ ...sort, thenBy: second.column.name, thenDirection }];
}

/** Returns how many of the first rows share the first value; null if there is none. */
export function tiesOf(
  b: Builder,
  operations: readonly DataOperation[],
  by: string,
): number | null {
  const table = b.run([...b.rows, ...operations]);
  const values = table?.rows.map((row) => String(row[table.columns.indexOf(by)] ?? "")) ?? [];
  const [first = ""] = values;
  const end = values.findIndex((value) => value !== first);
  return first === "" ? null : end < 0 ? values.length : end;
}
