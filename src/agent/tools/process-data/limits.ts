/** Cells that one call works on at most; rows over it are dropped and the answer says so. */
export const MAX_CELLS = 100_000;

/** Columns of one table at most. */
export const MAX_COLUMNS = 500;

/** Characters of a column's name at most. */
export const MAX_NAME_LENGTH = 100;

/** Nesting of JSON that is accepted: deeper data could exhaust the stack of whoever walks it next. */
export const MAX_DEPTH = 128;

/** Bytes of an answer's columns and rows as JSON, in UTF-8. */
export const MAX_RESULT_BYTES = 512 * 1024;

/** Rows of `width` cells that fit the cell limit. */
export function rowsWithin(width: number): number {
  return Math.floor(MAX_CELLS / Math.max(1, width));
}
