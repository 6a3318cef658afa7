import { type Item, isOp } from "./items.ts";

/** One element of a pattern: the tags of which an item must have one. */
interface Element {
  tags: string[];
  optional: boolean;
}

/**
 * Splits a pattern into its elements: tags of items with `/` between alternatives, a trailing `?` for an
 * optional one, and words in capitals for runs of items: COLS, VALUES, MEASURE, AGGS.
 */
export function patternOf(shown: string): Element[] {
  return shown.split(" ").map((each) => {
    const optional = each.endsWith("?");
    return { tags: (optional ? each.slice(0, -1) : each).split("/"), optional };
  });
}

/** Returns where a pattern that begins at an item ends, at its longest; null if it does not match. */
export function matchEnd(
  [element, ...rest]: readonly Element[],
  items: readonly Item[],
  at: number,
): number | null {
  if (element === undefined) return at;
  for (const tag of element.tags) {
    const to = runEnd(tag, items, at);
    const end = to === null ? null : matchEnd(rest, items, to);
    if (end !== null) return end;
  }
  return element.optional ? matchEnd(rest, items, at) : null;
}

const NAMES: Partial<Record<Item["type"], string>> = {
  column: "col",
  value: "val",
  number: "num",
  ordinal: "ord",
  adjective: "adj",
};

/** Returns where one element ends that begins at an item. */
function runEnd(tag: string, items: readonly Item[], at: number): number | null {
  const item = items[at];
  if (item === undefined) return null;
  switch (tag) {
    case "COLS":
      return listEnd(items, at, "column");
    case "VALUES":
      return valuesEnd(items, at);
    case "MEASURE":
      return measureEnd(items, at);
    case "AGGS": {
      if (!isOp(item, "agg")) return null;
      const next = isOp(items[at + 1], "and") ? at + 2 : at + 1;
      return runEnd("AGGS", items, next) ?? at + 1;
    }
    case "ANY":
      return at + 1;
    default:
      return tagsOf(item).includes(tag) ? at + 1 : null;
  }
}

function tagsOf(item: Item): string[] {
  if (item.type === "op") return [item.op];
  if (item.type === "adjective") return ["adj", item.degree];
  if (item.type === "verb") return item.columns.length === 0 ? [item.concepts[0] ?? ""] : ["verb"];
  return [NAMES[item.type] ?? item.type];
}

/** Items of a type joined by commas or "and", each with an optional "column" after it. */
function listEnd(items: readonly Item[], at: number, type: Item["type"]): number | null {
  if (items[at]?.type !== type) return null;
  const to = isOp(items[at + 1], "colword") ? at + 2 : at + 1;
  const isAnd = isOp(items[to], "and");
  const next = items[isAnd ? to + 1 : to];
  if (next === undefined || !(isAnd || next.lead.includes(","))) return to;
  return listEnd(items, isAnd ? to + 1 : to, type) ?? to;
}

/** Values of one column, joined by commas, "and" or "or", with a noun such as "team" around them. */
function valuesEnd(items: readonly Item[], at: number): number | null {
  // "region of yellow alerts": the noun is not about the value.
  const isNoun = isOp(items[at], "sort-of") && !items[at + 1]?.lead.includes("of");
  const start = isNoun ? at + 1 : at;
  const first = items[start];
  if (first?.type !== "value") return null;
  let to = start + 1;
  for (;;) {
    const isJoin = isOp(items[to], "and", "or");
    const next = items[isJoin ? to + 1 : to];
    if (next?.type !== "value" || !(isJoin || next.lead.includes(","))) break;
    if (!next.at.some(({ column }) => first.at.some((place) => place.column === column))) break;
    to += isJoin ? 2 : 1;
  }
  return isOp(items[to], "sort-of") ? to + 1 : to;
}

/** A number with its unit and "or more", a date or a time. */
function measureEnd(items: readonly Item[], at: number): number | null {
  const first = items[at];
  const isPoint = first?.type === "date" || first?.type === "time";
  if (first?.type !== "number" && !isPoint) return null;
  const unit = items[at + 1];
  const to = !isPoint && unit?.type === "unit" && unit.lead.length === 0 ? at + 2 : at + 1;
  return isOp(items[to], "tail") ? to + 1 : to;
}
