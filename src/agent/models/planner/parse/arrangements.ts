import type { Column } from "./facts.ts";
import { type Aggregation, type Extreme, type Frame, WHOLE } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import type { Phrase, PhraseReader } from "./reader.ts";
import { choices, NEVER } from "./wordings.ts";

type Changes = Partial<Frame>[];

/** Phrases that say what is computed, and how the rows are ordered, grouped and limited. */
export const ARRANGEMENTS: readonly (readonly [string, PhraseReader])[] = [
  ["AGGS howmany? COLS", figures],
  ["AGGS howmany?", figures],
  ["sup num", top],
  ["sup num COLS", top],
  ["sup col", extremeOf],
  ["sup", extremeAlone],
  ["sup/superlative first", ordering],
  ["superlative col?", superlative],
  ["superlative col", superlativeOf],
  ["num", counted],
  ["num first/last", ends],
  ["first/last num?", ends],
  ["group COLS", grouped],
  ["group row", eachRow],
  ["group", ofEach],
  ["sort group? colword? howmany? COLS", sorted],
  ["sort group? AGGS COLS", sortedByFigure],
  ["sort group? pronoun", sortedByFigure],
  ["sort", announced],
  ["dir", directed],
  ["alpha", alphabetical],
];

const FUNCTIONS: readonly Aggregation[] = ["sum", "average", "median", "min", "max"];

function functionsIn(slice: readonly Item[]): Aggregation[] {
  return slice.flatMap((item) =>
    item.type === "op" && item.op === "agg" ? FUNCTIONS.filter((fn) => fn === item.arg) : [],
  );
}

const isNumber = ({ kind }: Column) => kind === "number";
const isDown = (item: Item | undefined) =>
  item?.type === "op" && (item.arg === "down" || item.arg === "desc");
const order = (descending: boolean) => (descending ? "desc" : "asc");

/** "Sum, average and maximum of the price and the stock"; without a column, it is found by its kind. */
function figures({ slice, frame }: Phrase): Changes {
  const fns = functionsIn(slice);
  return choices(slice, isNumber).map((columns) => {
    const of = columns.length === 0 ? [null] : columns;
    const own = fns.flatMap((fn) => of.map((column) => ({ fn, column })));
    return { figures: [...frame.figures, ...own] };
  });
}

function extremeBy(
  item: Item | undefined,
  column: Column | null,
  more: Partial<Extreme> = {},
): Extreme {
  const word = /most|fewest|least/i.test(item?.text ?? "") ? "most" : "highest";
  return { column, descending: !isDown(item), figure: false, alone: false, word, ...more };
}

/** Orders all groups by their figure. */
function ofGroups(descending: boolean): Changes {
  return [{ extreme: extremeBy(undefined, null, { alone: true, descending }), limit: WHOLE }];
}

const fromStart = (item: Item | undefined) =>
  item?.type === "number" && item.unit === ""
    ? ({ count: item.value, from: "start" } as const)
    : null;

/** "top 5", "the 5 highest prices" */
function top({ slice, frame, after }: Phrase): Changes {
  const [sup, number] = slice;
  const limit = fromStart(number);
  if (limit === null || frame.limit !== null) return NEVER;
  const isOwn = after?.type === "adjective" || isOp(after, "sup") || frame.extreme !== null;
  if (slice.length === 2)
    return [isOwn ? { limit } : { limit, extreme: extremeBy(sup, null, { alone: true }) }];
  return choices(slice, isNumber).flatMap(([column = null, other]) =>
    other === undefined ? [{ limit, extreme: extremeBy(sup, column) }] : [],
  );
}

/** "the highest price", "the most points" */
function extremeOf({ slice, frame }: Phrase): Changes {
  if (frame.extreme?.column) return NEVER;
  return choices(slice, ({ kind }) => kind !== "boolean").map(([column = null]) => ({
    extreme: extremeBy(slice[0], column, { figure: frame.rows === 0 }),
  }));
}

/** "who earns the most", "whose price is highest", "the most employees" */
function extremeAlone({ slice: [sup], frame, after }: Phrase): Changes {
  if (frame.extreme !== null) return NEVER;
  const isOfNext = isOp(after, "agg", "howmany") || after?.type === "row";
  if (isOfNext) return [{ extreme: extremeBy(sup, null) }];
  const governed = frame.verbs.at(-1)?.columns.filter(isNumber) ?? [];
  if (governed.length > 0) return governed.map((column) => ({ extreme: extremeBy(sup, column) }));
  const said = frame.wants.at(-1);
  if (said !== undefined && isNumber(said))
    return [{ wants: frame.wants.slice(0, -1), extreme: extremeBy(sup, said) }];
  return [{ extreme: extremeBy(sup, null, { alone: true }) }];
}

/** "cheapest first", "highest price first", "salary highest first" */
function ordering({ slice: [item], frame }: Phrase): Changes {
  const descending = item?.type === "adjective" ? item.more : !isDown(item);
  const last = frame.orders.at(-1);
  const columns = item?.type === "adjective" ? item.columns : [];
  if (item?.type === "adjective" && columns.length === 0) return NEVER;
  if (last !== undefined && (columns.length === 0 || columns.includes(last.column)))
    return [{ orders: [...frame.orders.slice(0, -1), { ...last, descending }] }];
  const isOfGroups = frame.group.length > 0 || frame.figures.length > 0;
  if (isOfGroups)
    return frame.extreme === null && frame.limit === null ? ofGroups(descending) : NEVER;
  const said = frame.wants.findLast(isNumber);
  const chosen = columns.length > 0 ? columns : said === undefined ? [] : [said];
  return chosen.map((column) => ({ orders: [...frame.orders, { column, descending }] }));
}

/** "the cheapest boat", "the cheapest by week": columns that the question names come first. */
function superlative({ slice, frame }: Phrase): Changes {
  const [item, named] = slice;
  if (item?.type !== "adjective" || frame.extreme !== null) return NEVER;
  const fitting = item.columns.filter((own) =>
    named?.type === "column" ? named.columns.includes(own) : true,
  );
  const near = fitting.filter((column) => frame.wants.includes(column));
  const rest = { figure: false, alone: false, word: "adjective" } as const;
  return (near.length > 0 ? near : fitting).map((column) => ({
    extreme: { column, descending: item.more, ...rest },
  }));
}

const DIMENSIONS = /^(?:length|duration|height|size|width|weight|strength)$/;

/** "the longest delay": of any quantity. */
function superlativeOf({ slice: [item, named], frame }: Phrase): Changes {
  if (item?.type !== "adjective" || named?.type !== "column" || frame.extreme !== null)
    return NEVER;
  const isOwn = named.columns.some((column) => item.columns.includes(column));
  if (isOwn || !DIMENSIONS.test(item.concept)) return NEVER;
  return named.columns.filter(isNumber).map((column) => ({
    extreme: {
      ...{ column, descending: item.more, figure: frame.rows === 0 },
      ...{ alone: false, word: "highest" as const },
    },
  }));
}

/** "the 3 cheapest", "show 5 products" */
function counted({ slice: [number], frame, after, before }: Phrase): Changes {
  const limit = fromStart(number);
  if (limit === null || frame.limit !== null) return NEVER;
  const isTop =
    isOp(after, "sup") || (after?.type === "adjective" && after.degree === "superlative");
  const isShown = after?.type === "row" && (isOp(before, "show") || frame.extreme !== null);
  return isTop || (isShown && frame.ask !== "howmany") ? [{ limit }] : NEVER;
}

function ends({ slice, frame, after }: Phrase): Changes {
  const number = slice.find(({ type }) => type === "number");
  const isNoun = number !== undefined || after?.type === "row" || after?.type === "column";
  if (!isNoun || frame.limit !== null) return NEVER;
  const count = number?.type === "number" ? number.value : 1;
  return [{ limit: { count, from: slice.some((item) => isOp(item, "last")) ? "end" : "start" } }];
}

function grouped({ slice, frame, items, at }: Phrase): Changes {
  const { extreme, figures: asked, sorting, ask, wants } = frame;
  const lists = choices(slice, () => true);
  const ordersBy = (columns: readonly Column[], descending: boolean) =>
    columns.map((column) => ({ column, descending }));
  if (sorting !== null)
    return lists.map((columns) => ({
      orders: ordersBy(columns, sorting === "desc"),
      sorting: null,
    }));
  // "top 5 by price" orders; "count by kind" groups.
  const measured = lists.filter(
    ([column, other]) => column?.kind !== "text" && other === undefined,
  );
  if (extreme !== null && extreme.column === null && asked.length === 0 && measured.length > 0)
    return measured.map(([column = null]) => ({ extreme: { ...extreme, column } }));
  // "zones by price, cheapest first"; after a column, "by" may also divide or group.
  const isPlain = asked.length + wants.length === 0 && !frame.grouping;
  const isOrder =
    isPlain &&
    !/count|howmany/.test(ask ?? "") &&
    items.slice(at).some((item) => isOp(item, "dir", "first"));
  return lists.flatMap((columns): Changes => {
    if (isOrder && columns.every(isNumber))
      return [{ orders: [...frame.orders, ...ordersBy(columns, false)] }];
    return frame.group.length > 0 ? [] : [{ group: columns }];
  });
}

/** "of each hotel": every row, or one group for each name. */
function eachRow({ slice: [word, row], frame, facts: { key } }: Phrase): Changes {
  // Of one row each, the average of a figure is that of all rows.
  const isAverage = frame.figures.length > 0 && frame.figures.every(({ fn }) => fn === "average");
  if (isAverage && key?.unique) return [{}];
  if (frame.group.length > 0 || frame.sorting !== null) return NEVER;
  if (row?.type === "row" && row.isKey && key !== null) return [{ group: [key] }];
  const isEach = /\b(?:each|every)\b/i.test(word?.text ?? "");
  return isEach && frame.figures.length === 0 ? [{}] : NEVER;
}

/** "the energy of each": of every row, where nothing is counted or computed. */
function ofEach({ slice: [word], after, frame }: Phrase): Changes {
  const isShown = frame.ask === null || frame.ask === "show" || frame.ask === "what";
  const isEach = /^of each$/i.test(word?.text ?? "") && after === undefined;
  return isEach && isShown && frame.figures.length === 0 ? [{}] : NEVER;
}

function sorted({ slice, frame, facts }: Phrase): Changes {
  const [verb, named] = slice;
  const descending = isDown(verb);
  // "sort the products by price": the noun comes before its column.
  const isNoun = named?.type === "column" && named.columns.some((own) => own === facts.key);
  if (isNoun && slice.length === 2 && !/\b(?:by|on|of)$/i.test(verb?.text ?? ""))
    return [{ sorting: order(descending) }];
  return choices(slice, () => true).map((columns) => ({
    orders: [...frame.orders, ...columns.map((column) => ({ column, descending }))],
  }));
}

/** "sum the revenue per product and sort by it", "sorted by average price" */
function sortedByFigure({ slice, frame }: Phrase): Changes {
  const fns = functionsIn(slice);
  const descending = isDown(slice[0]);
  const [figure, other] = frame.figures;
  const isKnown = figure !== undefined && (fns.length === 0 || fns.includes(figure.fn));
  if (frame.group.length > 0 && isKnown && other === undefined && frame.extreme === null)
    return ofGroups(descending);
  return isOp(slice.at(-1), "pronoun") ? [{ sorting: order(descending) }] : NEVER;
}

function announced({ slice: [verb], after }: Phrase): Changes {
  if (after?.type === "row") return [{ sorting: order(isDown(verb)) }];
  return isOp(after, "dir", "alpha", "sup") || after?.type === "adjective" ? [{}] : NEVER;
}

function directed({ slice: [word], frame }: Phrase): Changes {
  const { orders, extreme, group, limit, wants } = frame;
  const descending = isDown(word);
  const [last, other] = orders;
  // Of two keys and one direction, it is not clear whether it is of both.
  if (last !== undefined)
    return other === undefined ? [{ orders: [{ ...last, descending }] }] : NEVER;
  if (extreme !== null) return limit === WHOLE ? [{ extreme: { ...extreme, descending } }] : NEVER;
  if (group.length > 0) return limit === null ? ofGroups(descending) : NEVER;
  const said = wants.at(-1);
  return said === undefined || said.kind === "text"
    ? NEVER
    : [{ orders: [{ column: said, descending }] }];
}

function alphabetical({ slice: [word], frame, facts, items, at }: Phrase): Changes {
  const descending = isDown(word);
  const last = frame.orders.at(-1);
  if (last !== undefined)
    return last.column.kind === "text"
      ? [{ orders: [...frame.orders.slice(0, -1), { ...last, descending }] }]
      : NEVER;
  const [text, other] = frame.wants.filter(({ kind }) => kind === "text");
  // "an alphabetical list of the boats"
  const next = items.slice(at).find(({ type }) => type === "column");
  const [named] = next?.type === "column" ? next.columns : [];
  const own = text !== undefined && other === undefined ? text : named;
  const column = own?.kind === "text" ? own : facts.key;
  return column === null ? NEVER : [{ orders: [{ column, descending }] }];
}
