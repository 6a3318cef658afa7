import type { RowTest } from "../../../../contract/tools/process-data.ts";
import { type Column, columnsOfConcept, type TableFacts } from "./facts.ts";
import type { Item } from "./items.ts";

export type Test = RowTest["test"];
/** A test of a column; without one, of any cell. */
export type ColumnTest = { column: Column | null; test: Test; value?: string | number | boolean };

/** A number, a date or a time to compare with. */
export interface Measure {
  value: string | number;
  /** A million, if it is written so. */
  scale: number;
  unit: string;
  concepts: string[];
  /** A following "or more". */
  tail: Test | null;
  /** The end of a span of days. */
  until: string | null;
}

/** A number without a unit. */
export const PLAIN = { scale: 1, unit: "", concepts: [], tail: null, until: null };

/** Returns the measures among items: a number with its unit and "or more", a date or a time. */
export function measuresIn(items: readonly Item[]): Measure[] {
  return items.flatMap((item, at): Measure[] => {
    const next = items[at + 1];
    const unit = item.type === "number" && next?.type === "unit" ? next : null;
    const after = items[unit === null ? at + 1 : at + 2];
    const isTail = after?.type === "op" && after.op === "tail";
    const tail: Test | null = isTail ? (after.arg === "gte" ? "gte" : "lte") : null;
    const plain = { ...PLAIN, tail };
    if (item.type === "date") return [{ ...plain, value: item.start, until: item.until }];
    if (item.type === "time") return [{ ...plain, value: item.value, unit: "time" }];
    if (item.type !== "number") return [];
    const { value, text } = item;
    const own = unit?.unit ?? item.unit;
    const concepts = unit?.concepts ?? (own === "" || own === "%" ? [] : MONEY);
    return [{ ...plain, value, scale: scaleOf(text), unit: own, concepts }];
  });
}

const MONEY = ["price", "pay", "revenue", "amount"];
const CURRENCIES = new Set(["USD", "EUR", "GBP", "JPY", "INR", "CHF"]);

function scaleOf(text: string): number {
  if (/(?:k|thousand)\W*$/i.test(text)) return 1e3;
  if (/(?:\dm|mn|million)\W*$/i.test(text)) return 1e6;
  return /(?:bn|billion)\W*$/i.test(text) ? 1e9 : 1;
}

/** Returns the columns that a measure without a column may be of. */
export function columnsOfMeasure(
  facts: TableFacts,
  { unit, concepts, until, value }: Measure,
): Column[] {
  const { columns } = facts;
  if (unit === "time") return columns.filter((column) => isPaddedTime(facts, column));
  if (until !== null) return columns.filter(({ kind }) => kind === "date");
  const numeric = columns.filter(({ kind }) => kind === "number");
  if (unit === "") {
    return isYear(value) ? columns.filter((column) => column.isYear) : [];
  }
  const folded = unit.normalize("NFKC").toLowerCase();
  const same = numeric.filter(
    (own) =>
      [...own.units].some((one) => one.toLowerCase() === folded) || own.unit.includes(folded),
  );
  if (same.length > 0) return same;
  const isMoney = ({ units }: Column) => [...units].some((one) => CURRENCIES.has(one));
  const money = CURRENCIES.has(unit) ? numeric.filter(isMoney) : [];
  if (money.length > 0) return money;
  return (
    concepts
      .map((concept) => columnsOfConcept(facts, concept).filter(({ kind }) => kind === "number"))
      .find((found) => found.length > 0) ?? []
  );
}

const UNIT_NAMES: Partial<Record<string, string[]>> = {
  usd: ["$", "dollar"],
  eur: ["€", "euro"],
  gbp: ["£", "pound"],
  min: ["minute", "mins"],
  h: ["hour", "hr"],
  days: ["day"],
  year: ["yr"],
  m: ["metre", "meter"],
  km: ["kilometre", "kilometer"],
  kg: ["kilogram", "kilo"],
};

function fitsUnit(column: Column, unit: string): boolean {
  const own = [...column.units, ...column.unit].map((name) => name.toLowerCase());
  if (unit === "" || column.kind !== "number" || own.length === 0) return true;
  const folded = unit.normalize("NFKC").toLowerCase();
  const names = [folded, `${folded}s`, ...(UNIT_NAMES[folded] ?? [])];
  return own.some((name) => names.includes(name));
}

/** Whether a number may be a year. */
export function isYear(value: string | number): value is number {
  return typeof value === "number" && value > 1000 && value < 2200 && Number.isInteger(value);
}

/** Returns the tests of "column test measure", all of which must hold; none if they do not compare. */
export function compared(
  facts: TableFacts,
  column: Column,
  test: Test,
  { value, until, unit }: Measure,
): ColumnTest[][] {
  const plain: ColumnTest[][] = [[{ column, test, value }]];
  if (unit === "time") return isPaddedTime(facts, column) ? plain : [];
  if (!fitsUnit(column, unit)) return [];
  if (column.kind === "text" || column.kind === "boolean") {
    const isHeld = facts.rows.some((row) => String(row[column.index]) === String(value));
    return test === "eq" && isHeld ? plain : [];
  }
  // A column of years has no months.
  if (column.kind === "number") return until === null ? plain : [];
  if (until === null && !isYear(value)) return [];
  const from = until === null ? `${value}-01-01` : value;
  const end = until ?? `${Number(value) + 1}-01-01`;
  const starts: ColumnTest = { column, test: "gte", value: from };
  const ends: ColumnTest = { column, test: "lt", value: end };
  if (test === "gt") return [[{ ...starts, value: end }]];
  if (test === "lte") return [[ends]];
  if (test === "gte") return [[starts]];
  if (test === "lt") return [[{ ...ends, value: from }]];
  return test === "eq" ? [[starts, ends]] : [];
}

/** Whether a column holds times of day with two digits each, which compare as texts. */
export function isPaddedTime({ rows }: TableFacts, { index }: Column): boolean {
  const cells = rows.map((row) => String(row[index] ?? "").trim());
  const times = cells.filter((cell) => /^\d{2}:\d{2}$/.test(cell));
  return times.length > 0 && times.length >= cells.length * 0.8;
}

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

/** Turns tests of which all must hold into tests of which one must hold; null if one has no opposite. */
export function negated(tests: readonly ColumnTest[]): ColumnTest[] | null {
  const turned = tests.flatMap((each) => {
    const test = NEGATED[each.test];
    return test === undefined ? [] : [{ ...each, test }];
  });
  return turned.length === tests.length ? turned : null;
}
