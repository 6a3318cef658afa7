import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import type { Query } from "../bind/scan.ts";
import { inlineSheet, type Sheet } from "./sheets.ts";

/** An element of a list as a cell: an object of one value is that value. */
function cellOf(element: Json): Json {
  if (!isObject(element)) return element;
  const values = Object.values(element);
  return values.length === 1 ? (values[0] ?? null) : element;
}

/**
 * A sheet with a row for each element where a query groups by, or tells apart, a column whose cells
 * are lists: three genres of one book count three times.
 */
export function spread(sheet: Sheet, query: Query): Sheet {
  const columns = [...query.groupBy, ...(query.distinct ?? [])];
  const at = sheet.columns.findIndex(
    (column, index) =>
      columns.includes(column) && sheet.rows.some((row) => Array.isArray(row[index])),
  );
  if (at < 0) return sheet;
  const rows = sheet.rows.flatMap((row) => {
    const cell = row[at];
    return Array.isArray(cell) ? cell.map((one) => row.with(at, cellOf(one))) : [row];
  });
  return inlineSheet(sheet.kind, sheet.columns, rows, sheet.pages) ?? sheet;
}
