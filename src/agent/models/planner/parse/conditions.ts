import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import { argOf, between, columnsIn, measured, type Read, type Spot } from "./comparisons.ts";
import type { Column, Place } from "./facts.ts";
import type { Filter, Frame } from "./frame.ts";
import { matchEnd, patternOf } from "./grammar.ts";
import { type Item, isOp } from "./items.ts";
import { type ColumnTest, negated } from "./measures.ts";

/** A reading of a condition: tests of which all must hold, or one if `any` is true. */
interface Condition {
  to: number;
  tests: ColumnTest[];
  any: boolean;
}

/** The patterns of conditions with what reads them. */
const PATTERNS: readonly (readonly [string, Read])[] = [
  ["col not? cmp? VALUES", valued],
  ["VALUES col", valued],
  ["named? VALUES", valued],
  ["verb VALUES", valued],
  ["col/verb not? cmp? MEASURE", measured],
  ["verb? cmp? MEASURE col", measured],
  ["cmp? MEASURE", measured],
  ["num col tail", measured],
  ["more col than MEASURE", measured],
  ["col/verb? between MEASURE and? MEASURE col?", between],
  ["comparative than MEASURE/agg", measured],
  ["col cmp agg", measured],
  ["flag", ([item]) => (item?.type === "flag" ? flagTests(item) : [])],
  ["state", ([item]) => (item?.type === "state" ? item.tests.map((test) => [test]) : [])],
  ["col not? contains/starts/ends ANY", textual],
  ["contains/starts/ends ANY", textual],
  ["quote col", textual],
  ["without col", lacking],
];
const COMPILED = PATTERNS.map(([shown, read]) => ({ pattern: patternOf(shown), read }));

/** Returns what the longest condition at an item may mean, as frames with its filter. */
export function conditionFrames(place: Spot): { to: number; frame: Frame }[] {
  const { items, at, frame } = place;
  let start = at;
  let isNegated = false;
  while (isOp(items[start], "not", "except")) {
    isNegated = !isNegated;
    // "except those of Acme"
    start += isOp(items[start + 1], "pronoun") ? 2 : 1;
  }
  if (
    isOp(items[start], "without") &&
    /^(?:value|flag|state)$/.test(items[start + 1]?.type ?? "")
  ) {
    isNegated = !isNegated;
    start += 1;
  }
  return conditionsAt({ ...place, at: start }).flatMap((first) =>
    (isOp(items[first.to], "or") ? alternatives(first, place) : [first]).flatMap(
      ({ to, tests, any }) => {
        const turned = isNegated ? negated(tests) : tests;
        if (turned === null) return [];
        const said = isSaid(items[at], frame);
        // Of "A or B" that is negated, both must fail.
        const isAny = any !== isNegated && turned.length > 1;
        const filters = isAny ? [turned] : turned.map((test) => [test]);
        const own = filters.map((each) => filterOf(each, said));
        const next = { ...frame, filters: [...frame.filters, ...own], saysNext: false };
        return [{ to, frame: next }];
      },
    ),
  );
}

/** Reads "A or B": one test of each. "A and B or C" can be grouped in two ways, so it is not read. */
function alternatives(first: Condition, place: Spot): Condition[] {
  if (place.frame.filters.length > 0 || (first.tests.length > 1 && !first.any)) return [];
  return conditionsAt({ ...place, at: first.to + 1 })
    .filter(({ tests, any }) => tests.length === 1 || any)
    .map(({ to, tests }) => ({ to, tests: [...first.tests, ...tests], any: true }))
    .flatMap((both) => (isOp(place.items[both.to], "or") ? alternatives(both, place) : [both]));
}

function conditionsAt(place: Spot): Condition[] {
  const { items, at } = place;
  const found = COMPILED.flatMap(({ pattern, read }) => {
    const to = matchEnd(pattern, items, at);
    if (to === null) return [];
    const any = items.slice(at, to).filter(({ type }) => type === "value").length > 1;
    return read(items.slice(at, to), place).map((tests) => ({ to, tests, any }));
  });
  const end = Math.max(...found.map(({ to }) => to));
  return found.filter(({ to }) => to === end);
}

function filterOf(tests: readonly ColumnTest[], said: boolean): Filter {
  return {
    tests: tests.map(({ column, ...test }) =>
      column === null ? test : { column: column.name, ...test },
    ),
    columns: [...new Set(tests.flatMap(({ column }) => column ?? []))],
    said,
  };
}

const COPULAS = new Set("is are was were be been have has had 's 're".split(" "));

function isSaid(first: Item | undefined, frame: Frame): boolean {
  const follows = frame.saysNext || frame.filters.some(({ said }) => said);
  const isStated = first?.lead.some((word) => COPULAS.has(word)) ?? false;
  return first?.type === "verb" || follows || isStated;
}

const TARGETS = new Set("destination to target arrival".split(" "));

/** "Category Kitchen", "status is not open", "Kitchen or Home", "guided by Ann". */
function valued(slice: readonly Item[], { facts }: Spot): ColumnTest[][] {
  const values = slice.flatMap((item) => (item.type === "value" ? [item] : []));
  const [first] = values;
  const [head, second] = slice;
  const last = slice.at(-1);
  if (first === undefined) return [];
  const isAfter = head?.type === "value" && last?.type === "column";
  const breaks = (item: Item | undefined, marks: RegExp) =>
    item?.lead.some((word) => marks.test(word)) ?? false;
  // "name of Kitchen", "prices, Kitchen": the value does not belong to the column.
  if (head?.type === "column" && breaks(second, /^(?:of|for|in|,)$/)) return [];
  if (isAfter && breaks(last, /^(?:'s|of|,)$/)) return [];
  const named = isOp(head, "named") && facts.key !== null ? [facts.key] : columnsIn(slice)[0];
  const cmp = slice.find((item) => isOp(item, "cmp"));
  if (cmp !== undefined && !/^(?:eq|ne)$/.test(argOf(cmp))) return [];
  const isNot = slice.some((item) => isOp(item, "not")) !== (argOf(cmp) === "ne");
  return first.at.flatMap(({ column }) => {
    const tests = values.flatMap(({ at }) =>
      at.filter((place) => place.column === column).map(testOf),
    );
    const isNamed = named === undefined || named.includes(column);
    // "from Bergen" is no destination.
    const isTarget = first.lead.includes("from") && column.stems.some((stem) => TARGETS.has(stem));
    const fits = isNamed && !isTarget && !(isAfter && column === facts.key);
    return fits && tests.length === values.length ? signed(tests, isNot) : [];
  });
}

/** Returns tests, or their opposites if there are such. */
function signed(tests: ColumnTest[], isNot: boolean): ColumnTest[][] {
  const turned = isNot ? negated(tests) : tests;
  return turned === null ? [] : [turned];
}

function testOf({ column, value, partial }: Place): ColumnTest {
  return { column, test: partial ? "contains" : "eq", value };
}

function flagTests({ column, positive }: Extract<Item, { type: "flag" }>): ColumnTest[][] {
  const value = positive ? column.yes : column.no;
  if (value !== null) return [[{ column, test: "eq", value }]];
  const other = positive ? column.no : column.yes;
  return other === null ? [] : [[{ column, test: "ne", value: other }]];
}

const SPELLINGS = [
  ["starts", "starts_with"],
  ["ends", "ends_with"],
] as const;

/** "Containing X", "with 'lamp' in the name", "starting with K". */
function textual(slice: readonly Item[], { facts, frame }: Spot): ColumnTest[][] {
  const [head] = slice;
  const operator = slice.find((item) => isOp(item, "contains", "starts", "ends"));
  const operand = head?.type === "quote" ? head : slice.at(-1);
  const [given] = columnsIn(slice);
  if (operand === undefined || /^(?:op|column|row)$/.test(operand.type)) return [];
  const isSpelled = isOp(operator, "starts", "ends");
  // "which end in a sea" is about no spelling; "starts with K" is.
  const isBare = operand.type !== "quote";
  if (isBare && (operand.lead.length > 0 || (isSpelled && operand.text.length > 3))) return [];
  const isLines = facts.columns.length === 1 && facts.columns[0]?.name === "line";
  // "the page mentions refunds" is about the page's text, not about a table on it.
  if (given === undefined && !isLines && frame.rows + frame.wants.length === 0) return [];
  const value = operand.type === "quote" ? operand.value : operand.text;
  const test = SPELLINGS.find(([op]) => isOp(operator, op))?.[1] ?? "contains";
  const isNot = slice.some((item) => isOp(item, "not"));
  const columns: readonly (Column | null)[] = given ?? [isSpelled ? facts.key : null];
  return columns.flatMap((column) =>
    column === null && isSpelled ? [] : signed([{ column, test, value }], isNot),
  );
}

/** "Without a phone": the cell is empty, says no, or is zero. */
function lacking(slice: readonly Item[], { facts }: Spot): ColumnTest[][] {
  return (columnsIn(slice)[0] ?? []).flatMap((column): ColumnTest[][] => {
    if (column.no !== null) return [[{ column, test: "eq", value: column.no }]];
    const hasZero =
      column.kind === "number" &&
      facts.rows.some((row) => cellQuantity(row[column.index] ?? null)?.value === 0);
    // A column with zeroes and gaps may mean either.
    if (hasZero && column.empty > 0) return [];
    return [[hasZero ? { column, test: "eq", value: 0 } : { column, test: "empty" }]];
  });
}
