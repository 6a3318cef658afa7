import { type Frame, WHOLE } from "../frame.ts";
import { isOp } from "../items.ts";
import type { Phrase, PhraseReader } from "../reader.ts";
import { extremeBy, functionsIn, isDown, NEVER } from "./arrangements.ts";
import { choices } from "./wordings.ts";

/** Phrases that group and order the rows, and those that compare a figure. */
export const ORDERS: readonly (readonly [string, PhraseReader])[] = [
  ["group COLS", grouped],
  ["group row", eachRow],
  ["sort group? colword? howmany? COLS", sorted],
  ["sort group? AGGS COLS", sortedByFigure],
  ["sort group? pronoun", sortedByFigure],
  ["sort", announced],
  ["dir", directed],
  ["alpha", alphabetical],
  [
    "common",
    ({ slice: [item] }) => [{ common: item?.type === "op" && item.arg === "up" ? "up" : "down" }],
  ],
];

function grouped({ slice, frame, items, at }: Phrase): Partial<Frame>[] {
  const { extreme, figures: asked, sorting } = frame;
  const lists = choices(slice, () => true);
  if (sorting !== null) {
    return lists.map((columns) => ({
      orders: columns.map((column) => ({ column, descending: sorting === "desc" })),
      sorting: null,
    }));
  }
  // "top 5 by price" orders; "count by kind" groups.
  const ordersBy = extreme !== null && extreme.column === null && asked.length === 0;
  if (ordersBy) {
    const measured = lists.filter(
      ([column, other]) => column?.kind !== "text" && other === undefined,
    );
    if (measured.length > 0)
      return measured.map(([column = null]) => ({ extreme: { ...extreme, column } }));
  }
  // "zones by price, cheapest first"; after a column, "by" may also divide or group.
  const isOrder =
    asked.length === 0 &&
    frame.wants.length === 0 &&
    frame.ask !== "howmany" &&
    frame.ask !== "count" &&
    !frame.grouping &&
    items.slice(at).some((item) => isOp(item, "dir", "first"));
  return lists.flatMap((columns): Partial<Frame>[] => {
    const isMeasure = columns.every(({ kind }) => kind === "number");
    if (isOrder && isMeasure)
      return [
        { orders: [...frame.orders, ...columns.map((column) => ({ column, descending: false }))] },
      ];
    return frame.group.length > 0 ? [] : [{ group: columns }];
  });
}

/** "of each hotel": every row, or one group for each name. */
function eachRow({ slice: [word, row], frame, facts }: Phrase): Partial<Frame>[] {
  const { key } = facts;
  if (row?.type !== "row") return NEVER;
  // Of one row each, the average of a figure is that of all rows.
  const isAverage = frame.figures.length > 0 && frame.figures.every(({ fn }) => fn === "average");
  if (isAverage && key?.unique) return [{}];
  if (frame.group.length > 0 || frame.sorting !== null) return NEVER;
  if (row.isKey && key !== null) return [{ group: [key] }];
  const isEach = /\b(?:each|every)\b/i.test(word?.text ?? "");
  return isEach && frame.figures.length === 0 ? [{}] : NEVER;
}

function sorted({ slice, frame, facts }: Phrase): Partial<Frame>[] {
  const [verb] = slice;
  const named = slice.find(({ type }) => type === "column");
  const descending = isDown(verb);
  // "sort the products by price": the noun comes before its column.
  const isNoun =
    named?.type === "column" && facts.key !== null && named.columns.includes(facts.key);
  if (isNoun && slice.length === 2 && !/\b(?:by|on|of)$/i.test(verb?.text ?? "")) {
    return [{ sorting: descending ? "desc" : "asc" }];
  }
  return choices(slice, () => true).map((columns) => ({
    orders: [...frame.orders, ...columns.map((column) => ({ column, descending }))],
  }));
}

/** "sum the revenue per product and sort by it", "sorted by average price" */
function sortedByFigure({ slice, frame }: Phrase): Partial<Frame>[] {
  const fns = functionsIn(slice);
  const isKnown = frame.figures.some(({ fn }) => fns.length === 0 || fns.includes(fn));
  if (frame.group.length === 0 || !isKnown || frame.figures.length > 1 || frame.extreme !== null) {
    const isNoun = isOp(slice.at(-1), "pronoun");
    return isNoun ? [{ sorting: isDown(slice[0]) ? "desc" : "asc" }] : NEVER;
  }
  const descending = isDown(slice[0]);
  return [{ extreme: extremeBy(undefined, null, { alone: true, descending }), limit: WHOLE }];
}

function announced({ slice: [verb], after }: Phrase): Partial<Frame>[] {
  if (after?.type === "row") return [{ sorting: isDown(verb) ? "desc" : "asc" }];
  return isOp(after, "dir", "alpha", "sup") || after?.type === "adjective" ? [{}] : NEVER;
}

function directed({ slice: [word], frame }: Phrase): Partial<Frame>[] {
  const { orders, extreme, group, limit } = frame;
  const descending = isDown(word);
  const last = orders.at(-1);
  // Of two keys and one direction, it is not clear whether it is of both.
  if (last !== undefined)
    return orders.length === 1 ? [{ orders: [{ ...last, descending }] }] : NEVER;
  if (extreme?.alone && limit === WHOLE) return [{ extreme: { ...extreme, descending } }];
  if (group.length > 0 && extreme === null && limit === null) {
    return [{ extreme: extremeBy(undefined, null, { alone: true, descending }), limit: WHOLE }];
  }
  const said = frame.wants.at(-1);
  const isOrder = extreme === null && said !== undefined && said.kind !== "text";
  return isOrder ? [{ orders: [{ column: said, descending }] }] : NEVER;
}

function alphabetical({ slice: [word], frame, facts, items, at }: Phrase): Partial<Frame>[] {
  const descending = isDown(word);
  const last = frame.orders.at(-1);
  if (last !== undefined) {
    return last.column.kind === "text"
      ? [{ orders: [...frame.orders.slice(0, -1), { ...last, descending }] }]
      : NEVER;
  }
  const [text, other] = frame.wants.filter(({ kind }) => kind === "text");
  // "an alphabetical list of the boats"
  const next = items.slice(at).find(({ type }) => type === "column");
  const [named] = next?.type === "column" ? next.columns : [];
  const own = text !== undefined && other === undefined ? text : named;
  const column = own?.kind === "text" ? own : facts.key;
  return column === null ? NEVER : [{ orders: [{ column, descending }] }];
}
