import type { Column } from "../facts.ts";
import { type Aggregation, type Extreme, type Frame, WHOLE } from "../frame.ts";
import { type Item, isOp } from "../items.ts";
import type { Phrase, PhraseReader } from "../reader.ts";
import { choices } from "./wordings.ts";

export const NEVER: Partial<Frame>[] = [];

/** Phrases that say what is computed, and how the rows are ordered, grouped and limited. */
export const ARRANGEMENTS: readonly (readonly [string, PhraseReader])[] = [
  ["AGGS howmany? COLS", figures],
  ["AGGS howmany?", figures],
  ["sup and? sup COLS", bothExtremes],
  ["sup num", top],
  ["sup num COLS", top],
  ["sup col", extremeOf],
  ["sup", extremeAlone],
  ["sup/superlative first", ordering],
  ["superlative col?", superlative],
  ["superlative superlative", fromTo],
  ["num", counted],
  ["num first/last", ends],
  ["first/last num?", ends],
  ["limit num", limited],
];

const FUNCTIONS: readonly Aggregation[] = ["sum", "average", "median", "min", "max"];

export function functionsIn(slice: readonly Item[]): Aggregation[] {
  return slice.flatMap((item) =>
    item.type === "op" && item.op === "agg" ? FUNCTIONS.filter((fn) => fn === item.arg) : [],
  );
}

const isNumber = ({ kind }: Column) => kind === "number";
export const isDown = (item: Item | undefined) =>
  item?.type === "op" && (item.arg === "down" || item.arg === "desc");

/** "Sum, average and maximum of the price and the stock"; without a column, it is found by its kind. */
function figures({ slice, frame }: Phrase): Partial<Frame>[] {
  const fns = functionsIn(slice);
  const hasColumns = slice.some(({ type }) => type === "column");
  if (!hasColumns)
    return [{ figures: [...frame.figures, ...fns.map((fn) => ({ fn, column: null }))] }];
  return choices(slice, isNumber).map((columns) => ({
    figures: [...frame.figures, ...fns.flatMap((fn) => columns.map((column) => ({ fn, column })))],
  }));
}

export function extremeBy(
  item: Item | undefined,
  column: Column | null,
  more: Partial<Extreme> = {},
): Extreme {
  const descending = !isDown(item);
  const word = /most|fewest|least/i.test(item?.text ?? "") ? "most" : "highest";
  return { column, descending, figure: false, alone: false, word, ...more };
}

/** "highest and lowest price" */
function bothExtremes({ slice, frame }: Phrase): Partial<Frame>[] {
  const fns = slice
    .filter((item) => isOp(item, "sup"))
    .map((item): Aggregation => (isDown(item) ? "min" : "max"));
  return choices(slice, isNumber).flatMap(([column, other]) =>
    column === undefined || other !== undefined
      ? []
      : [{ figures: [...frame.figures, ...fns.map((fn) => ({ fn, column }))] }],
  );
}

/** "top 5", "the 5 highest prices" */
function top({ slice, frame, after }: Phrase): Partial<Frame>[] {
  const [sup, number] = slice;
  if (number?.type !== "number" || number.unit !== "" || frame.limit !== null) return NEVER;
  const limit = { count: number.value, from: "start" } as const;
  if (slice.length === 2) {
    const isOwn = after?.type === "adjective" || isOp(after, "sup") || frame.extreme !== null;
    return [isOwn ? { limit } : { limit, extreme: extremeBy(sup, null, { alone: true }) }];
  }
  return choices(slice, isNumber).flatMap(([column, other]) =>
    column === undefined || other !== undefined ? [] : [{ limit, extreme: extremeBy(sup, column) }],
  );
}

/** "the highest price", "the most points" */
function extremeOf({ slice, frame }: Phrase): Partial<Frame>[] {
  if (frame.extreme !== null && frame.extreme.column !== null) return NEVER;
  return choices(slice, ({ kind }) => kind !== "boolean").map(([column = null]) => ({
    extreme: extremeBy(slice[0], column, { figure: frame.rows === 0 }),
  }));
}

/** "who earns the most", "whose price is highest", "the most employees" */
function extremeAlone({ slice: [sup], frame, after }: Phrase): Partial<Frame>[] {
  if (frame.extreme !== null) return NEVER;
  const isOfNext = isOp(after, "agg", "howmany") || after?.type === "row";
  if (isOfNext) return [{ extreme: extremeBy(sup, null) }];
  const governed = frame.verbs.at(-1)?.columns.filter(isNumber) ?? [];
  if (governed.length > 0) return governed.map((column) => ({ extreme: extremeBy(sup, column) }));
  const said = frame.wants.at(-1);
  if (said !== undefined && isNumber(said)) {
    return [{ wants: frame.wants.slice(0, -1), extreme: extremeBy(sup, said) }];
  }
  return [{ extreme: extremeBy(sup, null, { alone: true }) }];
}

/** "cheapest first", "highest price first", "salary highest first" */
function ordering({ slice, frame }: Phrase): Partial<Frame>[] {
  const [item] = slice;
  const descending = item?.type === "adjective" ? item.more : !isDown(item);
  const last = frame.orders.at(-1);
  const columns = item?.type === "adjective" ? item.columns : [];
  if (last !== undefined && (columns.length === 0 || columns.includes(last.column))) {
    return [{ orders: [...frame.orders.slice(0, -1), { ...last, descending }] }];
  }
  const free = columns.filter((column) => frame.wants.includes(column));
  const chosen = free.length > 0 ? free : columns;
  if (chosen.length > 0 && frame.figures.length === 0 && frame.group.length === 0) {
    return chosen.map((column) => ({ orders: [...frame.orders, { column, descending }] }));
  }
  const isOfGroups = frame.group.length > 0 && frame.extreme === null && frame.limit === null;
  if (isOfGroups)
    return [{ extreme: extremeBy(undefined, null, { alone: true, descending }), limit: WHOLE }];
  const said = frame.wants.findLast(isNumber);
  return said === undefined ? NEVER : [{ orders: [...frame.orders, { column: said, descending }] }];
}

function superlative({ slice, frame, after, before, at }: Phrase): Partial<Frame>[] {
  const [item, named] = slice;
  if (item?.type !== "adjective" || frame.extreme !== null) return NEVER;
  const fitting =
    named?.type === "column"
      ? item.columns.filter((own) => named.columns.includes(own))
      : item.columns;
  const next = slice.length > 1 ? named : after;
  const isAttribute = next !== undefined && /^(?:row|column|value|flag|state)$/.test(next.type);
  const isSaid =
    item.lead.some((word) => /^(?:is|are|was|were|'s|the)$/.test(word)) ||
    at === 0 ||
    before?.type !== "op";
  // "who has been here longest": an adverb needs a verb that governs its column.
  const governed = frame.verbs.some((verb) =>
    item.columns.some((own) => verb.columns.includes(own)),
  );
  if (!isAttribute && !governed && (!isSaid || item.lead.includes("been"))) return NEVER;
  // Columns that the question names come first: "the cheapest by week".
  const near = fitting.filter((column) => frame.wants.includes(column));
  return (near.length > 0 ? near : fitting).map((column) => ({
    extreme: {
      column,
      descending: item.more,
      figure: false,
      alone: false,
      word: "adjective" as const,
    },
  }));
}

/** "from oldest to newest" */
function fromTo({ slice: [first, second], frame }: Phrase): Partial<Frame>[] {
  if (first?.type !== "adjective" || second?.type !== "adjective") return NEVER;
  const isSpan = second.lead.includes("to") && first.more !== second.more;
  const columns = isSpan ? first.columns : [];
  return columns.map((column) => ({
    orders: [...frame.orders, { column, descending: first.more }],
  }));
}

/** "the 3 cheapest", "show 5 products" */
function counted({ slice: [number], frame, after, before }: Phrase): Partial<Frame>[] {
  if (number?.type !== "number" || number.unit !== "" || frame.limit !== null) return NEVER;
  const limit = { count: number.value, from: "start" } as const;
  const isTop =
    isOp(after, "sup") || (after?.type === "adjective" && after.degree === "superlative");
  const isShown = after?.type === "row" && (isOp(before, "show") || frame.extreme !== null);
  return isTop || (isShown && frame.ask !== "howmany") ? [{ limit }] : NEVER;
}

function ends({ slice, frame, after }: Phrase): Partial<Frame>[] {
  const number = slice.find(({ type }) => type === "number");
  const isNoun = number !== undefined || after?.type === "row" || after?.type === "column";
  if (!isNoun || frame.limit !== null) return NEVER;
  const count = number?.type === "number" ? number.value : 1;
  const isLast = slice.some((item) => isOp(item, "last"));
  return [{ limit: { count, from: isLast ? "end" : "start" } }];
}

function limited({ slice: [, number], frame }: Phrase): Partial<Frame>[] {
  if (number?.type !== "number" || frame.limit !== null) return NEVER;
  return [{ limit: { count: number.value, from: "start" } }];
}
