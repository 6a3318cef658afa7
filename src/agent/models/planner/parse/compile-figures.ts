import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, isQuantity } from "../laws/laws.ts";
import { aggregatesOf } from "./compile-groups.ts";
import { extremeRows, extremeSays, shownRows } from "./compile-rows.ts";
import { type Builder, type Compilation, done, filtersOf, nothing, whereAll } from "./compiled.ts";
import type { Filter } from "./frame.ts";
import { countRows, filterOf, sayFilter, whereOf } from "./say.ts";

/** Compiles the share of rows that meet a condition. */
export function percentage(b: Builder): Compilation {
  const [restricting, saying] = splitFilters(b);
  if (saying.length === 0 || b.frame.wants.length > 0 || b.frame.figures.length > 0) {
    return { ok: false, reason: "it is not clear what the percentage is of" };
  }
  const all = [...b.inherited, ...restricting.map(filterOf)];
  const part = [...all, ...saying.map(filterOf), countRows()];
  const labels: [string, string] = [
    `rows${whereOf([...restricting, ...saying])}`,
    `rows${whereOf(restricting)}`,
  ];
  return done(
    b,
    { kind: "figures", operator: "percent", second: [...all, countRows()], labels },
    part,
    `compute the percentage of ${labels[1]} that ${saying.map(sayFilter).join(" and ")}`,
  );
}

/** The filters that name the rows, and those that are said of them. */
function splitFilters(b: Builder): [Filter[], Filter[]] {
  const { filters } = b.frame;
  const said = filters.filter((filter) => filter.said);
  if (said.length > 0) return [filters.filter((filter) => !filter.said), said];
  return filters.length === 1 ? [[], filters] : [filters, []];
}

/** Compiles the difference of two figures. */
export function differenceOf(b: Builder): Compilation {
  const { figures, wants, filters, extreme } = b.frame;
  const unclear: Compilation = {
    ok: false,
    reason: "it is not clear between what the difference is",
  };
  const [column, second] = wants;
  if (b.frame.ask === "range" || figures.length === 2) {
    const of =
      figures[0]?.column ?? (figures.length === 0 && second === undefined ? column : null) ?? null;
    if (of === null || of.kind !== "number" || extreme !== null) return unclear;
    if (figures.length > 0 && !figures.every((figure) => figure.column === of)) return unclear;
    const most: DataOperation[] = [
      ...filtersOf(b),
      { op: "aggregate", by: [], aggregates: [{ fn: "max", column: of.name }] },
    ];
    const least: DataOperation[] = [
      ...filtersOf(b),
      { op: "aggregate", by: [], aggregates: [{ fn: "min", column: of.name }] },
    ];
    if (b.frame.ask === "range") {
      const both: DataOperation[] = [
        ...filtersOf(b),
        {
          op: "aggregate",
          by: [],
          aggregates: [
            { fn: "min", column: of.name },
            { fn: "max", column: of.name },
          ],
        },
      ];
      return done(
        b,
        { kind: "table" },
        both,
        `find the lowest and the highest ${of.name}${whereAll(b)}`,
      );
    }
    return done(
      b,
      {
        kind: "figures",
        operator: "difference",
        second: least,
        labels: [`highest ${of.name}`, `lowest ${of.name}`],
      },
      most,
      `subtract the lowest ${of.name} from the highest${whereAll(b)}`,
    );
  }
  const [pair, ...others] = filters;
  if (
    column === undefined ||
    second !== undefined ||
    pair === undefined ||
    pair.tests.length !== 2 ||
    column.kind !== "number"
  )
    return unclear;
  const sides = pair.tests.map((test): DataOperation[] => [
    ...b.inherited,
    ...others.map(filterOf),
    { op: "filter", ...test },
    { op: "select", columns: [column.name] },
  ]);
  const values = sides.map((side) => b.evaluator.run(side)?.rows ?? []);
  const [first, other] = sides;
  if (first === undefined || other === undefined || values.some((rows) => rows.length !== 1))
    return unclear;
  const names = pair.tests.map(({ value }) => `${column.name} of ${value}`);
  const labels: [string, string] = [names[0] ?? "", names[1] ?? ""];
  return done(
    b,
    { kind: "figures", operator: "difference", second: other, labels },
    first,
    `subtract the ${labels[1]} from the ${labels[0]}`,
  );
}

/** Compiles whether every row meets a condition. */
export function everyRow(b: Builder): Compilation {
  const [restricting, saying] = splitFilters(b);
  if (saying.length === 0)
    return { ok: false, reason: "it is not clear what is said of every row" };
  const all = [...b.inherited, ...restricting.map(filterOf)];
  return done(
    b,
    { kind: "every", all },
    [...all, ...saying.map(filterOf)],
    `check whether every row${whereOf(restricting)} has ${saying.map(sayFilter).join(" and ")}`,
  );
}

/** Compiles whether a row meets the conditions. */
export function existence(b: Builder): Compilation {
  const { ask, filters, wants, extreme, figures, limit } = b.frame;
  if (wants.length > 0 || extreme !== null || figures.length > 0 || limit !== null) {
    return { ok: false, reason: "a question for yes or no has more than a condition" };
  }
  if (ask === "yesno") {
    const key = b.evaluator.facts.key;
    const subject = filters.find(
      ({ columns, tests }) =>
        columns.length === 1 && columns[0] === key && tests.length === 1 && tests[0]?.test === "eq",
    );
    const [only, more] = filters;
    if (b.frame.asksPage && only !== undefined && more === undefined) {
      return done(
        b,
        { kind: "exists" },
        filtersOf(b),
        `check whether there are rows${whereAll(b)}`,
      );
    }
    if (b.evaluator.facts.rows.length === 1 && only !== undefined && more === undefined) {
      return done(
        b,
        { kind: "exists" },
        filtersOf(b),
        `check whether there are rows${whereAll(b)}`,
      );
    }
    if (subject === undefined || filters.length < 2) {
      return { ok: false, reason: "it is not clear of which row it is asked" };
    }
    const count = b.evaluator.run([filterOf(subject)])?.rows.length ?? 0;
    if (count !== 1) return { ok: false, reason: "several rows have that name" };
  }
  return done(b, { kind: "exists" }, filtersOf(b), `check whether there are rows${whereAll(b)}`);
}

/** Compiles figures of all rows. */
export function figuresOf(b: Builder): Compilation {
  const { wants, orders, limit, ask } = b.frame;
  const aggregates = aggregatesOf(b);
  if (typeof aggregates === "string") return { ok: false, reason: aggregates };
  if (wants.length > 0 && ask !== "howmany")
    return {
      ok: false,
      reason: `it is not clear what is wanted of ${wants.map(({ name }) => name).join(", ")}`,
    };
  if (orders.length > 0 && limit === null) return { ok: false, reason: "a figure has no order" };
  if (b.frame.extreme?.figure) return { ok: false, reason: "two figures are asked for at once" };
  const operations: DataOperation[] = [
    ...filtersOf(b),
    ...extremeRows(b),
    { op: "aggregate", by: [], aggregates },
  ];
  const names = aggregates.map(({ fn, column }) =>
    column === undefined ? "number of rows" : `${fn} of ${column}`,
  );
  const top = extremeSays(b);
  return done(
    b,
    { kind: aggregates.length === 1 ? "value" : "table" },
    operations,
    `compute the ${names.join(" and the ")}${whereAll(b)}${top}`,
  );
}

/** Compiles a number of rows or of different values. */
export function countOf(b: Builder): Compilation[] {
  const { wants, orders, limit, drops } = b.frame;
  if (orders.length > 0 || limit !== null || drops.length > 0)
    return nothing("a count has no order");
  const [column, second] = wants;
  if (second !== undefined) return nothing("it is not clear what is counted");
  if (column === undefined) {
    if (b.frame.distinct) return nothing("it is not clear what differs");
    if (
      b.frame.rows === 0 &&
      b.frame.filters.length === 0 &&
      !b.frame.inherits &&
      b.frame.ask !== "count"
    )
      return nothing("it is not clear what is counted");
    return [done(b, { kind: "count" }, filtersOf(b), `count the rows${whereAll(b)}`)];
  }
  const isFigure = isQuantity(column);
  if (isFigure && !b.frame.distinct) {
    if (b.frame.ask === "count")
      return nothing(`it is not clear whether ${column.name} is counted or added`);
    const matching = b.evaluator.run(filtersOf(b))?.rows.length ?? 0;
    if (!isAdditive(column) && matching !== 1 && !b.frame.together)
      return nothing(`the ${column.name} of several rows cannot be added`);
    if (matching === 1)
      return [
        done(
          b,
          { kind: "value" },
          [...filtersOf(b), { op: "select", columns: [column.name] }],
          `look up the ${column.name}${whereAll(b)}`,
        ),
      ];
    return [
      done(
        b,
        { kind: "value" },
        [
          ...filtersOf(b),
          { op: "aggregate", by: [], aggregates: [{ fn: "sum", column: column.name }] },
        ],
        `add up the ${column.name}${whereAll(b)}`,
      ),
    ];
  }
  const counted = done(b, { kind: "count" }, filtersOf(b), `count the rows${whereAll(b)}`);
  if (column === b.evaluator.facts.key && column.unique) return [counted];
  const filled: DataOperation = { op: "filter", column: column.name, test: "not_empty" };
  const distinct = done(
    b,
    { kind: "count" },
    [...filtersOf(b), filled, { op: "distinct", columns: [column.name] }],
    `count the different values of ${column.name}${whereAll(b)}`,
  );
  if (b.frame.distinct || column !== b.evaluator.facts.key) return [distinct];
  return [distinct, done(b, { kind: "count" }, filtersOf(b), `count the rows${whereAll(b)}`)];
}

/** "how much": the value of one row, or the sum of all if it says so. */
export function amountOf(b: Builder): Compilation[] {
  const { wants, together, limit, orders } = b.frame;
  const [column, second] = wants;
  const matching = b.evaluator.run(filtersOf(b))?.rows.length ?? 0;
  if (column === undefined || second !== undefined || limit !== null || orders.length > 0)
    return nothing("it is not clear how much of what");
  if (matching === 1 || (!isAdditive(column) && !together)) return [shownRows(b)];
  if (!together && b.frame.filters.length === 0 && b.frame.rows === 0)
    return nothing("it is not clear of which rows");
  return [
    done(
      b,
      { kind: "value" },
      [
        ...filtersOf(b),
        { op: "aggregate", by: [], aggregates: [{ fn: "sum", column: column.name }] },
      ],
      `add up the ${column.name}${whereAll(b)}`,
    ),
  ];
}
