import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, LABELS } from "../laws/laws.ts";
import { orderedGroups } from "./compile-groups.ts";
import {
  type Builder,
  type Compilation,
  done,
  filtersOf,
  type Names,
  nothing,
  ordersOf,
  tiesOf,
  whereAll,
} from "./compiled.ts";
import type { Column } from "./table.ts";

/** Says which rows a figure is limited to. */
export function extremeSays(b: Builder): string {
  const { extreme, limit } = b.frame;
  if (extreme?.column)
    return ` of the ${limit?.count ?? 1} with the ${extreme.descending ? "highest" : "lowest"} ${extreme.column.name}`;
  return limit === null ? "" : ` of the ${limit.from === "end" ? "last" : "first"} ${limit.count}`;
}

/** The order and the limit of "the 3 cheapest". */
export function extremeRows(b: Builder): DataOperation[] {
  const { extreme, limit } = b.frame;
  if (!extreme?.column)
    return [...ordersOf(b), ...(limit === null ? [] : [{ op: "limit" as const, ...limit }])];
  const sort: DataOperation = {
    op: "sort",
    by: extreme.column.name,
    direction: extreme.descending ? "desc" : "asc",
  };
  const filled: DataOperation = { op: "filter", column: extreme.column.name, test: "not_empty" };
  const filters = extreme.column.empty > 0 ? [filled] : [];
  const count =
    limit?.count ?? tiesOf(b, [...filtersOf(b), ...filters, sort], extreme.column.name) ?? 1;
  return [...filters, sort, { op: "limit", count, from: "start" }];
}

/** Compiles the rows with the highest or lowest value. */
export function extremeOf(b: Builder): Compilation[] {
  const { extreme, ask, wants, limit, rank, rows } = b.frame;
  const column = extreme?.column;
  if (!extreme || !column) return nothing("it is not clear by what the rows are compared");
  const word = extreme.descending ? "highest" : "lowest";
  const [pair, more] = b.frame.filters;
  if (b.frame.ofTwo && (pair?.tests.length !== 2 || more !== undefined))
    return nothing("it is not clear what is compared");
  const isValue =
    extreme.figure &&
    wants.length === 0 &&
    limit === null &&
    rank === null &&
    ask !== "which" &&
    ask !== "who";
  if (isValue) {
    if (column.kind === "text") return nothing(`${column.name} has no order`);
    const fn = extreme.descending ? "max" : "min";
    return [
      done(
        b,
        { kind: "value" },
        [...filtersOf(b), { op: "aggregate", by: [], aggregates: [{ fn, column: column.name }] }],
        `find the ${word} ${column.name}${whereAll(b)}`,
      ),
    ];
  }
  if (column.kind === "text") return nothing(`${column.name} has no order`);
  void rows;
  const head = wants.find(
    (wanted) => wanted.kind === "text" && !wanted.unique && wanted !== b.evaluator.facts.key,
  );
  const ranked = rank === null ? extremeRows(b) : rankedRows(b, column, extreme.descending, rank);
  if (ranked === null) return nothing("several rows share a rank");
  const says = `find the ${rank === null ? "" : `${rank}. `}${limit === null ? "row" : `${limit.count} rows`} with the ${word} ${column.name}${whereAll(b)}`;
  const kept = [...filtersOf(b), ...ranked, ...ordersOf(b)];
  const reading = done(b, { kind: "table" }, [...kept, ...projectionOf(b, [column])], says, kept);
  if (head === undefined || ask === "howmany" || column.kind !== "number" || wants.length > 1)
    return [reading];
  // "which team has the most points": of one row, or of all rows of the team.
  const grouped: DataOperation[] = [
    ...filtersOf(b),
    { op: "aggregate", by: [head.name], aggregates: [{ fn: "sum", column: column.name }] },
  ];
  const sums = orderedGroups(
    b,
    grouped,
    `sum of ${column.name}`,
    extreme.descending,
    limit?.count ?? null,
    `find the ${head.name} with the ${word} sum of ${column.name}${whereAll(b)}`,
  );
  // "the most" adds up where it can; "the highest" may mean either; "the longest" is of one row.
  if (!isAdditive(column) || !sums.ok || extreme.word === "adjective") return [reading];
  return extreme.word === "most" ? [sums] : [reading, sums];
}

/** Keeps the row of a rank; null if rows before or at it have equal values. */
function rankedRows(
  b: Builder,
  column: Column,
  descending: boolean,
  rank: number,
): DataOperation[] | null {
  const sort: DataOperation = {
    op: "sort",
    by: column.name,
    direction: descending ? "desc" : "asc",
  };
  const table = b.evaluator.run([...filtersOf(b), sort]);
  const index = table?.columns.indexOf(column.name) ?? -1;
  const values = table?.rows.slice(0, rank + 1).map((row) => String(row[index])) ?? [];
  if (values.length < rank || new Set(values).size !== values.length) return null;
  return [
    sort,
    { op: "limit", count: rank, from: "start" },
    { op: "limit", count: 1, from: "end" },
  ];
}

/** The columns to show: what is wanted, with the name of the row and the columns that decide. */
function projectionOf(b: Builder, deciding: Names): DataOperation[] {
  const { wants, drops, ask, rows, possessed, distinct } = b.frame;
  const { columns, key } = b.evaluator.facts;
  if (drops.length > 0) {
    const kept = columns.filter((column) => !drops.includes(column));
    return [{ op: "select", columns: kept.map(({ name }) => name) }];
  }
  const [only, second] = wants;
  // "the tariffs": the rows that the key column names, with all that they have.
  const namesRows =
    only !== undefined &&
    second === undefined &&
    only === key &&
    only.kind === "text" &&
    !only.stems.some((stem) => LABELS.has(stem));
  const isWhole = namesRows && !b.frame.only && !distinct;
  if (isWhole && (ask === "show" || ask === null)) return [];
  if (wants.length > 0 && !(isWhole && (ask === "which" || ask === "who" || ask === "what"))) {
    const withKey =
      !b.frame.only && rows > 0 && !possessed && key !== null && !wants.includes(key) && !distinct;
    const shown = [...(withKey && key ? [key] : []), ...wants];
    const select: DataOperation[] = [
      { op: "select", columns: [...new Set(shown.map(({ name }) => name))] },
    ];
    const repeats =
      distinct ||
      // "All regions" are the different ones, unless rows are named: "the region of each station".
      ((ask === "which" || (rows === 0 && wants.length === 1)) &&
        !withKey &&
        wants.every(({ unique }) => !unique));
    return repeats ? [...select, { op: "distinct" }] : select;
  }
  if (distinct) return [{ op: "distinct" }];
  if (
    (ask === "which" || ask === "who" || ask === "what") &&
    key?.unique === true &&
    key.kind === "text"
  ) {
    const decides = [...deciding, ...b.frame.filters.flatMap((filter) => filter.columns)];
    const shown = [...(key === null ? [] : [key]), ...decides];
    const names = [...new Set(shown.map(({ name }) => name))];
    return key === null ? [] : [{ op: "select", columns: names }];
  }
  return [];
}

/** Compiles the rows to show, in their order and with their columns. */
export function shownRows(b: Builder): Compilation {
  const { ask, wants, limit, filters, orders, rows, inherits, distinct, dedupe, drops, rank } =
    b.frame;
  if (rank !== null && (limit !== null || orders.length > 0 || filters.length > 0)) {
    return { ok: false, reason: "it is not clear by what the rows are ranked" };
  }
  const nth: DataOperation[] =
    rank === null
      ? []
      : [
          { op: "limit", count: rank, from: "start" },
          { op: "limit", count: 1, from: "end" },
        ];
  if (ask === "how" && wants.length === 0) return { ok: false, reason: "it is not clear how" };
  const nothingSaid =
    wants.length + filters.length + orders.length + rows + drops.length === 0 &&
    !inherits &&
    !distinct &&
    !dedupe &&
    limit === null &&
    rank === null;
  if (nothingSaid && ask !== "show")
    return { ok: false, reason: "nothing of the table is asked for" };
  const tail: DataOperation[] = [
    ...nth,
    ...ordersOf(b),
    ...(limit === null ? [] : [{ op: "limit" as const, ...limit }]),
    ...projectionOf(b, []),
  ];
  const operations = [...filtersOf(b), ...tail];
  const kept = operations.filter(({ op }) => op !== "select" && op !== "distinct");
  const result = b.evaluator.run(operations);
  if (result === null) return { ok: false, reason: "the columns cannot be compared so" };
  const shownWhat =
    wants.length > 0
      ? `the ${wants.map(({ name }) => name).join(" and ")} of the rows`
      : "the rows";
  const order = orders
    .map(({ column, descending }) => `${column.name} ${descending ? "descending" : "ascending"}`)
    .join(", then ");
  const says = `list ${rank === null ? "" : `row ${rank} of `}${limit === null ? "" : `the ${limit.from === "end" ? "last" : "first"} ${limit.count} of `}${shownWhat}${whereAll(b)}${order === "" ? "" : `, sorted by ${order}`}${drops.length > 0 ? ` without ${drops.map(({ name }) => name).join(" and ")}` : ""}`;
  const asksOne =
    ask === "what" ||
    ask === "howmuch" ||
    ask === "how" ||
    ask === "when" ||
    ask === "where" ||
    ask === "who" ||
    ask === "howmany";
  if (asksOne && wants.length === 1 && result.rows.length === 1 && result.columns.length === 1)
    return done(b, { kind: "value" }, operations, says, kept);
  const isOpen =
    filters.length === 0 && b.inherited.length === 0 && rows === 0 && result.rows.length > 1;
  if (isOpen && (ask === "when" || ask === "where" || ask === "how" || ask === "howmuch")) {
    return { ok: false, reason: "it is not clear of which row it is asked" };
  }
  const { key } = b.evaluator.facts;
  const asked = wants.filter((column) => column !== key);
  const expectsOne = asksOne && asked.length === 1 && !b.frame.plural && filters.length > 0;
  if (
    expectsOne &&
    result.rows.length > 1 &&
    new Set(result.rows.map((row) => JSON.stringify(row))).size > 1
  ) {
    return { ok: false, reason: "several rows answer a question for one value" };
  }
  if ((ask === "howmuch" || ask === "how") && result.rows.length !== 1 && filters.length > 0) {
    return { ok: false, reason: "several rows answer a question for one value" };
  }
  return done(b, { kind: result.columns.length === 1 ? "list" : "table" }, operations, says, kept);
}
