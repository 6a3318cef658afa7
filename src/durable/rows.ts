import type * as z from "zod";
import type { TableSql } from "./storage.ts";

type Value = SqlStorageValue | Uint8Array;
type Row = Readonly<Record<string, Value>>;

/** Returns the rows of a query, as the shape says. */
export function rowsOf<Shape>(
  sql: TableSql,
  shape: z.ZodType<Shape>,
  query: string,
  ...values: Value[]
): Shape[] {
  return sql
    .exec(query, ...values)
    .toArray()
    .map((row) => shape.parse(row));
}

/** Returns the first row of a query, or null. */
export function firstRow<Shape>(
  sql: TableSql,
  shape: z.ZodType<Shape>,
  query: string,
  ...values: Value[]
): Shape | null {
  const [row] = sql.exec(query, ...values).toArray();
  return row === undefined ? null : shape.parse(row);
}

/** Whether a query has rows. */
export function hasRows(sql: TableSql, query: string, ...values: Value[]): boolean {
  return sql.exec(query, ...values).toArray().length > 0;
}

/** Inserts a row. `rest` follows the values, such as `ON CONFLICT (seq) DO NOTHING`. */
export function insertRow(sql: TableSql, table: string, row: Row, rest = "") {
  const marks = Object.keys(row).map(() => "?");
  const statement = `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${marks.join()}) ${rest}`;
  return sql.exec(statement, ...Object.values(row));
}

/** Changes columns of the rows that meet a condition. */
export function updateRows(
  sql: TableSql,
  table: string,
  changes: Row,
  condition: string,
  ...values: Value[]
) {
  const set = Object.keys(changes).map((column) => `${column} = ?`);
  const statement = `UPDATE ${table} SET ${set.join()} WHERE ${condition}`;
  return sql.exec(statement, ...Object.values(changes), ...values);
}
