import type { RowTest } from "../../../../contract/tools/process-data.ts";
import type { Column } from "../parse/facts.ts";
import type { Frame } from "../parse/frame.ts";

/*
 * Laws decide whether a reading is accepted; costs only rank those that are. Other laws hold by
 * construction: what no item explains stops the reader, and each slot of a frame must have a use.
 */

/** Whether a row would need two values in one column, or a number beyond both bounds. */
export function contradicts({ filters }: Pick<Frame, "filters">): boolean {
  const single = filters.flatMap(({ tests: [only, second] }) =>
    only !== undefined && second === undefined ? [only] : [],
  );
  return single.some((one) =>
    single.some((other) => one.column === other.column && excludes(one, other)),
  );
}

function excludes(one: RowTest, other: RowTest): boolean {
  if (one.test === "eq" && other.test === "eq") {
    return String(one.value).toLowerCase() !== String(other.value).toLowerCase();
  }
  const areBounds = one.test.startsWith("gt") && other.test.startsWith("lt");
  const areNumbers = typeof one.value === "number" && typeof other.value === "number";
  const isOpen = one.test === "gt" || other.test === "lt";
  const [low, high] = [Number(one.value), Number(other.value)];
  return areBounds && areNumbers && (low > high || (low === high && isOpen));
}

/** Whether something is added or counted, so that "in total" has a meaning. */
export function addsUp({ ask, figures }: Pick<Frame, "ask" | "figures">): boolean {
  const counts = ask === "howmany" || ask === "howmuch" || ask === "count";
  return counts || figures.some(({ fn }) => fn === "sum");
}

/** Whether a filter names a single row by a column whose cells all differ. */
export function namesOneRow({ filters }: Pick<Frame, "filters">): boolean {
  return filters.some(
    ({ tests: [only, second], columns: [column] }) =>
      only?.test === "eq" &&
      second === undefined &&
      column?.unique === true &&
      column.kind !== "number",
  );
}

/** Headers that only say that a column names the rows. */
export const LABELS = new Set(["name", "title", "label"]);
const IDS = new Set("id no number # sku code year phone zip".split(" "));

/** Whether a column of numbers counts or measures something, rather than naming or numbering the rows. */
export function isQuantity({ kind, stems, unique, units, index }: Column): boolean {
  // A first column of whole numbers that all differ numbers the rows.
  const isNumbering = unique && index === 0 && units.size === 0;
  return kind === "number" && !isNumbering && !stems.some((stem) => IDS.has(stem));
}

/** Words of headers whose values are not added: a price, a rating, a percentage. */
const RATES = new Set(
  "price rating rate score age temperature average mean percent share year rank fare ratio speed height elevation star floor level grade week day month round class season platform gate".split(
    " ",
  ),
);

/** Whether the values of several rows add up to something. */
export function isAdditive(column: Column): boolean {
  const { stems, units } = column;
  return isQuantity(column) && !units.has("%") && !stems.some((stem) => RATES.has(stem));
}
