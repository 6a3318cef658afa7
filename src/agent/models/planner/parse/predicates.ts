import type { RowTest } from "../../../../contract/tools/process-data.ts";
import type { Cursor } from "./cursor.ts";
import { type Item, isOp } from "./items.ts";
import { type Column, columnsOfConcept } from "./table.ts";

type Test = RowTest["test"];

const NEGATED: Partial<Record<Test, Test>> = {
  eq: "ne",
  ne: "eq",
  gt: "lte",
  lte: "gt",
  lt: "gte",
  gte: "lt",
  contains: "not_contains",
  not_contains: "contains",
  empty: "not_empty",
  not_empty: "empty",
};

const COPULAS = new Set(["is", "are", "was", "were", "be", "have", "has", "had", "'s", "'re"]);

/** Adds a filter, negated or as an alternative as the words before it say. Returns false if it cannot be. */
export function addFilter(
  cursor: Cursor,
  item: Item,
  tests: { column: Column | null; test: Test; value?: string | number | boolean }[],
): boolean {
  const { frame } = cursor;
  const negated = cursor.negated;
  cursor.negated = false;
  const rows = tests.map(({ column, test, value }) => ({
    ...(column === null ? {} : { column: column.name }),
    test: negated ? NEGATED[test] : test,
    ...(value === undefined ? {} : { value }),
  }));
  if (rows.some(({ test }) => test === undefined)) return false;
  const columns = [...new Set(tests.flatMap(({ column }) => column ?? []))];
  const said =
    frame.filters.some((filter) => filter.said) ||
    item.lead.some((word) => COPULAS.has(word)) ||
    item.type === "verb" ||
    cursor.saidNext;
  cursor.saidNext = false;
  const wellFormed: RowTest[] = rows.flatMap(({ test, ...rest }) =>
    test === undefined ? [] : [{ ...rest, test }],
  );
  if (cursor.alternative) {
    cursor.alternative = false;
    const last = frame.filters.at(-1);
    if (last === undefined || negated || wellFormed.length !== 1) return false;
    // "not red or blue" would be read in two ways; "not red or costs more" is read in one.
    const isClause =
      item.type === "verb" || item.type === "op" || item.type === "adjective" || said;
    if (last.tests.some(({ test }) => test.startsWith("n")) && !isClause) return false;
    // "A and B or C" can be grouped in two ways.
    if (frame.filters.length > 1 && frame.filters.at(-2)?.origin === last.origin) return false;
    frame.orMixed ||= cursor.conjunctions > 0;
    last.tests = [...last.tests, ...wellFormed];
    last.columns = [...new Set([...last.columns, ...columns])];
    return true;
  }
  if (frame.filters.length > 0) cursor.conjunctions += 1;
  if (negated || wellFormed.length === 1) {
    for (const test of wellFormed)
      frame.filters.push({ tests: [test], columns, said, origin: item.from });
  } else frame.filters.push({ tests: wellFormed, columns, said, origin: item.from });
  return true;
}

/** Reads values joined by commas, "and" or "or" as one filter on their column. */
export function readValues(cursor: Cursor, given: readonly Column[] | null): boolean {
  const first = cursor.peek();
  if (first?.type !== "value") return false;
  const items = [first];
  let length = 1;
  for (;;) {
    const connector = cursor.peek(length);
    const isJoin = isOp(connector, "and", "or");
    const next = isJoin ? cursor.peek(length + 1) : connector;
    if (next?.type !== "value" || !(isJoin || next.lead.includes(","))) break;
    if (!next.at.some(({ column }) => first.at.some((place) => place.column === column))) break;
    items.push(next);
    length += isJoin ? 2 : 1;
  }
  const after = cursor.peek(length);
  const shared = first.at
    .map(({ column }) => column)
    .filter((column) => items.every(({ at }) => at.some((place) => place.column === column)));
  const follows =
    after?.type === "column" &&
    !after.lead.some((word) => word === "'s" || word === "," || word === "of")
      ? shared.filter((column) => after.columns.includes(column) && column !== cursor.facts.key)
      : [];
  const before = given === null ? [] : shared.filter((column) => given.includes(column));
  const candidates = before.length > 0 ? before : follows.length > 0 ? follows : shared;
  if (given !== null && before.length === 0) return false;
  // "from Bergen" is no destination, "to Bergen" no origin.
  const column = cursor.pick(
    candidates.filter((candidate) => !contradictsLead(first.lead, candidate)),
  );
  if (column === undefined) return false;
  // "Red Lamp" is one name, not a row with "red" and with "lamp".
  const previous = cursor.peek(-1);
  const isPart = first.at[0]?.partial === true;
  if (isPart && previous?.type === "value" && previous.at[0]?.partial && first.lead.length === 0)
    return false;
  const tests = items.flatMap(({ at }) => {
    const place = at.find((candidate) => candidate.column === column);
    return place === undefined
      ? []
      : [
          {
            column,
            test: place.partial ? ("contains" as const) : ("eq" as const),
            value: place.value,
          },
        ];
  });
  cursor.at += length + (follows.length > 0 && before.length === 0 ? 1 : 0);
  return addFilter(cursor, first, tests);
}

const TARGETS = new Set(["destination", "to", "target", "arrival"]);
const ORIGINS = new Set(["origin", "from", "source", "departure"]);

function contradictsLead(lead: readonly string[], { stems }: Column): boolean {
  const names = (set: ReadonlySet<string>) => stems.some((stem) => set.has(stem));
  return (lead.includes("from") && names(TARGETS)) || (lead.includes("to") && names(ORIGINS));
}

/** A number or a date to compare with. */
interface Measure {
  value: string | number;
  /** A million, if it is written so. */
  scale: number;
  unit: string;
  concepts: string[];
  /** How many items it takes. */
  length: number;
  /** A following "or more". */
  tail: "gte" | "lte" | null;
  until: string | null;
}

/** Reads a number with its unit and "or more", or a date, at an offset. */
export function measureAt(cursor: Cursor, offset: number): Measure | null {
  const item = cursor.peek(offset);
  if (item?.type === "date") {
    return {
      value: item.start,
      scale: 1,
      unit: "",
      concepts: [],
      length: 1,
      tail: tailAt(cursor, offset + 1),
      until: item.until,
    };
  }
  if (item?.type === "time") {
    return {
      value: item.value,
      scale: 1,
      unit: "time",
      concepts: [],
      length: 1,
      tail: tailAt(cursor, offset + 1),
      until: null,
    };
  }
  if (item?.type !== "number") return null;
  const next = cursor.peek(offset + 1);
  const unit = next?.type === "unit" && next.lead.length === 0 ? next : null;
  const length = unit === null ? 1 : 2;
  const tail = tailAt(cursor, offset + length);
  return {
    value: item.value,
    scale: scaleOf(item.text),
    unit: unit?.unit ?? item.unit,
    concepts: unit?.concepts ?? conceptsOfUnit(item.unit),
    length: length + (tail === null ? 0 : 1),
    tail,
    until: null,
  };
}

function scaleOf(text: string): number {
  if (/(?:k|thousand)\W*$/i.test(text)) return 1e3;
  if (/(?:\dm|mn|million)\W*$/i.test(text)) return 1e6;
  return /(?:bn|billion)\W*$/i.test(text) ? 1e9 : 1;
}

function tailAt(cursor: Cursor, offset: number): "gte" | "lte" | null {
  const item = cursor.peek(offset);
  if (item?.type !== "op" || item.op !== "tail") return null;
  return item.arg === "gte" ? "gte" : "lte";
}

function conceptsOfUnit(unit: string): string[] {
  if (unit === "") return [];
  return unit === "%" ? ["percent"] : ["price", "pay", "revenue", "amount"];
}

const CURRENCIES = new Set(["USD", "EUR", "GBP", "JPY", "INR", "CHF"]);

/** Returns the columns that a measure without a column may be of. */
export function columnsOfMeasure(
  cursor: Cursor,
  { unit, concepts, until, value }: Measure,
): Column[] {
  const { facts } = cursor;
  const { columns } = facts;
  if (unit === "time") return columns.filter((column) => isTimeColumn(cursor, column));
  if (until !== null) return columns.filter(({ kind }) => kind === "date");
  const numeric = columns.filter(({ kind }) => kind === "number");
  if (unit !== "") {
    const folded = unit.toLowerCase();
    const sameUnit = numeric.filter(
      (column) =>
        [...column.units].some((own) => own.toLowerCase() === folded) ||
        column.unit.includes(folded),
    );
    if (sameUnit.length > 0) return sameUnit;
    if (CURRENCIES.has(unit)) {
      const money = numeric.filter(({ units }) => [...units].some((own) => CURRENCIES.has(own)));
      if (money.length > 0) return money;
    }
    for (const concept of concepts) {
      const found = columnsOfConcept(facts, concept).filter(({ kind }) => kind === "number");
      if (found.length > 0) return found;
    }
    return [];
  }
  const isYear =
    typeof value === "number" && Number.isInteger(value) && value > 1000 && value < 2200;
  return isYear ? columns.filter((column) => isYearColumn(cursor, column)) : [];
}

/** Whether a column holds times of day with two digits each, which compare as texts. */
export function isTimeColumn({ facts }: Cursor, { index }: Column): boolean {
  const times = facts.rows.filter((row) => /^\d{2}:\d{2}$/.test(String(row[index] ?? "").trim()));
  return times.length > 0 && times.length >= facts.rows.length * 0.8;
}

/** Whether a column holds years or dates. */
export function isYearColumn({ facts }: Cursor, column: Column): boolean {
  if (column.kind === "date") return true;
  if (column.kind !== "number") return false;
  const years = facts.rows.filter((row) => {
    const value = Number(row[column.index]);
    return Number.isInteger(value) && value > 1000 && value < 2200;
  });
  return years.length > 0 && years.length >= facts.rows.length * 0.7 && column.units.size === 0;
}

/** Adds the filter "column test measure" in the column's own form. */
export function compare(
  cursor: Cursor,
  item: Item,
  column: Column,
  test: Test,
  measure: Measure,
): boolean {
  const { value, until, unit } = measure;
  if (unit === "time")
    return isTimeColumn(cursor, column) && addFilter(cursor, item, [{ column, test, value }]);
  if (!fitsUnit(column, unit)) return false;
  if (column.kind === "text" || column.kind === "boolean") {
    const known =
      test === "eq" && cursor.facts.rows.some((row) => String(row[column.index]) === String(value));
    return known && addFilter(cursor, item, [{ column, test, value }]);
  }
  if (until !== null || column.kind === "date")
    return compareDates(cursor, item, column, test, measure);
  return addFilter(cursor, item, [{ column, test, value }]);
}

function fitsUnit(column: Column, unit: string): boolean {
  if (unit === "" || column.kind !== "number") return true;
  const own = [...column.units, ...column.unit].map((name) => name.toLowerCase());
  const unitColumn = own.filter((name) => name.length > 0);
  if (unitColumn.length === 0) return true;
  const folded = unit.toLowerCase();
  const names = new Set([folded, ...(UNIT_NAMES[folded] ?? [])]);
  return unitColumn.some((name) => names.has(name));
}

const UNIT_NAMES: Partial<Record<string, string[]>> = {
  usd: ["$", "dollar"],
  eur: ["€", "euro"],
  gbp: ["£", "pound"],
  min: ["minute", "min", "mins"],
  h: ["hour", "hr"],
  day: ["day", "days"],
  days: ["day"],
  year: ["year", "yr"],
  m: ["metre", "meter", "m"],
  km: ["kilometre", "kilometer"],
  kg: ["kilogram", "kilo"],
  star: ["star"],
};

function compareDates(
  cursor: Cursor,
  item: Item,
  column: Column,
  test: Test,
  { value, until }: Measure,
): boolean {
  const isYear = typeof value === "number";
  if (isYear && (value < 1000 || value > 2200)) return false;
  if (column.kind === "number") {
    // A month cannot be told from a column of years.
    return isYear && addFilter(cursor, item, [{ column, test, value }]);
  }
  const from = isYear ? `${value}-01-01` : value;
  const end = isYear ? `${value + 1}-01-01` : (until ?? String(value));
  switch (test) {
    case "gt":
      return addFilter(cursor, item, [{ column, test: "gte", value: end }]);
    case "lte":
      return addFilter(cursor, item, [{ column, test: "lt", value: end }]);
    case "gte":
    case "lt":
      return addFilter(cursor, item, [{ column, test, value: from }]);
    case "eq":
      if (cursor.negated) return false;
      if (!addFilter(cursor, item, [{ column, test: "gte", value: from }])) return false;
      return addFilter(cursor, item, [{ column, test: "lt", value: end }]);
    default:
      return false;
  }
}
