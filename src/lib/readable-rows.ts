/**
 * Returns the rows that `read` can parse. A row that it cannot, for example one of newer code, is reported
 * and skipped: it must not hide the others.
 */
export function readableRows<Row, Read>(
  rows: readonly Row[],
  read: (row: Row) => Read,
  report: (row: Row, error: unknown) => void,
): Read[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      report(row, error);
      return [];
    }
  });
}
