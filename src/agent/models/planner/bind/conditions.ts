import { cellDate, cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import type { Filter, Scan } from "./scan.ts";

/** An amount as it stands in a normalized text: `20`, `$7.50`, `40%`, `2024-01-31`. */
export const AMOUNT = String.raw`(\$?-?\d[\d.]*(?:-\d\d(?:-\d\d)?)?%?)`;

/** What something is compared with. */
export interface Amount {
  value: string | number;
  /** Whether it was written as money. */
  money: boolean;
}

/** The amount as a filter's value, and whether it was written as money. */
export function amount(raw: string): Amount {
  const money = raw.startsWith("$");
  const text = raw.replace(/^\$/, "").replace(/%$/, "").replace(/\.$/, "");
  return { value: /^-?[\d.]+$/.test(text) ? Number(text) : text, money };
}

/** Adds a condition to the query; without a column, any cell of the row may meet it. */
export function add(
  scan: Scan,
  column: string | null,
  test: Filter["test"],
  value?: Filter["value"],
): void {
  const filter: Filter = {
    op: "filter",
    ...(column === null ? {} : { column }),
    test,
    ...(value === undefined ? {} : { value }),
  };
  scan.query.filters.push(filter);
  scan.query.mentions++;
}

/** Names of columns that number the rows: nobody compares with these without naming them. */
export const ROW_NUMBER = /^(?:id|no|nr|#|rank|number|index|pos|position)\.?$/i;

/** Columns most of whose cells are numbers. */
export function numericColumns(scan: Scan): string[] {
  return scan.columns.filter((column) => {
    const cells = scan.cells(column).filter((cell) => cellText(cell) !== "");
    const numbers = cells.filter((cell) => parseNumber(cellText(cell)) !== null);
    return numbers.length > 0 && numbers.length * 2 >= cells.length;
  });
}

/** Columns all of whose filled cells are dates. */
export function dateColumns(scan: Scan): string[] {
  return scan.columns.filter((column) => {
    const cells = scan.cells(column).filter((cell) => cellText(cell) !== "");
    return cells.length > 0 && cells.every((cell) => cellDate(cell) !== null);
  });
}
