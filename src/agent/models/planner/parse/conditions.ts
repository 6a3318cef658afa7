import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import {
  all,
  argOf,
  between,
  type Condition,
  columnsIn,
  measured,
  type Read,
  type Spot,
} from "./comparisons.ts";
import type { Column, Place } from "./facts.ts";
import type { Filter, Frame } from "./frame.ts";
import { matchEnd, patternOf } from "./grammar.ts";
import { type Item, isOp } from "./items.ts";
import { type ColumnTest, negated } from "./measures.ts";

/** The patterns of conditions with what reads them. */
const PATTERNS: readonly [string, Read][] = [
  ["col not? cmp? VALUES", valued],
  ["VALUES col", valued],
  ["named? VALUES", valued],
  ["verb VALUES", valued],
  ["col/verb not? cmp? MEASURE", measured],
  ["verb? cmp? MEASURE col", measured],
  ["cmp? MEASURE", measured],
  ["num col tail", measured],
  ["more col than MEASURE", measured],
  ["col/verb? not? between MEASURE and? MEASURE col?", between],
  ["comparative than MEASURE/val/agg", measured],
  ["col cmp agg", measured],
  ["flag", ([item]) => (item?.type === "flag" ? all(flagTests(item)) : [])],
  [
    "state",
    ([item]) =>
      item?.type === "state" ? item.tests.map((test) => ({ tests: [test], any: false })) : [],
  ],
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
    start += isOp(items[start + 1], "pronoun") && isOp(items[start], "except") ? 2 : 1;
  }
  if (
    isOp(items[start], "without") &&
    /^(?:value|flag|state)$/.test(items[start + 1]?.type ?? "")
  ) {
    isNegated = !isNegated;
    start += 1;
  }
  return conditionsAt({ ...place, at: start }).flatMap((first) => {
    const options = isOp(items[first.to], "or") ? withAlternatives(first, place) : [first];
    return options.flatMap(({ to, tests, any }) => {
      const turned = isNegated ? negated(tests) : tests;
      if (turned === null) return [];
      // Of "A or B" in an "or" clause that is negated, both must fail.
      const isAny = any !== isNegated && turned.length > 1;
      const said = isSaid(items.slice(at, to), frame);
      const filters = isAny
        ? [filterOf(turned, said)]
        : turned.map((test) => filterOf([test], said));
      const next = { ...frame, filters: [...frame.filters, ...filters], saysNext: false };
      return [{ to, frame: next }];
    });
  });
}

/** Reads "A or B": one test of each. "A and B or C" can be grouped in two ways, so it is not read. */
function withAlternatives(first: Condition, place: Spot): Condition[] {
  if (first.tests.length > 1 && !first.any) return [];
  const lead = place.frame.filters.length > 0 ? [] : [first];
  return lead.flatMap(({ tests, to }) =>
    conditionsAt({ ...place, at: to + 1 })
      .filter((other) => other.tests.length === 1 || other.any)
      .map((other) => ({ to: other.to, tests: [...tests, ...other.tests], any: true }))
      .flatMap((both) =>
        isOp(place.items[both.to], "or") ? withAlternatives(both, place) : [both],
      ),
  );
}

function conditionsAt(place: Spot): Condition[] {
  const { items, at } = place;
  const matches = COMPILED.flatMap(({ pattern, read }) => {
    const to = matchEnd(pattern, items, at);
    return to === null ? [] : [{ to, read }];
  }).toSorted((a, b) => b.to - a.to);
  for (const { to } of matches) {
    const found = matches
      .filter((one) => one.to === to)
      .flatMap(({ read }) => read(items.slice(at, to), place))
      .map((one) => ({ ...one, to }));
    if (found.length > 0) return found;
  }
  return [];
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

function isSaid([first]: readonly Item[], frame: Frame): boolean {
  const isVerb = first?.type === "verb";
  const follows = frame.saysNext || frame.filters.some(({ said }) => said);
  return isVerb || follows || (first?.lead.some((word) => COPULAS.has(word)) ?? false);
}

const TARGETS = new Set("destination to target arrival".split(" "));
const ORIGINS = new Set("origin from source departure".split(" "));

/** "Category Kitchen", "status is not open", "Kitchen or Home", "guided by Ann". */
function valued(slice: readonly Item[], { facts }: Spot): Omit<Condition, "to">[] {
  const values = slice.flatMap((item) => (item.type === "value" ? [item] : []));
  const [first] = values;
  const [head, second] = slice;
  if (first === undefined) return [];
  const [given] = columnsIn(slice);
  const isAfter = head?.type === "value" && slice.at(-1)?.type === "column";
  const column = slice.find(({ type }) => type === "column");
  const breaks = (item: Item | undefined, marks: RegExp) =>
    item?.lead.some((word) => marks.test(word));
  // "name of Kitchen", "prices, Kitchen": the value does not belong to the column.
  if (head?.type === "column" && breaks(second, /^(?:of|for|in|,)$/)) return [];
  if (isAfter && breaks(column, /^(?:'s|of|,)$/)) return [];
  const shared = first.at.filter(({ column: own }) =>
    values.every(({ at }) => at.some((place) => place.column === own)),
  );
  const named = isOp(head, "named") && facts.key !== null ? [facts.key] : given;
  const places = shared.filter(
    ({ column: own }) =>
      (named === undefined || named.includes(own)) &&
      !(isAfter && own === facts.key) &&
      !contradictsLead(first.lead, own),
  );
  const turned = slice.filter(
    (item) => isOp(item, "not") || (isOp(item, "cmp") && argOf(item) === "ne"),
  );
  const cmp = slice.find((item) => isOp(item, "cmp"));
  if (cmp !== undefined && !/^(?:eq|ne)$/.test(argOf(cmp))) return [];
  return places.flatMap(({ column: own }) => {
    const tests = values.flatMap(({ at }) =>
      at.filter((place) => place.column === own).map(testOf),
    );
    const signed = turned.length % 2 === 1 ? negated(tests) : tests;
    return signed === null
      ? []
      : [{ tests: signed, any: turned.length % 2 === 0 && tests.length > 1 }];
  });
}

function testOf({ column, value, partial }: Place): ColumnTest {
  return { column, test: partial ? "contains" : "eq", value };
}

/** Whether a preposition excludes a column: "from Bergen" is not a destination, "to Bergen" not an origin. */
function contradictsLead(lead: readonly string[], { stems }: Column): boolean {
  const names = (set: ReadonlySet<string>) => stems.some((stem) => set.has(stem));
  return (lead.includes("from") && names(TARGETS)) || (lead.includes("to") && names(ORIGINS));
}

function flagTests({ column, positive }: Extract<Item, { type: "flag" }>): ColumnTest[] | null {
  const value = positive ? column.yes : column.no;
  if (value !== null) return [{ column, test: "eq", value }];
  const other = positive ? column.no : column.yes;
  return other === null ? null : [{ column, test: "ne", value: other }];
}

/** "Containing X", "with 'lamp' in the name", "starting with K". */
function textual(slice: readonly Item[], { facts, frame }: Spot): Omit<Condition, "to">[] {
  const [head] = slice;
  const operator = slice.find((item) => isOp(item, "contains", "starts", "ends"));
  const operand = head?.type === "quote" ? head : slice.at(-1);
  if (operand === undefined || /^(?:op|column|row)$/.test(operand.type)) return [];
  const isBare = operand.type !== "quote";
  if (head?.type === "quote" && !slice.at(-1)?.lead.includes("in")) return [];
  if (isBare && operand.lead.some((word) => /^(?:a|an|the)$/.test(word))) return [];
  const kind = operator?.type === "op" ? operator.op : "contains";
  // "which end in a sea" is about no spelling; "starts with K" is.
  if (isBare && kind !== "contains" && operand.text.length > 3) return [];
  const isLines = facts.columns.length === 1 && facts.columns[0]?.name === "line";
  const [given] = columnsIn(slice);
  // "the page mentions refunds" is about the page's text, not about a table on it.
  if (given === undefined && !isLines && frame.rows + frame.wants.length === 0) return [];
  const value = operand.type === "quote" ? operand.value : operand.text;
  const test = kind === "contains" ? "contains" : kind === "starts" ? "starts_with" : "ends_with";
  const isNot = slice.some((item) => isOp(item, "not"));
  const columns = given ?? [kind === "contains" ? null : facts.key];
  return columns.flatMap((column) => {
    const tests: ColumnTest[] = [{ column, test, value }];
    return column === null && kind !== "contains" ? [] : all(isNot ? negated(tests) : tests);
  });
}

/** "Without a phone": the cell is empty, says no, or is zero. */
function lacking(slice: readonly Item[], { facts }: Spot): Omit<Condition, "to">[] {
  const [columns = []] = columnsIn(slice);
  return columns.flatMap((column) => {
    if (column.no !== null) return all([{ column, test: "eq", value: column.no }]);
    const hasZero =
      column.kind === "number" &&
      facts.rows.some((row) => Number(cellQuantity(row[column.index] ?? null)?.value ?? 1) === 0);
    // A table with zeroes and gaps may mean either.
    const empty: ColumnTest = { column, test: "empty" };
    const zero: ColumnTest = { column, test: "eq", value: 0 };
    return hasZero
      ? [{ tests: column.empty > 0 ? [empty, zero] : [zero], any: column.empty > 0 }]
      : all([empty]);
  });
}
