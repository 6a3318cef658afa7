import type { Json } from "../../../../contract/json.ts";
import type { Outcome } from "../outcome.ts";
import type { Table } from "../table.ts";
import { cellDate, cellQuantity, foldedText, isEmpty } from "../values/cells.ts";
import { columnOf, type Operated, type OperationOf, operated } from "./operation.ts";
import { unitNotes } from "./readings.ts";

type Kind = "number" | "date" | "text";

/** A row with what it is sorted by. */
interface Keyed {
  row: Json[];
  empty: boolean;
  text: string;
  number: number | null;
  date: number | null;
}

/**
 * Sorts rows by one column, keeping the order of equals. The column counts as numbers, dates or text,
 * whichever most of its values are; values that are not come after those that are, empty ones last,
 * in both directions.
 */
export function sortRows(table: Table, sort: OperationOf<"sort">): Outcome<Operated> {
  const column = columnOf(table, sort.by);
  if (!column.ok) return column;
  const { index, name } = column.value;
  const keyed = table.rows.map((row) => keyOf(row, row[index] ?? null));
  const present = keyed.filter(({ empty }) => !empty);
  const kind = kindOf(present);
  const sign = sort.direction === "desc" ? -1 : 1;

  const rows = keyed
    .toSorted((a, b) => rank(a, kind) - rank(b, kind) || sign * compare(a, b, kind))
    .map(({ row }) => row);
  const misfits = present.filter((key) => rank(key, kind) > 0).length;
  const notes =
    misfits === 0
      ? []
      : [`${misfits} of ${present.length} values of ${name} are not ${kind}s and come last.`];
  const units =
    kind === "number"
      ? unitNotes(
          table.rows.map((row) => row[index] ?? null),
          name,
        )
      : [];
  return operated(table.columns, rows, [...notes, ...units]);
}

function keyOf(row: Json[], cell: Json): Keyed {
  const number = cellQuantity(cell)?.value ?? null;
  const date = number === null ? cellDate(cell) : null;
  return { row, empty: isEmpty(cell), text: foldedText(cell), number, date };
}

function kindOf(keys: readonly Keyed[]): Kind {
  const numbers = keys.filter(({ number }) => number !== null).length;
  const dates = keys.filter(({ date }) => date !== null).length;
  const texts = keys.length - numbers - dates;
  if (numbers > 0 && numbers >= Math.max(dates, texts)) return "number";
  return dates > 0 && dates >= texts ? "date" : "text";
}

/** 0 for a value of the column's kind, 1 for another value, 2 for none. */
function rank(key: Keyed, kind: Kind): number {
  if (key.empty) return 2;
  return kind === "text" || key[kind] !== null ? 0 : 1;
}

function compare(a: Keyed, b: Keyed, kind: Kind): number {
  if (kind !== "text") {
    const [left, right] = [a[kind], b[kind]];
    if (left !== null && right !== null) return left - right;
  }
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
