import type { Cursor } from "./cursor.ts";
import type { Aggregation } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import type { Column } from "./table.ts";

type Op = Extract<Item, { type: "op" }>;

/**
 * Reads figures, groups, orders and limits. Returns null if the operator is none of them, otherwise
 * whether it could be read.
 */
export function readArrangement(cursor: Cursor, item: Op): boolean | null {
  switch (item.op) {
    case "agg":
      return figures(cursor);
    case "sup":
      return superlative(cursor, item);
    case "group":
      return group(cursor);
    case "sort":
      return sort(cursor, item);
    case "dir":
      return direction(cursor, item.arg === "desc");
    case "alpha":
      return alphabetical(cursor, item.arg === "desc");
    case "first":
    case "last":
      return ends(cursor, item.op === "last");
    case "common":
      cursor.frame.common = item.arg === "up" ? "up" : "down";
      cursor.at += 1;
      return true;
    default:
      return null;
  }
}

const FUNCTIONS: Partial<Record<string, Aggregation>> = {
  sum: "sum",
  average: "average",
  median: "median",
  min: "min",
  max: "max",
};

/** Reads "sum, average and maximum of the price and the stock". */
function figures(cursor: Cursor): boolean {
  const fns: Aggregation[] = [];
  for (;;) {
    const item = cursor.peek();
    const fn = item?.type === "op" && item.op === "agg" ? FUNCTIONS[item.arg] : undefined;
    if (fn === undefined) break;
    fns.push(fn);
    cursor.at += 1;
    if (cursor.isOp("and") && isOp(cursor.peek(1), "agg")) cursor.at += 1;
  }
  if (cursor.isOp("howmany")) cursor.at += 1;
  const columns = columnList(cursor, (column) => column.kind === "number");
  if (columns.length > 0) {
    for (const fn of fns) for (const column of columns) cursor.frame.figures.push({ fn, column });
    return true;
  }
  // "the total number of orders", "the total": the column is found by its kind, or not at all.
  for (const fn of fns) cursor.frame.figures.push({ fn, column: null });
  return true;
}

/** Reads columns joined by commas or "and", as long as they fit; chooses among ambiguous ones. */
function columnList(cursor: Cursor, fits: (column: Column) => boolean): Column[] {
  const columns: Column[] = [];
  for (;;) {
    const offset = columns.length > 0 && cursor.isOp("and") ? 1 : 0;
    const item = cursor.peek(offset);
    if (item?.type !== "column") break;
    if (columns.length > 0 && offset === 0 && !item.lead.includes(",")) break;
    const fitting = item.columns.filter(fits);
    const chosen = cursor.pick(fitting);
    if (chosen === undefined) break;
    columns.push(chosen);
    cursor.at += offset + 1;
    if (cursor.isOp("colword")) cursor.at += 1;
  }
  return columns;
}

function superlative(cursor: Cursor, item: Op): boolean {
  const { frame } = cursor;
  const descending = item.arg === "up";
  const word = /most|fewest|least/i.test(item.text) ? "most" : "highest";
  // "top 5"
  const next = cursor.peek(1);
  if (next?.type === "number" && frame.limit === null && next.unit === "") {
    frame.limit = { count: next.value, from: "start" };
    cursor.at += 2;
    const after = cursor.peek();
    if (after?.type !== "adjective" && !isOp(after, "sup") && frame.extreme === null) {
      frame.extreme = { column: null, descending, figure: false, alone: true, word };
    }
    if (
      after?.type === "column" &&
      after.columns.some(({ kind }) => kind === "number") &&
      frame.extreme?.column === null
    ) {
      const chosen = cursor.pick(after.columns.filter(({ kind }) => kind === "number"));
      frame.extreme = {
        column: chosen ?? null,
        descending,
        figure: false,
        alone: false,
        word,
      };
      cursor.at += 1;
    }
    return true;
  }
  if (frame.extreme !== null && frame.extreme.column !== null) return false;
  // "highest and lowest price"
  if (isOp(next, "and") && isOp(cursor.peek(2), "sup")) {
    cursor.at += 3;
    const column = columnList(cursor, ({ kind }) => kind === "number").at(0);
    if (column === undefined) return false;
    frame.figures.push(
      { fn: descending ? "max" : "min", column },
      { fn: descending ? "min" : "max", column },
    );
    return true;
  }
  cursor.at += 1;
  if (cursor.isOp("first")) {
    const last = frame.orders.at(-1);
    if (last === undefined) return false;
    last.descending = descending;
    cursor.at += 1;
    return true;
  }
  if (cursor.isOp("agg", "howmany")) {
    // "the highest average price": the order of the groups' figures.
    frame.extreme = { column: null, descending, figure: false, alone: false, word };
    return true;
  }
  const following = cursor.peek();
  if (following?.type === "column") {
    const column = cursor.pick(following.columns.filter(({ kind }) => kind !== "boolean"));
    if (column === undefined) return false;
    cursor.at += 1;
    frame.extreme = { column, descending, figure: frame.rows === 0, alone: false, word };
    return true;
  }
  if (frame.extreme !== null) return false;
  frame.extreme = {
    column: null,
    descending,
    figure: false,
    alone: following?.type !== "row",
    word,
  };
  // "who earns the most"
  const verb = cursor.frame.verbs.at(-1);
  const governed = verb?.columns.filter(({ kind }) => kind === "number") ?? [];
  if (following?.type !== "row" && governed.length > 0) {
    const column = cursor.pick(governed);
    if (column !== undefined)
      frame.extreme = { column, descending, figure: false, alone: false, word };
    return true;
  }
  // "whose price is highest"
  const said = cursor.frame.wants.at(-1);
  if (following?.type !== "row" && said !== undefined && said.kind === "number") {
    cursor.frame.wants.pop();
    frame.extreme = { column: said, descending, figure: false, alone: false, word };
  }
  return true;
}

function group(cursor: Cursor): boolean {
  const { frame } = cursor;
  cursor.at += 1;
  // "top 5 by price" orders; "count by kind" groups.
  const item = cursor.peek();
  const ordersBy =
    frame.extreme !== null && frame.extreme.column === null && frame.figures.length === 0;
  if (item?.type === "column" && ordersBy && item.columns.some(({ kind }) => kind !== "text")) {
    const column = cursor.pick(item.columns.filter(({ kind }) => kind !== "text"));
    if (column === undefined || frame.extreme === null) return false;
    cursor.at += 1;
    frame.extreme = { ...frame.extreme, column };
    return true;
  }
  // "of each hotel": every row, no group.
  // "honey per hive": of one row each, the average of a figure is that of all rows.
  const isAverage = frame.figures.length > 0 && frame.figures.every(({ fn }) => fn === "average");
  if (item?.type === "row" && item.isKey && isAverage && cursor.facts.key?.unique) {
    frame.rows += 1;
    cursor.at += 1;
    return true;
  }
  if (item?.type === "row" && item.isKey && cursor.facts.key !== null && cursor.sorting === null) {
    cursor.at += 1;
    if (frame.group.length > 0) return false;
    frame.group = [cursor.facts.key];
    return true;
  }
  const isEach = /\b(?:each|every)\b/i.test(cursor.items[cursor.at - 1]?.text ?? "");
  if (item?.type === "row" && isEach && frame.figures.length === 0 && cursor.sorting === null) {
    frame.rows += 1;
    cursor.at += 1;
    return true;
  }
  const columns = columnList(cursor, () => true);
  if (cursor.sorting !== null && columns.length > 0) {
    for (const column of columns)
      frame.orders.push({ column, descending: cursor.sorting === "desc" });
    cursor.sorting = null;
    return true;
  }
  if (columns.length === 0 || frame.group.length > 0) return false;
  frame.group = columns;
  return true;
}

function sort(cursor: Cursor, item: Op): boolean {
  const descending = item.arg === "desc";
  const ordered = cursor.peek(1);
  // "sort the products by price": the noun comes before its column.
  const isNoun =
    ordered?.type === "column" && ordered.columns.some((column) => column === cursor.facts.key);
  if (isNoun && !/\b(?:by|on|of)$/i.test(item.text)) {
    cursor.at += 2;
    cursor.sorting = descending ? "desc" : "asc";
    return true;
  }
  const { frame } = cursor;
  cursor.at += 1;
  if (cursor.isOp("group")) cursor.at += 1;
  if (cursor.isOp("colword")) cursor.at += 1;
  if (cursor.isOp("howmany")) cursor.at += 1;
  const before = frame.orders.length;
  for (const column of columnList(cursor, () => true)) frame.orders.push({ column, descending });
  const next = cursor.peek();
  if (frame.orders.length > before) return true;
  const figured = frame.group.length > 0 && frame.figures.length === 1 && frame.extreme === null;
  // "sum the revenue per product and sort by it"
  if (isOp(next, "pronoun") && figured) {
    cursor.at += 1;
    frame.extreme = { column: null, descending, figure: false, alone: true, word: "highest" };
    frame.limit = { count: Number.MAX_SAFE_INTEGER, from: "start" };
    return true;
  }
  if (next?.type === "row" || isOp(next, "pronoun")) {
    cursor.sorting = descending ? "desc" : "asc";
    return true;
  }
  if (isOp(next, "dir", "alpha") || next?.type === "adjective") return true;
  // "sorted by average price" orders groups by their figure.
  if (isOp(next, "agg")) {
    const item = cursor.peek();
    const column = cursor.peek(1);
    const fn = item?.type === "op" ? FUNCTIONS[item.arg] : undefined;
    const known = frame.figures.find((figure) => figure.fn === fn);
    if (known === undefined || column?.type !== "column") return false;
    cursor.at += 2;
    frame.extreme = {
      column: null,
      descending: false,
      figure: false,
      alone: true,
      word: "highest",
    };
    frame.limit = { count: Number.MAX_SAFE_INTEGER, from: "start" };
    return true;
  }
  return false;
}

function direction(cursor: Cursor, descending: boolean): boolean {
  const { orders, extreme, group: groups, limit } = cursor.frame;
  cursor.at += 1;
  const last = orders.at(-1);
  if (last !== undefined) {
    // Two keys and one direction: it is said of the last key alone, or of both.
    last.descending = descending;
    return orders.length === 1;
  }
  if (extreme?.alone && limit?.count === Number.MAX_SAFE_INTEGER) {
    extreme.descending = descending;
    return true;
  }
  const said = cursor.frame.wants.at(-1);
  if (groups.length > 0 && extreme === null && limit === null) {
    cursor.frame.extreme = {
      column: null,
      descending,
      figure: false,
      alone: true,
      word: "highest",
    };
    cursor.frame.limit = { count: Number.MAX_SAFE_INTEGER, from: "start" };
    return true;
  }
  if (cursor.isOp("sort", "group") || cursor.peek()?.type === "column") {
    if (cursor.isOp("sort", "group")) cursor.at += 1;
    const columns = columnList(cursor, () => true);
    for (const column of columns) orders.push({ column, descending });
    return columns.length === 1;
  }
  if (extreme !== null || said === undefined || said.kind === "text") return false;
  orders.push({ column: said, descending });
  return true;
}

function alphabetical(cursor: Cursor, descending: boolean): boolean {
  const { frame, facts } = cursor;
  cursor.at += 1;
  if (cursor.isOp("sort", "group")) {
    cursor.at += 1;
    const columns = columnList(cursor, ({ kind }) => kind === "text");
    for (const column of columns) frame.orders.push({ column, descending });
    return columns.length > 0;
  }
  const last = frame.orders.at(-1);
  if (last !== undefined) {
    last.descending = descending;
    return last.column.kind === "text";
  }
  const texts = frame.wants.filter(({ kind }) => kind === "text");
  const column = texts.length === 1 ? texts[0] : facts.key;
  if (column === null || column === undefined) return false;
  frame.orders.push({ column, descending });
  return true;
}

function ends(cursor: Cursor, last: boolean): boolean {
  const { frame } = cursor;
  const next = cursor.peek(1);
  // "First get the titles": the first of several steps.
  if (!last && cursor.at === 0 && isOp(next, "show")) {
    cursor.at += 1;
    return true;
  }
  const count = next?.type === "number" ? next.value : 1;
  const noun = cursor.peek(next?.type === "number" ? 2 : 1);
  if (next?.type !== "number" && noun?.type !== "row" && noun?.type !== "column") return false;
  if (frame.limit !== null) return false;
  frame.limit = { count, from: last ? "end" : "start" };
  cursor.at += next?.type === "number" ? 2 : 1;
  return true;
}
