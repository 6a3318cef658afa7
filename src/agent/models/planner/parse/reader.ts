import { adjective, verb } from "./attributes.ts";
import { comparisonAt, type Of, readComparison } from "./comparisons.ts";
import { Cursor, withAllChoices } from "./cursor.ts";
import type { Aggregation, Frame } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import { operator, textTest } from "./operators.ts";
import { addFilter, columnsOfMeasure, compare, measureAt, readValues } from "./predicates.ts";
import { type Column, columnsOfConcept, type TableFacts } from "./table.ts";

/** A frame, or the item that could not be read. */
export type FrameReading =
  | { ok: true; frame: Frame; items: readonly Item[] }
  | { ok: false; stuck: Item };

/** Reads a sequence of items as a question, in every way that its ambiguous words allow. */
export function framesOf(
  items: readonly Item[],
  facts: TableFacts,
  hasEarlier: boolean,
): FrameReading[] {
  const unknown = items.find(
    ({ type }, at) => type === "unknown" && !isOp(items[at - 1], "contains", "starts", "ends"),
  );
  if (unknown) return [{ ok: false, stuck: unknown }];
  return withAllChoices((script) => {
    const cursor = new Cursor(items, facts, script);
    cursor.hasEarlier = hasEarlier;
    return { result: readAll(cursor), widths: cursor.widths };
  });
}

function readAll(cursor: Cursor): FrameReading {
  while (cursor.at < cursor.items.length) {
    const item = cursor.peek();
    if (item === undefined) break;
    const before = cursor.at;
    if (!step(cursor, item) || cursor.at === before) return { ok: false, stuck: item };
  }
  const last = cursor.items.at(-1);
  const dangling = cursor.negated || cursor.alternative || cursor.sorting !== null;
  if (dangling && last) return { ok: false, stuck: last };
  if (cursor.frame.orMixed && last) return { ok: false, stuck: last };
  if (cursor.dropping && !finishDrop(cursor) && last) return { ok: false, stuck: last };
  return { ok: true, frame: cursor.frame, items: cursor.items };
}

/** "Remove the rows that are open" keeps the others: only one condition can be turned round. */
function finishDrop({ frame, facts }: Cursor): boolean {
  const [filter, second] = frame.filters;
  if (filter === undefined && frame.dedupe) return true;
  if (filter === undefined && frame.drops.length > 0) return true;
  if (filter === undefined || second !== undefined) return false;
  const cursor = new Cursor([], facts, []);
  cursor.negated = true;
  const tests = filter.tests.map(({ column, test, value }) => ({
    column: facts.columns.find(({ name }) => name === column) ?? null,
    test,
    ...(value === undefined ? {} : { value }),
  }));
  const item: Item = {
    type: "row",
    isKey: false,
    from: filter.origin,
    to: filter.origin,
    cost: 0,
    text: "",
    lead: [],
  };
  if (!addFilter(cursor, item, tests)) return false;
  frame.filters = cursor.frame.filters;
  return true;
}

function step(cursor: Cursor, item: Item): boolean {
  const isNoun = item.type === "row" || item.type === "column";
  if (isNoun && /[^s]s$/i.test(item.text)) cursor.frame.plural = true;
  switch (item.type) {
    case "row":
      return row(cursor);
    case "column":
      return column(cursor, item);
    case "value":
      return readValues(cursor, null);
    case "flag":
      return flag(cursor, item);
    case "state": {
      const test = cursor.pick(item.tests);
      cursor.at += 1;
      return test !== undefined && addFilter(cursor, item, [test]);
    }
    case "number":
      return number(cursor, item);
    case "ordinal":
      return ordinal(cursor, item.value);
    case "date":
      return date(cursor, item);
    case "time":
      return readComparison(cursor, item, null);
    case "quote":
      return quote(cursor, item);
    case "adjective":
      return adjective(cursor, item);
    case "verb":
      return verb(cursor, item);
    case "unit":
      return unit(cursor, item);
    case "unknown":
      return false;
    case "op":
      return operator(cursor, item);
  }
}

function row(cursor: Cursor): boolean {
  const { frame, facts } = cursor;
  frame.rows += 1;
  frame.possessed &&=
    cursor
      .peek()
      ?.lead.some((word) => word === "of" || word === "in" || word === "from" || word === "for") ??
    false;
  cursor.at += 1;
  const next = cursor.peek();
  // "order 1042": a number after the noun names a row.
  if (
    next?.type === "number" &&
    next.lead.every((word) => word === "#" || word === "number" || word === "no")
  ) {
    const ids = facts.columns.filter(
      ({ unique, index }) =>
        unique && facts.rows.some((cells) => String(cells[index]) === String(next.value)),
    );
    if (ids.length === 1 && ids[0]) {
      cursor.at += 1;
      return addFilter(cursor, next, [{ column: ids[0], test: "eq", value: next.value }]);
    }
  }
  return true;
}

/** "how many kg honey": the unit of the column that follows. */
function unit(cursor: Cursor, item: Of<"unit">): boolean {
  const next = cursor.peek(1);
  const names = [item.unit.toLowerCase(), item.text.toLowerCase()];
  const { wants, figures, extreme } = cursor.frame;
  const before = wants.at(-1) ?? figures.at(-1)?.column ?? extreme?.column ?? undefined;
  const related = item.concepts.flatMap((concept) => columnsOfConcept(cursor.facts, concept));
  const fits = (column: Column) =>
    related.includes(column) ||
    names.some(
      (name) =>
        column.unit.includes(name) || [...column.units].some((own) => own.toLowerCase() === name),
    );
  cursor.at += 1;
  if (next?.type === "column") return next.columns.some(fits);
  return before !== undefined && fits(before);
}

function flag(cursor: Cursor, { column: own, positive }: Of<"flag">): boolean {
  const item = cursor.peek();
  const value = positive ? own.yes : own.no;
  cursor.at += 1;
  if (item === undefined) return false;
  const other = positive ? own.no : own.yes;
  if (value !== null) return addFilter(cursor, item, [{ column: own, test: "eq", value }]);
  return other !== null && addFilter(cursor, item, [{ column: own, test: "ne", value: other }]);
}

function column(cursor: Cursor, item: Of<"column">): boolean {
  const next = cursor.peek(1);
  const after = isOp(next, "not") ? cursor.peek(2) : next;
  const skipped = isOp(next, "not") ? 2 : 1;
  if (after !== undefined) {
    // "category Kitchen", "status is not open"
    if (
      after.type === "value" &&
      after.at.some((place) => item.columns.includes(place.column)) &&
      !after.lead.some((word) => word === "of" || word === "for" || word === "," || word === "in")
    ) {
      if (isOp(next, "not")) cursor.negated = true;
      cursor.at += skipped;
      cursor.saidNext = after.lead.length > 0;
      return readValues(cursor, item.columns);
    }
    if (after.type === "op" && after.op === "cmp" && (after.arg === "eq" || after.arg === "ne")) {
      const operand = cursor.peek(skipped + 1);
      if (operand?.type === "value" || operand?.type === "quote") {
        cursor.negated = isOp(next, "not") !== (after.arg === "ne");
        cursor.at += skipped + 1;
        if (operand.type === "value") return readValues(cursor, item.columns);
        const tested = cursor.pick(item.columns);
        cursor.at += 1;
        return (
          tested !== undefined &&
          addFilter(cursor, item, [{ column: tested, test: "eq", value: operand.value }])
        );
      }
    }
    const comparison = comparisonAt(cursor, skipped);
    if (comparison !== null) {
      const numeric = item.columns.filter(({ kind }) => kind !== "boolean");
      const chosen = cursor.pick(numeric);
      if (chosen === undefined) return false;
      if (isOp(next, "not")) cursor.negated = true;
      cursor.at += skipped;
      return readComparison(cursor, item, [chosen]);
    }
    if (isOp(after, "contains", "starts", "ends")) {
      const chosen = cursor.pick(item.columns);
      cursor.at += skipped;
      if (isOp(next, "not")) cursor.negated = true;
      return chosen !== undefined && textTest(cursor, chosen);
    }
    if (after.type === "quote" && after.lead.every((word) => SAID_OF.has(word))) {
      const chosen = cursor.pick(item.columns);
      if (isOp(next, "not")) cursor.negated = true;
      cursor.at += skipped + 1;
      return (
        chosen !== undefined &&
        addFilter(cursor, item, [{ column: chosen, test: "eq", value: after.value }])
      );
    }
  }
  const chosen = cursor.pick(item.columns);
  if (chosen === undefined) return false;
  cursor.at += 1;
  if (cursor.negated) return false;
  if (cursor.dropping) {
    cursor.frame.drops.push(chosen);
    if (cursor.isOp("colword", "and")) cursor.at += 1;
    return true;
  }
  if (cursor.alternative) return false;
  if (chosen.kind === "boolean" && !mayShow(cursor, item)) return false;
  // "which works are insured" says something of them; it names no column "Insured value".
  const isSaid =
    item.lead.length > 0 &&
    item.lead.every((word) => ["is", "are", "was", "were", "been", "be"].includes(word));
  if (isSaid && cursor.frame.ask !== "what" && cursor.frame.ask !== null) return false;
  if (cursor.isOp("colword")) cursor.at += 1;
  // "with a rating": only the rows that have one, which differs if some have none.
  if (item.lead.some((word) => word === "with") && chosen.empty > 0 && cursor.choose(2) === 1) {
    return addFilter(cursor, item, [{ column: chosen, test: "not_empty" }]);
  }
  // "price average"
  const figure = cursor.peek();
  if (
    figure?.type === "op" &&
    figure.op === "agg" &&
    figure.lead.length === 0 &&
    isEndOfPhrase(cursor.peek(1))
  ) {
    cursor.at += 1;
    cursor.frame.figures.push({ fn: aggregation(figure.arg), column: chosen });
    return true;
  }
  cursor.frame.wants.push(chosen);
  return true;
}

/** A yes/no column after "are" or a noun says something of the rows; in a list of columns it is shown. */
function mayShow(cursor: Cursor, item: Of<"column">): boolean {
  const before = cursor.items[cursor.items.indexOf(item) - 1];
  if (before?.type === "column" || isOp(before, "and", "colword", "show", "what")) return true;
  return item.lead.some(
    (word) =>
      word === "with" || word === "and" || word === "," || word === "whether" || word === "the",
  );
}

const SAID_OF = new Set(["is", "are", "was", "were", "of", "the", "value"]);

function isEndOfPhrase(item: Item | undefined): boolean {
  return item === undefined || isOp(item, "group", "and", "sort");
}

function aggregation(name: string): Aggregation {
  const known: Aggregation[] = ["sum", "average", "median", "min", "max"];
  return known.find((fn) => fn === name) ?? "count";
}

function number(cursor: Cursor, item: Of<"number">): boolean {
  const { frame } = cursor;
  const next = cursor.peek(1);
  // "the 3 cheapest", "two oldest"
  if (
    isOp(next, "sup", "first", "last") ||
    (next?.type === "adjective" && next.degree === "superlative")
  ) {
    if (frame.limit !== null) return false;
    frame.limit = { count: item.value, from: isOp(next, "last") ? "end" : "start" };
    cursor.at += isOp(next, "first", "last") ? 2 : 1;
    return true;
  }
  // "with two columns, month and cats"
  if (isOp(next, "colword") && cursor.peek(2)?.type === "column") {
    cursor.at += 2;
    return true;
  }
  const measure = measureAt(cursor, 0);
  if (measure === null) return false;
  const after = cursor.peek(measure.length);
  if (
    measure.tail === null &&
    measure.unit === "" &&
    after?.type === "row" &&
    frame.limit === null &&
    frame.ask !== "howmany"
  ) {
    if (!isOp(cursor.peek(-1), "show") && frame.extreme === null) return false;
    frame.limit = { count: item.value, from: "start" };
    cursor.at += 1;
    return true;
  }
  return readComparison(cursor, item, null);
}

function ordinal(cursor: Cursor, value: number): boolean {
  if (cursor.peek()?.lead.includes("every")) return false;
  const { frame } = cursor;
  const next = cursor.peek(1);
  if (next?.type === "adjective" || isOp(next, "sup")) {
    frame.rank = value;
    cursor.at += 1;
    return true;
  }
  // "the first 5 rows", "the first row"
  const count = next?.type === "number" ? next.value : 1;
  const noun = cursor.peek(next?.type === "number" ? 2 : 1);
  if (noun?.type !== "row" && noun?.type !== "column") return false;
  if (frame.limit !== null) return false;
  if (value === 1) frame.limit = { count, from: "start" };
  else frame.rank = value;
  cursor.at += next?.type === "number" ? 2 : 1;
  return true;
}

function date(cursor: Cursor, item: Of<"date">): boolean {
  const measure = measureAt(cursor, 0);
  if (measure === null || measure.tail !== null) return false;
  const named =
    cursor.frame.verbs
      .at(-1)
      ?.columns.filter((own) => own.kind === "date" || own.kind === "number") ?? [];
  const columns = named.length > 0 ? named : columnsOfMeasure(cursor, measure);
  const chosen = cursor.pick(columns);
  cursor.at += measure.length;
  // "from July": of July, or since July.
  const since = item.lead.some((word) => word === "from" || word === "starting");
  const test = since && cursor.choose(2) === 1 ? "gte" : "eq";
  return chosen !== undefined && compare(cursor, item, chosen, test, measure);
}

function quote(cursor: Cursor, item: Of<"quote">): boolean {
  const { key } = cursor.facts;
  const next = cursor.peek(1);
  // "with 'lamp' in the name"
  if (next?.type === "column" && next.lead.includes("in")) {
    const column = cursor.pick(next.columns);
    cursor.at += 2;
    return (
      column !== undefined &&
      addFilter(cursor, item, [{ column, test: "contains", value: item.value }])
    );
  }
  // A quotation that no cell equals names a row that is not there.
  if (key === null || cursor.peek(-1)?.type !== "row" || item.lead.length > 0) return false;
  cursor.at += 1;
  return addFilter(cursor, item, [{ column: key, test: "eq", value: item.value }]);
}
