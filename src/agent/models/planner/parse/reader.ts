import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import { readArrangement } from "./arrangement.ts";
import { Cursor, withAllChoices } from "./cursor.ts";
import type { Aggregation, Ask, Frame } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import {
  addFilter,
  columnsOfMeasure,
  compare,
  isTimeColumn,
  isYearColumn,
  measureAt,
  readValues,
} from "./predicates.ts";
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

type Of<T extends Item["type"]> = Extract<Item, { type: T }>;

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

/** Returns whether a comparison stands at an offset: an operator, or a number. */
function comparisonAt(cursor: Cursor, offset: number): "cmp" | "between" | "number" | null {
  const item = cursor.peek(offset);
  if (isOp(item, "between")) return "between";
  if (isOp(item, "cmp")) {
    const isAverage = isOp(cursor.peek(offset + 1), "agg");
    return measureAt(cursor, offset + 1) === null && !isAverage ? null : "cmp";
  }
  if (item?.type === "number" || item?.type === "date" || item?.type === "time") {
    // "price 20": the number belongs to the column, unless it counts what follows.
    const measure = measureAt(cursor, offset);
    const after = cursor.peek(offset + (measure?.length ?? 1));
    const counts = after?.type === "row" || after?.type === "adjective";
    return counts || item.lead.includes(",") ? null : "number";
  }
  return null;
}

/** Reads a comparison with a measure; `given` are the columns that it is said of. */
function readComparison(cursor: Cursor, item: Item, given: readonly Column[] | null): boolean {
  const start = cursor.peek();
  if (start === undefined) return false;
  if (isOp(start, "between")) {
    cursor.at += 1;
    return between(cursor, item, given);
  }
  const test = isOp(start, "cmp") && start.type === "op" ? start.arg : "eq";
  if (isOp(start, "cmp")) cursor.at += 1;
  const average = averageAt(cursor, given);
  if (average !== null) {
    cursor.at += 1;
    const name = testOf(test);
    return (
      name !== null &&
      addFilter(cursor, item, [{ column: average.column, test: name, value: average.value }])
    );
  }
  const measure = measureAt(cursor, 0);
  if (measure === null) return false;
  // "above 10 or below 2" begins another comparison; "4 or more" belongs to this one.
  const isDateTest = test.startsWith("date ");
  const name = testOf(measure.tail ?? test.replace("date ", ""));
  if (name === null || (measure.tail !== null && test !== "eq")) return false;
  cursor.at += measure.length;
  if (given === null && name !== "ne" && ofFigure(cursor, measure.unit)) {
    if (typeof measure.value !== "number" || cursor.negated || cursor.frame.having !== null)
      return false;
    if (cursor.peek()?.type === "row" || cursor.peek()?.type === "column") {
      cursor.at += 1;
      cursor.frame.rows += 1;
    }
    cursor.frame.having = { test: name, value: measure.value };
    return true;
  }
  const columns = given ?? followingColumn(cursor) ?? columnsOfMeasure(cursor, measure);
  const fitting = columns.filter(
    (candidate) =>
      !isDateTest ||
      candidate.kind === "date" ||
      isYearColumn(cursor, candidate) ||
      isTimeColumn(cursor, candidate),
  );
  const chosen = cursor.pick(fitting);
  return chosen !== undefined && compare(cursor, item, chosen, name, measure);
}

/** Whether a comparison is of the figure before it, or of how many rows there are. */
function ofFigure(cursor: Cursor, unit: string): boolean {
  const next = cursor.peek();
  const namesRows =
    next?.type === "column" &&
    next.columns.some((column) => column === cursor.facts.key && column.kind === "text");
  if (namesRows && unit === "" && cursor.frame.rows === 0) return true;
  if (next?.type === "column" || next?.type === "verb") return false;
  if (cursor.frame.figures.length === 1) return true;
  return next?.type === "row" && unit === "" && cursor.frame.rows === 0;
}

/** "above the average": the average of the column, as a number. */
function averageAt(
  { facts, items, at }: Cursor,
  given: readonly Column[] | null,
): { column: Column; value: number } | null {
  const item = items[at];
  const [column, other] = given ?? [];
  if (
    item?.type !== "op" ||
    item.op !== "agg" ||
    item.arg !== "average" ||
    items[at + 1]?.type === "column"
  )
    return null;
  if (column === undefined || other !== undefined || column.kind !== "number") return null;
  const values = facts.rows.flatMap((row) => cellQuantity(row[column.index] ?? null)?.value ?? []);
  return {
    column,
    value: Number((values.reduce((sum, value) => sum + value, 0) / values.length).toPrecision(12)),
  };
}

/** Reads the column after a measure: "more than 60 million inhabitants". */
function followingColumn(cursor: Cursor): readonly Column[] | null {
  const next = cursor.peek();
  if (
    next?.type !== "column" ||
    next.lead.some((word) => word !== "of" && word !== "in" && word !== "a" && word !== "the")
  )
    return null;
  const numeric = next.columns.filter(({ kind }) => kind === "number" || kind === "date");
  if (numeric.length === 0) return null;
  cursor.at += 1;
  return numeric;
}

const TESTS = ["eq", "ne", "gt", "gte", "lt", "lte"] as const;

function testOf(name: string): (typeof TESTS)[number] | null {
  return TESTS.find((test) => test === name) ?? null;
}

function between(cursor: Cursor, item: Item, given: readonly Column[] | null): boolean {
  const low = measureAt(cursor, 0);
  if (low === null) return false;
  cursor.at += low.length;
  if (cursor.isOp("and")) cursor.at += 1;
  const high = measureAt(cursor, 0);
  if (high === null || low.tail !== null || high.tail !== null) return false;
  cursor.at += high.length;
  const unit = {
    ...low,
    unit: high.unit || low.unit,
    concepts: [...high.concepts, ...low.concepts],
  };
  const columns = given ?? followingColumn(cursor) ?? columnsOfMeasure(cursor, unit);
  const chosen = cursor.pick(columns);
  if (chosen === undefined || cursor.negated || cursor.alternative) return false;
  const bound = { ...low, value: scaledLike(low.value, high), unit: low.unit || high.unit };
  if (!compare(cursor, item, chosen, "gte", bound)) return false;
  return compare(cursor, item, chosen, "lte", high);
}

/** "between 60 and 90 million": the scale of the second number is meant for both. */
function scaledLike(
  low: string | number,
  high: { value: string | number; scale: number },
): string | number {
  if (typeof low !== "number" || typeof high.value !== "number") return low;
  return low < high.value / high.scale ? low * high.scale : low;
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

function textTest(cursor: Cursor, given: Column | null): boolean {
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

function adjective(cursor: Cursor, item: Of<"adjective">): boolean {
  const { frame } = cursor;
  const { columns, more, degree } = item;
  const next = cursor.peek(1);
  if (degree !== "comparative") {
    const from = item.lead.includes("from");
    const opposite = next?.type === "adjective" && next.lead.includes("to") && next.more !== more;
    if (isOp(next, "first") || (from && opposite)) {
      const chosen = cursor.pick(columns);
      if (chosen === undefined) return false;
      frame.orders.push({ column: chosen, descending: more });
      cursor.at += 2;
      return true;
    }
  }
  if (degree === "superlative") {
    // "who has been here longest": an adverb needs a verb that governs its column.
    const isAttribute =
      next?.type === "row" ||
      next?.type === "column" ||
      next?.type === "value" ||
      next?.type === "flag" ||
      next?.type === "state";
    const isSaid =
      item.lead.some((word) => ["is", "are", "was", "were", "'s", "the"].includes(word)) ||
      cursor.at === 0 ||
      cursor.peek(-1)?.type !== "op";
    const governed = frame.verbs.some((verb) => columns.some((own) => verb.columns.includes(own)));
    if (!isAttribute && !governed && (!isSaid || item.lead.includes("been"))) return false;
    const chosen = cursor.pick(columns);
    if (chosen === undefined || frame.extreme !== null) return false;
    frame.extreme = {
      column: chosen,
      descending: more,
      figure: false,
      alone: false,
      word: "adjective",
    };
    cursor.at += 1;
    const unit = cursor.peek();
    if (unit?.type === "column" && unit.columns.includes(chosen)) cursor.at += 1;
    return true;
  }
  if (degree === "comparative") return comparative(cursor, item);
  // "how tall": a value is asked for; a base form sets no limit.
  if (frame.ask !== "how" || frame.wants.length > 0) return false;
  const chosen = cursor.pick(columns);
  if (chosen === undefined) return false;
  frame.wants.push(chosen);
  cursor.at += 1;
  return true;
}

function comparative(cursor: Cursor, item: Of<"adjective">): boolean {
  const { columns, more } = item;
  cursor.at += 1;
  if (cursor.isOp("than")) cursor.at += 1;
  else if (!item.lead.includes("no") && !cursor.negated) return comparesTwo(cursor, columns, more);
  const measure = measureAt(cursor, 0);
  const chosen = cursor.pick(columns);
  if (chosen === undefined) return false;
  if (measure !== null) {
    if (measure.tail !== null) return false;
    cursor.at += measure.length;
    return compare(cursor, item, chosen, more ? "gt" : "lt", measure);
  }
  // "cheaper than the Blue Mug": the value of that row.
  const { key, rows } = cursor.facts;
  const other = cursor.peek();
  const place =
    other?.type === "value"
      ? other.at.find((candidate) => candidate.column === key && !candidate.partial)
      : undefined;
  if (place === undefined || key === null) return false;
  const match = rows.filter(
    (cells) => String(cells[key.index]).trim().toLowerCase() === place.value.trim().toLowerCase(),
  );
  const bound = match[0]?.[chosen.index];
  if (match.length !== 1 || (typeof bound !== "string" && typeof bound !== "number")) return false;
  cursor.at += 1;
  return addFilter(cursor, item, [{ column: chosen, test: more ? "gt" : "lt", value: bound }]);
}

/** "Who is older, Ann or Ben?": the extreme of two rows that are named. */
function comparesTwo(cursor: Cursor, columns: readonly Column[], more: boolean): boolean {
  const { frame } = cursor;
  const chosen = cursor.pick(columns);
  if (chosen === undefined || frame.extreme !== null) return false;
  frame.extreme = {
    column: chosen,
    descending: more,
    figure: false,
    alone: false,
    word: "adjective",
  };
  frame.ofTwo = true;
  return true;
}

function verb(cursor: Cursor, item: Of<"verb">): boolean {
  const { frame } = cursor;
  const [concept] = item.concepts;
  cursor.at += 1;
  cursor.saidNext = true;
  const next = cursor.peek();
  // "paid by card": the verb only ties a value to its rows.
  if (concept === "link") {
    return next?.type === "value" || (next?.type === "row" && !/^(?:by|under)$/i.test(item.text));
  }
  if (concept === "any") return true;
  frame.verbs.push(item);
  const comparison = comparisonAt(cursor, 0);
  if (comparison !== null) {
    const measure = measureAt(cursor, comparison === "number" ? 0 : 1);
    const following = cursor.peek((measure?.length ?? 0) + (comparison === "number" ? 0 : 1));
    const hasColumn =
      following?.type === "column" && following.columns.some(({ kind }) => kind === "number");
    if (hasColumn) return true;
    const numeric = item.columns.filter(
      (own) => own.kind === "number" || own.kind === "date" || isTimeColumn(cursor, own),
    );
    const fitting =
      typeof measure?.value === "string"
        ? numeric.filter((own) =>
            measure.unit === "time" ? isTimeColumn(cursor, own) : own.kind === "date",
          )
        : numeric.filter(({ kind }) => kind !== "text");
    if (fitting.length === 0) return true;
    return readComparison(cursor, item, fitting);
  }
  if (next?.type === "value" && next.at.some((place) => item.columns.includes(place.column))) {
    return readValues(cursor, item.columns);
  }
  return true;
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

function operator(cursor: Cursor, item: Of<"op">): boolean {
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
