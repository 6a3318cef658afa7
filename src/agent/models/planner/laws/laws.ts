import type { Filter, Frame } from "../parse/frame.ts";
import type { Column, TableFacts } from "../parse/table.ts";

/*
 * Laws decide whether a reading is accepted; costs only rank those that are. Other laws hold by
 * construction: what no item explains stops the reader, and each item must find its place in the frame.
 */

/** Whether a row would need two values in one column. */
export function contradicts({ filters }: Pick<Frame, "filters">): boolean {
  const wanted = filters.flatMap(({ tests }) =>
    tests.length === 1 && tests[0]?.test === "eq" ? tests : [],
  );
  if (filters.some((filter) => filters.some((other) => excludes(filter, other)))) return true;
  return wanted.some((test) =>
    wanted.some(
      (other) =>
        other.column === test.column &&
        String(other.value).toLowerCase() !== String(test.value).toLowerCase(),
    ),
  );
}

/** Whether no number is within both bounds: "below 100 and above 500". */
function excludes(
  { tests: [low, otherLow] }: Filter,
  { tests: [high, otherHigh] }: Filter,
): boolean {
  if (low === undefined || high === undefined || otherLow !== undefined || otherHigh !== undefined)
    return false;
  const bounds =
    low.column === high.column && typeof low.value === "number" && typeof high.value === "number";
  if (!bounds || !low.test.startsWith("gt") || !high.test.startsWith("lt")) return false;
  return Number(low.value) > Number(high.value);
}

/** Whether something is added or counted, so that "in total" has a meaning. */
export function addsUp({ ask, figures }: Pick<Frame, "ask" | "figures">): boolean {
  return (
    ask === "howmany" ||
    ask === "howmuch" ||
    ask === "count" ||
    figures.some(({ fn }) => fn === "sum")
  );
}

/** Whether most cells are a first and a last name. */
export function looksLikeNames({ index }: Column, { rows }: TableFacts): boolean {
  const names = rows.filter((row) =>
    /^\p{Lu}[\p{L}'’.-]+ (?:\p{L}+ )?\p{Lu}[\p{L}'’-]+$/u.test(String(row[index] ?? "")),
  );
  return names.length >= rows.length * 0.6;
}

/** Headers that only say that a column names the rows. */
export const LABELS = new Set(["name", "title", "label"]);
const IDS = new Set(["id", "no", "number", "#", "sku", "code", "year", "phone", "zip"]);

/** Whether a column of numbers counts or measures something, rather than naming or numbering the rows. */
export function isQuantity({ kind, stems }: Column): boolean {
  return kind === "number" && !stems.some((stem) => IDS.has(stem));
}

/** Words of headers whose values are not added: a price, a rating, a percentage. */
const RATES = new Set([
  "price",
  "rating",
  "rate",
  "score",
  "age",
  "temperature",
  "average",
  "mean",
  "percent",
  "share",
  "year",
  "rank",
  "fare",
  "ratio",
  "speed",
  "height",
  "elevation",
  "star",
  "floor",
  "level",
  "grade",
  "week",
  "day",
  "month",
  "round",
  "class",
  "season",
]);

/** Whether the values of several rows add up to something. */
export function isAdditive(column: Column): boolean {
  const { stems, units, unique, index } = column;
  // A first column of numbers that all differ names the rows.
  if (unique && index === 0) return false;
  return isQuantity(column) && !units.has("%") && !stems.some((stem) => RATES.has(stem));
}
