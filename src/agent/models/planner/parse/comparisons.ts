import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import type { Column, TableFacts } from "./facts.ts";
import type { Frame } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import {
  type ColumnTest,
  columnsOfMeasure,
  compared,
  isPaddedTime,
  isYear,
  type Measure,
  measuresIn,
  negated,
  PLAIN,
  type Test,
} from "./measures.ts";

/** What the conditions of a phrase are read with. */
export interface Spot {
  items: readonly Item[];
  at: number;
  facts: TableFacts;
  frame: Frame;
}

/** Reads a condition in each way that it can be meant. */
export type Read = (slice: readonly Item[], place: Spot) => readonly ColumnTest[][];

/** Returns the columns that items name, item by item. */
export function columnsIn(slice: readonly Item[]): Column[][] {
  return slice.flatMap((item) =>
    item.type === "column" || item.type === "verb" || item.type === "adjective"
      ? [item.columns]
      : [],
  );
}

/** Returns the argument of an operator; empty for other items. */
export function argOf(item: Item | undefined): string {
  return item?.type === "op" ? item.arg : "";
}

const TESTS: readonly Test[] = ["eq", "ne", "gt", "gte", "lt", "lte"];

/** "Price below 20", "costs 20", "more than 20 seats", "cheaper than 20", "3 rooms or more". */
export function measured(slice: readonly Item[], place: Spot): ColumnTest[][] {
  const { facts, items, at } = place;
  const [head] = slice;
  const last = slice.at(-1);
  const cmp = slice.find((item) => isOp(item, "cmp"));
  const isComparative = head?.type === "adjective";
  const isUp = isComparative ? head.more : argOf(head) === "up";
  const isPlain = cmp === undefined && !isComparative && !isOp(head, "more");
  const arg = isPlain ? "eq" : cmp === undefined ? (isUp ? "gt" : "lt") : argOf(cmp);
  const isDate = arg.startsWith("date ");
  const bare = TESTS.find((test) => test === arg.replace("date ", ""));
  const bound = measuresIn(slice)[0] ?? averageIn(slice, facts);
  if (bare === undefined || bound === null) return [];
  const tail = bound.tail ?? (isOp(last, "tail") ? (argOf(last) === "gte" ? "gte" : "lte") : null);
  if (tail !== null && bare !== "eq") return [];
  // "price 20 products": the number counts what follows.
  const next = items[at + slice.length];
  const counts = next?.type === "row" || next?.type === "adjective";
  if (isPlain && bound.unit === "" && counts && head?.type !== "date") return [];
  const isNumber = slice.every(({ type }) => type === "number");
  if (isNumber && bound.unit === "" && tail === null && !isYear(bound.value)) return [];
  const isNot = slice.some((item) => isOp(item, "not"));
  const test = tail ?? bare;
  const [turned] = isNot ? (negated([{ column: null, test }]) ?? []) : [{ test }];
  // "from July": of July, or since July.
  const isSince = head?.lead.includes("from") && bound.until !== null && test === "eq";
  const tests = [turned?.test ?? test, ...(isSince ? ["gte" as const] : [])];
  return measuredColumns(slice, place, bound)
    .filter((column) => !isDate || column.isYear || isPaddedTime(facts, column))
    .flatMap((column) => tests.flatMap((each) => compared(facts, column, each, bound)));
}

/** Returns the columns that a comparison is of. */
function measuredColumns(
  slice: readonly Item[],
  { facts, frame }: Spot,
  measure: Measure,
): readonly Column[] {
  const [first, second] = columnsIn(slice);
  const last = slice.at(-1);
  const isAfter = last?.type === "column" && slice.length > 1;
  if (isAfter && last.lead.some((word) => !/^(?:of|in|a|an|the)$/.test(word))) return [];
  if (first !== undefined) {
    const both = first.filter((column) => second?.includes(column) ?? true);
    if (measure.unit === "time") return both.filter((column) => isPaddedTime(facts, column));
    if (measure.until !== null) return both.filter(({ kind }) => kind === "date");
    const isVerb = slice.some(({ type }) => type === "verb");
    return both.filter(
      ({ kind }) => /^(?:number|date)$/.test(kind) || (!isVerb && kind === "text"),
    );
  }
  const own = columnsOfMeasure(facts, measure);
  const governed = own.filter((column) => frame.verbs.at(-1)?.columns.includes(column));
  return measure.until !== null && governed.length > 0 ? governed : own;
}

/** "Than the average": of all rows. */
function averageIn(slice: readonly Item[], { rows }: TableFacts): Measure | null {
  const [[column, other] = []] = columnsIn(slice);
  const isAverage = argOf(slice.at(-1)) === "average" && column?.kind === "number";
  if (!isAverage || other !== undefined) return null;
  const values = rows.flatMap((row) => cellQuantity(row[column.index] ?? null)?.value ?? []);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { ...PLAIN, value: Number(mean.toPrecision(12)) };
}

/** "Between 60 and 90 million", "from between ... in price". */
export function between(slice: readonly Item[], place: Spot): ColumnTest[][] {
  const [low, high] = measuresIn(slice);
  if (low === undefined || high === undefined || low.tail !== null || high.tail !== null) return [];
  // The unit and the scale of the second number are meant for both.
  const unit = low.unit || high.unit;
  const scaled = Number(low.value) * high.scale;
  const value = scaled <= Number(high.value) ? scaled : low.value;
  const first = { ...low, value, unit, concepts: [...high.concepts, ...low.concepts] };
  return measuredColumns(slice, place, first).flatMap((column) =>
    compared(place.facts, column, "gte", first).flatMap((least) =>
      compared(place.facts, column, "lte", high).map((most) => [...least, ...most]),
    ),
  );
}
