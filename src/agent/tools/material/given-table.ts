import { type Table, table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { rowsOfJson } from "../process-data/json/rows.ts";
import { type Made, made, notMade } from "./made.ts";

/** The table that a value is, every row having a value for each column. */
export function evenTable(value: Json): Made<Table> {
  const parsed = table.safeParse(value);
  if (!parsed.success) return notMade("A table's value is {columns: [names], rows: [[values]]}.");
  const { columns, rows } = parsed.data;
  const uneven = rows.findIndex((row) => row.length !== columns.length);
  if (uneven === -1) return made(parsed.data);
  return notMade(
    `Row ${uneven + 1} has ${rows[uneven]?.length} values for ${columns.length} columns.`,
  );
}

/** The table of what code returned: rows under columns, or a list of rows. */
export function codeTable(value: Json): Made<Table> {
  if (!Array.isArray(value)) {
    if (table.safeParse(value).success) return evenTable(value);
    return notMade("Code makes a table by returning a list of objects, or {columns, rows}.");
  }
  if (value.length === 0) {
    return notMade("The code returned an empty list; {columns, rows: []} is an empty table.");
  }
  // In a list, so that each element is a row and not what is in it.
  const { table: rows, cut } = rowsOfJson([value]);
  return cut ? notMade("The code returned more columns or cells than a table has.") : made(rows);
}
