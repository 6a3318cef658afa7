import { readArrangement } from "./arrangement.ts";
import { comparesTwo } from "./attributes.ts";
import { type Of, readComparison } from "./comparisons.ts";
import type { Cursor } from "./cursor.ts";
import type { Ask } from "./frame.ts";
import { isOp } from "./items.ts";
import { addFilter, readValues } from "./predicates.ts";
import type { Column } from "./table.ts";

/** Reads "containing X", "starting with X" and "ending with X". */
export function textTest(cursor: Cursor, given: Column | null): boolean {
  const operator = cursor.peek();
  const operand = cursor.peek(1);
  if (operator?.type !== "op" || operand === undefined) return false;
  const text =
    operand.type === "quote" ? operand.value : operand.type === "op" ? null : operand.text;
  if (text === null) return false;
  if (operand.type === "column" || operand.type === "row") return false;
  const isBare = operand.type !== "quote";
  if (isBare && operand.lead.some((word) => word === "a" || word === "an" || word === "the"))
    return false;
  // "which end in a sea" tells of no spelling; "starts with K" does.
  if (isBare && operator.op !== "contains" && operand.text.length > 3) return false;
  const { rows, wants } = cursor.frame;
  const isLines = cursor.facts.columns.length === 1 && cursor.facts.columns[0]?.name === "line";
  // "the page mentions refunds" is about the page's text, not about a table on it.
  if (given === null && !isLines && rows + wants.length === 0) return false;
  cursor.at += 2;
  if (operator.op === "contains")
    return addFilter(cursor, operator, [{ column: given, test: "contains", value: text }]);
  const column = given ?? cursor.facts.key;
  const test = operator.op === "starts" ? "starts_with" : "ends_with";
  return (
    column !== null &&
    !cursor.negated &&
    addFilter(cursor, operator, [{ column, test, value: text }])
  );
}

const ASKS: readonly Ask[] = [
  "which",
  "what",
  "who",
  "where",
  "when",
  "howmany",
  "howmuch",
  "how",
  "exists",
  "every",
  "percent",
  "difference",
  "range",
  "yesno",
];

/** Reads a structural word by its role. */
export function operator(cursor: Cursor, item: Of<"op">): boolean {
  const { frame } = cursor;
  const arranged = readArrangement(cursor, item);
  if (arranged !== null) return arranged;
  switch (item.op) {
    case "show":
      // "the name and weight": a verb stands where a clause begins.
      if (
        cursor.hasContent &&
        !isOp(cursor.peek(-1), "that") &&
        NOUN_OR_VERB.has(item.text.toLowerCase()) &&
        cursor.peek(1) !== undefined
      )
        return false;
      if (isOp(cursor.peek(-1), "show", "and") && NOUN_OR_VERB.has(item.text.toLowerCase()))
        return false;
      frame.ask ??= "show";
      cursor.at += 1;
      return true;
    case "only":
      frame.only ||= isOp(cursor.peek(1), "show") || cursor.peek(1)?.type === "column";
      cursor.at += 1;
      return true;
    case "that":
    case "but":
    case "there":
      cursor.at += 1;
      return true;
    case "pronoun":
      if (
        /these|those/i.test(item.text) &&
        cursor.peek(1)?.type === "row" &&
        frame.filters.length === 0
      )
        frame.inherits = true;
      if (/^(?:it|its|he|she|his|her)$/i.test(item.text)) {
        // "it" may be the page as well.
        frame.inherits ||= cursor.hasEarlier && frame.rows + frame.filters.length === 0;
        cursor.at += 1;
        return true;
      }
      // "products with their prices": the rows that the question itself is about.
      frame.inherits ||= frame.rows + frame.filters.length + frame.wants.length === 0;
      cursor.at += 1;
      return true;
    case "count":
      if (frame.ask !== null && frame.ask !== "show") return false;
      frame.ask = "count";
      cursor.at += 1;
      return true;
    case "howmany":
      return howMany(cursor);
    case "whose":
      cursor.at += 1;
      if (cursor.hasContent || cursor.at < 2) cursor.saidNext = true;
      if (frame.ask === null && !cursor.hasContent) frame.ask = "who";
      return true;
    case "whether":
      return whether(cursor);
    case "grouping":
      frame.grouping = true;
      cursor.at += 1;
      return true;
    case "diff":
      return ask(cursor, "difference");
    case "cmp":
    case "between":
      return readComparison(cursor, item, null);
    case "not":
    case "except":
      cursor.at += 1;
      if (
        item.op === "except" &&
        cursor.peek()?.type === "column" &&
        isOp(cursor.peek(1), "colword")
      ) {
        cursor.dropping = true;
        return true;
      }
      cursor.negated = !cursor.negated;
      return true;
    case "without":
      return without(cursor, item);
    case "drop":
      cursor.dropping = true;
      cursor.at += 1;
      return frame.filters.length === 0 && frame.wants.length === 0;
    case "duplicate":
      if (!cursor.dropping) return false;
      frame.dedupe = true;
      cursor.at += 1;
      return true;
    case "or":
      cursor.alternative = true;
      cursor.at += 1;
      return frame.filters.length > 0;
    case "and":
      cursor.at += 1;
      return cursor.at < cursor.items.length;
    case "contains":
    case "starts":
    case "ends":
      return textTest(cursor, null);
    case "named":
      cursor.at += 1;
      return (
        cursor.peek()?.type === "value" &&
        readValues(cursor, cursor.facts.key === null ? null : [cursor.facts.key])
      );
    case "now":
      // A table without dates tells of the present; with dates, "today" would be a condition.
      cursor.at += 1;
      return !cursor.facts.columns.some(({ kind }) => kind === "date");
    case "more": {
      const column = cursor.peek(1);
      if (column?.type !== "column") return false;
      cursor.at += 2;
      return comparesTwo(
        cursor,
        column.columns.filter(({ kind }) => kind === "number"),
        item.arg === "up",
      );
    }
    case "limit": {
      const count = cursor.peek(1);
      if (count?.type !== "number" || frame.limit !== null) return false;
      frame.limit = { count: count.value, from: "start" };
      cursor.at += 2;
      return true;
    }
    case "together":
      frame.together = true;
      cursor.at += 1;
      return true;
    case "colword":
      cursor.at += 1;
      return cursor.peek()?.type === "column";
    case "sort-of": {
      // "the Sales team", "region North": what kind of value it is.
      const before = cursor.peek(-1)?.type;
      cursor.at += 1;
      return before === "value" || cursor.peek()?.type === "value";
    }
    case "distinct":
      frame.distinct = true;
      cursor.at += 1;
      return true;
    default:
      return asksOf(cursor, item);
  }
}

/** Verbs that are nouns as well. */
const NOUN_OR_VERB = new Set([
  "name",
  "report",
  "state",
  "display",
  "output",
  "read",
  "present",
  "pick",
  "say",
  "see",
  "print",
  "check",
  "make",
  "need",
  "want",
]);

/** "and whether they are active": the column is shown. */
function whether(cursor: Cursor): boolean {
  cursor.at += 1;
  while (cursor.isOp("pronoun") || cursor.peek()?.type === "row") cursor.at += 1;
  const item = cursor.peek();
  const columns =
    item?.type === "flag"
      ? [item.column]
      : item?.type === "state"
        ? item.tests.map(({ column }) => column)
        : item?.type === "column"
          ? item.columns
          : [];
  const column = cursor.pick(columns);
  if (column === undefined) return false;
  cursor.at += 1;
  cursor.frame.wants.push(column);
  return true;
}

function asksOf(cursor: Cursor, item: Of<"op">): boolean {
  const name = ASKS.find((known) => known === item.op);
  if (name === undefined) return false;
  const { frame } = cursor;
  // "products which are open": a relative pronoun follows what it is said of.
  const isRelative =
    (name === "which" || name === "who" || name === "where" || name === "when") &&
    cursor.hasContent;
  if (isRelative) {
    cursor.at += 1;
    cursor.saidNext = true;
    return true;
  }
  frame.asksPage = name === "yesno" && /^(?:does|do|did|has|have)$/i.test(item.text);
  return (frame.ask === null || frame.ask === "show") && ask(cursor, name);
}

function ask(cursor: Cursor, name: Ask): boolean {
  cursor.frame.ask = name;
  cursor.at += 1;
  return true;
}

function howMany(cursor: Cursor): boolean {
  const { frame } = cursor;
  const before = cursor.peek(-1);
  // "phone number of": a column, not a count.
  const own = cursor.peek();
  if (before?.type === "column" && own?.lead.length === 0 && /^number/i.test(own.text))
    return false;
  if (isOp(before, "agg", "sup", "group", "sort")) {
    cursor.at += 1;
    return cursor.peek()?.type === "column" || cursor.peek()?.type === "row";
  }
  if (frame.ask !== null && frame.ask !== "show" && frame.ask !== "what") return false;
  return ask(cursor, "howmany");
}

function without(cursor: Cursor, item: Of<"op">): boolean {
  cursor.at += 1;
  if (cursor.isOp("duplicate")) {
    cursor.frame.dedupe = true;
    cursor.at += 1;
    return true;
  }
  const next = cursor.peek();
  if (next?.type !== "column") {
    cursor.negated = !cursor.negated;
    return next?.type === "value" || next?.type === "flag" || next?.type === "state";
  }
  const chosen = cursor.pick(next.columns);
  if (chosen === undefined) return false;
  cursor.at += 1;
  if (cursor.isOp("colword")) {
    cursor.at += 1;
    cursor.frame.drops.push(chosen);
    return true;
  }
  return addFilter(cursor, item, [{ column: chosen, test: "empty" }]);
}
