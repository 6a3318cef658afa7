import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import type { Column, TableFacts } from "./facts.ts";
import type { Frame } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import {
  type ColumnTest,
  columnsOfMeasure,
  compared,
  isPaddedTime,
  type Measure,
  measuresIn,
  negated,
  type Test,
} from "./measures.ts";

/** A reading of a condition: tests of which all hold. */
export interface Condition {
  to: number;
  tests: ColumnTest[];
  /** Whether one of the tests is enough. */
  any: boolean;
}

/** What the conditions of a phrase are read with. */
export interface Spot {
  items: readonly Item[];
  at: number;
  facts: TableFacts;
  frame: Frame;
}

export type Read = (slice: readonly Item[], place: Spot) => Omit<Condition, "to">[];

export const all = (tests: ColumnTest[] | null) => (tests === null ? [] : [{ tests, any: false }]);

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

/** "Price below 20", "costs 20", "more than 20 seats", "cheaper than 20", "older than Ann". */
export function measured(slice: readonly Item[], place: Spot): Omit<Condition, "to">[] {
  const { facts } = place;
  const [head] = slice;
  const cmp = slice.find((item) => isOp(item, "cmp"));
  const isComparative = head?.type === "adjective";
  const isMore = isOp(head, "more");
  const arg =
    isComparative || isMore
      ? (isComparative ? head.more : argOf(head) === "up")
        ? "gt"
        : "lt"
      : argOf(cmp) || "eq";
  const isDate = arg.startsWith("date ");
  const bare = TESTS.find((test) => test === arg.replace("date ", ""));
  if (bare === undefined) return [];
  const last = slice.at(-1);
  const bound = measuresIn(slice)[0] ?? boundOf(slice, place);
  // "3 rooms or more"
  const tail = isOp(last, "tail") ? (argOf(last) === "gte" ? "gte" : "lte") : null;
  const measure = bound === null ? null : { ...bound, tail: bound.tail ?? tail };
  if (measure === null || (measure.tail !== null && bare !== "eq")) return [];
  // "above 10 or below 2" begins another comparison; "4 or more" belongs to this one.
  const test = measure.tail ?? bare;
  const next = place.items[place.at + slice.length];
  // "price 20 products": the number counts what follows.
  const counts = next?.type === "row" || next?.type === "adjective";
  const number = slice.find(({ type }) => type === "number");
  const isBare = cmp === undefined && !isComparative && !isMore && measure.unit === "";
  if (isBare && number && (counts || number.lead.includes(","))) return [];
  const isPlain = slice.every(({ type }) => type === "number" || type === "op");
  const isSince = head?.lead.some((word) => word === "from" || word === "starting") ?? false;
  const fitting = measuredColumns(slice, place, measure).filter(
    (column) => !isDate || column.isYear || isPaddedTime(facts, column),
  );
  const isNot = slice.some((item) => isOp(item, "not"));
  const signed = isNot ? (negated([{ column: null, test }])?.[0]?.test ?? test) : test;
  // "from July": of July, or since July.
  const tests =
    isSince && measure.until !== null && test === "eq" ? [signed, "gte" as const] : [signed];
  if (
    isPlain &&
    cmp === undefined &&
    measure.unit === "" &&
    measure.tail === null &&
    !isYear(measure)
  )
    return [];
  return fitting.flatMap((column) =>
    tests.flatMap((one) => all(compared(facts, column, one, measure))),
  );
}

function isYear({ value }: Measure): boolean {
  return typeof value === "number" && value > 1000 && value < 2200;
}

/** Returns the columns that a comparison is of. */
function measuredColumns(
  slice: readonly Item[],
  { facts, frame }: Spot,
  measure: Measure,
): readonly Column[] {
  const named = columnsIn(slice);
  const [first, second] = named;
  const isAfter = slice.at(-1)?.type === "column" && slice.length > 1;
  const last = slice.at(-1);
  if (isAfter && last?.lead.some((word) => !/^(?:of|in|a|an|the)$/.test(word))) return [];
  const both =
    second === undefined ? first : (first ?? []).filter((column) => second.includes(column));
  if (both !== undefined) {
    const isVerb = slice.some(({ type }) => type === "verb");
    const comparable = both.filter(
      (own) =>
        own.kind === "number" ||
        own.kind === "date" ||
        (!isVerb && own.kind === "text") ||
        isPaddedTime(facts, own),
    );
    const dated = comparable.filter((own) =>
      measure.unit === "time" ? isPaddedTime(facts, own) : own.kind === "date",
    );
    return typeof measure.value === "string" ? dated : comparable;
  }
  const verb =
    frame.verbs.at(-1)?.columns.filter(({ kind }) => kind === "date" || kind === "number") ?? [];
  const own = columnsOfMeasure(facts, measure);
  const governed = verb.filter((column) => own.includes(column));
  return measure.until !== null && governed.length > 0 ? governed : own;
}

/** "Than the Blue Mug", "than the average": the value of that row, or of all rows. */
function boundOf(slice: readonly Item[], { facts }: Spot): Measure | null {
  const last = slice.at(-1);
  const [columns = []] = columnsIn(slice);
  const [column, other] = columns;
  if (column === undefined || other !== undefined) return null;
  const plain = { scale: 1, unit: "", concepts: [], tail: null, until: null };
  if (last?.type === "value") {
    const { key, rows } = facts;
    const place = last.at.find((each) => each.column === key && !each.partial);
    const match = rows.filter(
      (cells) =>
        key && String(cells[key.index]).trim().toLowerCase() === place?.value.toLowerCase(),
    );
    const bound = match[0]?.[column.index];
    const isClear = match.length === 1 && (typeof bound === "string" || typeof bound === "number");
    return isClear ? { ...plain, value: cellQuantity(bound)?.value ?? bound } : null;
  }
  if (!isOp(last, "agg") || argOf(last) !== "average" || column.kind !== "number") return null;
  const values = facts.rows.flatMap((row) => cellQuantity(row[column.index] ?? null)?.value ?? []);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { ...plain, value: Number(mean.toPrecision(12)) };
}

/** "Between 60 and 90 million", "from between ... in price". */
export function between(slice: readonly Item[], place: Spot): Omit<Condition, "to">[] {
  const [low, high] = measuresIn(slice);
  if (low === undefined || high === undefined || low.tail !== null || high.tail !== null) return [];
  if (slice.some((item) => isOp(item, "not"))) return [];
  const unit = high.unit || low.unit;
  // The scale of the second number is meant for both.
  const isScaled = typeof low.value === "number" && typeof high.value === "number";
  const value =
    isScaled && Number(low.value) < Number(high.value) / high.scale
      ? Number(low.value) * high.scale
      : low.value;
  const concepts = [...high.concepts, ...low.concepts];
  const columns = measuredColumns(slice, place, { ...low, unit, concepts });
  return columns.flatMap((column) => {
    const least = compared(place.facts, column, "gte", {
      ...low,
      value,
      unit: low.unit || high.unit,
    });
    const most = compared(place.facts, column, "lte", high);
    return least === null || most === null ? [] : [{ tests: [...least, ...most], any: false }];
  });
}
