import type { DataOperation, RowTest } from "../../../../contract/tools/process-data.ts";
import type { Filter } from "./frame.ts";

/** Returns the operation that counts the rows. */
export function countRows(): DataOperation {
  return { op: "aggregate", by: [], aggregates: [{ fn: "count" }] };
}

/** Returns the operation of a filter. */
export function filterOf({ tests }: Filter): DataOperation {
  const [only, second] = tests;
  if (only !== undefined && second === undefined) return { op: "filter", ...only };
  return { op: "filter_any", tests: [...tests] };
}

/** The tests in canonical English. */
export const TEST_WORDS: Record<RowTest["test"], string> = {
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
};

/** Says a filter in canonical English. */
export function sayFilter({ tests }: Filter): string {
  return tests
    .map(
      ({ column, test, value }) =>
        `${column ?? "a cell"} ${TEST_WORDS[test]}${value === undefined ? "" : ` ${value}`}`,
    )
    .join(" or ");
}

/** Says all filters as a clause; empty if there are none. */
export function whereOf(filters: readonly Filter[]): string {
  return filters.length === 0 ? "" : ` where ${filters.map(sayFilter).join(" and ")}`;
}
