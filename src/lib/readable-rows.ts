/**
 * What can be read of these rows. One that cannot, such as newer code may have left behind, is told and
 * left out: it must not hide the others.
 */
export function readableRows<Row, Read>(
  rows: readonly Row[],
  read: (row: Row) => Read,
  tell: (row: Row, error: unknown) => void,
): Read[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      tell(row, error);
      return [];
    }
  });
}
