import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, isQuantity } from "../laws/laws.ts";
import {
  type Builder,
  type Compilation,
  done,
  filtersOf,
  type Names,
  ordersOf,
  tiesOf,
  whereAll,
} from "./compiled.ts";
import type { Frame } from "./frame.ts";
import { TEST_WORDS } from "./say.ts";
import type { Column } from "./table.ts";

/** Compiles the most or the least common value of a column. */
export function mostCommon(b: Builder): Compilation {
  const { wants, common, limit } = b.frame;
  const [column, second] = wants;
  if (column === undefined || second !== undefined)
    return { ok: false, reason: "it is not clear what is most common" };
  const grouped: DataOperation[] = [
    ...filtersOf(b),
    { op: "aggregate", by: [column.name], aggregates: [{ fn: "count" }] },
  ];
  return orderedGroups(
    b,
    grouped,
    "count",
    common === "up",
    limit?.count ?? null,
    `find the ${common === "up" ? "most" : "least"} common ${column.name}${whereAll(b)}`,
  );
}

/** Sorts groups by a figure and keeps the first, with its ties. */
export function orderedGroups(
  b: Builder,
  grouped: DataOperation[],
  by: string,
  descending: boolean,
  count: number | null,
  says: string,
): Compilation {
  const sorted: DataOperation[] = [
    ...grouped,
    { op: "sort", by, direction: descending ? "desc" : "asc" },
  ];
  if (count === Number.MAX_SAFE_INTEGER) return done(b, { kind: "table" }, sorted, says);
  const kept = count ?? tiesOf(b, sorted, by);
  if (kept === null) return { ok: false, reason: `${by} has no values` };
  return done(b, { kind: "table" }, [...sorted, { op: "limit", count: kept, from: "start" }], says);
}

/** Returns the figures that are asked for, or why they are unclear. */
export function aggregatesOf(
  b: Builder,
): { fn: Frame["figures"][number]["fn"]; column?: string }[] | string {
  const { figures, ask, wants } = b.frame;
  const list: { fn: Frame["figures"][number]["fn"]; column?: string }[] = [];
  if (ask === "count" || (ask === "howmany" && wants.length === 0)) list.push({ fn: "count" });
  if (ask === "howmany") {
    for (const column of wants) {
      if (column.kind !== "number") return "it is not clear what is counted";
      list.push({ fn: "sum", column: column.name });
    }
  }
  for (const { fn, column } of figures) {
    // No figure of a column that no word names.
    // No word names the column: the rows' only number, if there is a noun for the rows.
    const of = column ?? (b.frame.rows > 0 ? onlyNumber(b) : null);
    if (of === null) return `it is not clear of which column the ${fn} is`;
    if (fn !== "count" && !isQuantity(of) && (fn === "sum" || fn === "average")) {
      return `${of.name} is no quantity`;
    }
    list.push({ fn, column: of.name });
  }
  return list;
}

function onlyNumber(b: Builder): Column | null {
  const numeric = b.evaluator.facts.columns.filter(
    (column) => isAdditive(column) && column.kind === "number",
  );
  return numeric.length === 1 ? (numeric[0] ?? null) : null;
}

/** Compiles figures of groups, or the best row of each. */
export function groupedRows(b: Builder, group: Names): Compilation {
  // "honey per frame" divides; it does not group.
  if (group.some((column) => isAdditive(column)))
    return { ok: false, reason: "a quotient of two columns is not computed" };
  const { extreme, wants, figures, limit, orders, ask } = b.frame;
  const by = group.map(({ name }) => name);
  // Figures that happen to differ name no rows: "price per star" is a quotient.
  const unique = group.every((column) => column.unique && column.kind !== "number");
  const aggregates = aggregatesOf(b);
  if (typeof aggregates === "string") return { ok: false, reason: aggregates };
  const label = by.join(" and ");
  if (aggregates.length === 0 && extreme?.column && ask !== "howmany") {
    if (wants.some((column) => !group.includes(column)) && wants.length > 1)
      return { ok: false, reason: "it is not clear what each group has" };
    const best: DataOperation[] = [
      ...filtersOf(b),
      { op: "filter", column: extreme.column.name, test: "not_empty" },
      { op: "sort", by: extreme.column.name, direction: extreme.descending ? "desc" : "asc" },
      { op: "distinct", columns: by },
    ];
    return done(
      b,
      { kind: "table" },
      best,
      `find the row with the ${extreme.descending ? "highest" : "lowest"} ${extreme.column.name} for each ${label}${whereAll(b)}`,
    );
  }
  if (aggregates.length === 0) {
    if (limit !== null || extreme !== null)
      return { ok: false, reason: "it is not clear which rows are kept" };
    if (b.frame.grouping && wants.length === 0 && orders.length === 0) {
      const sorted: DataOperation[] = [
        ...filtersOf(b),
        { op: "sort", by: by[0] ?? "", direction: "asc" },
      ];
      return done(b, { kind: "table" }, sorted, `list the rows grouped by ${label}${whereAll(b)}`);
    }
    const [summed, other] = wants;
    if (
      !unique &&
      summed !== undefined &&
      other === undefined &&
      isAdditive(summed) &&
      orders.length === 0
    ) {
      const sums: DataOperation[] = [
        ...filtersOf(b),
        { op: "aggregate", by, aggregates: [{ fn: "sum", column: summed.name }] },
      ];
      return done(
        b,
        { kind: "table" },
        sums,
        `add up the ${summed.name} for each ${label}${whereAll(b)}`,
      );
    }
    if (group.some(({ kind }) => kind === "number"))
      return { ok: false, reason: "a quotient of two columns is not computed" };
    if (!unique || wants.length === 0)
      return { ok: false, reason: `it is not clear what is wanted for each ${label}` };
    const columns = [...by, ...wants.map(({ name }) => name)];
    return done(
      b,
      { kind: "table" },
      [...filtersOf(b), ...ordersOf(b), { op: "select", columns }],
      `list ${columns.join(" and ")}${whereAll(b)}`,
    );
  }
  if (ask !== "howmany" && wants.some((column) => !group.includes(column))) {
    return {
      ok: false,
      reason: `it is not clear what is wanted of ${wants.map(({ name }) => name).join(", ")}`,
    };
  }
  const grouped: DataOperation[] = [...filtersOf(b), { op: "aggregate", by, aggregates }];
  const names = aggregates.map(({ fn, column }) =>
    column === undefined ? fn : `${fn} of ${column}`,
  );
  const says = `compute ${names.map((name) => (name === "count" ? "the number of rows" : `the ${name}`)).join(" and ")} for each ${label}${whereAll(b)}`;
  if (extreme !== null) {
    const figure =
      extreme.column === null
        ? names.at(-1)
        : names.find((name) => name.endsWith(` of ${extreme.column?.name}`));
    if (figure === undefined || (extreme.column === null && names.length > 1))
      return { ok: false, reason: "it is not clear by which figure the groups are ordered" };
    const count = limit?.count ?? null;
    return orderedGroups(
      b,
      grouped,
      figure,
      extreme.descending,
      count,
      `${says}, ${extreme.descending ? "highest" : "lowest"} first`,
    );
  }
  if (limit !== null) return { ok: false, reason: "it is not clear which groups are kept" };
  const sorts: DataOperation[] = [];
  for (const { column, descending } of orders) {
    const figure = by.includes(column.name)
      ? column.name
      : names.find((name) => name.endsWith(` of ${column.name}`));
    if (figure === undefined)
      return { ok: false, reason: `groups cannot be sorted by ${column.name}` };
    sorts.push({ op: "sort", by: figure, direction: descending ? "desc" : "asc" });
  }
  void figures;
  return done(b, { kind: "table" }, [...grouped, ...sorts.toReversed()], says);
}

/** "the category with the highest average price". */
export function extremeGroup(b: Builder): Compilation {
  const { extreme, wants, limit } = b.frame;
  const aggregates = aggregatesOf(b);
  if (typeof aggregates === "string") return { ok: false, reason: aggregates };
  const [column, second] = wants;
  const [figure, other] = aggregates;
  if (
    column === undefined ||
    second !== undefined ||
    figure === undefined ||
    other !== undefined ||
    extreme === null
  ) {
    return { ok: false, reason: "it is not clear what has the highest figure" };
  }
  const grouped: DataOperation[] = [
    ...filtersOf(b),
    { op: "aggregate", by: [column.name], aggregates },
  ];
  const name = figure.column === undefined ? figure.fn : `${figure.fn} of ${figure.column}`;
  return orderedGroups(
    b,
    grouped,
    name,
    extreme.descending,
    limit?.count ?? null,
    `find the ${column.name} with the ${extreme.descending ? "highest" : "lowest"} ${name}${whereAll(b)}`,
  );
}

/** "the department with the most employees". */
export function fullestGroup(b: Builder): Compilation {
  const { extreme, wants, limit, rows } = b.frame;
  const [column, second] = wants;
  // "which club has drawn the fewest matches": of the column that the verb names, not of how many rows.
  if (column?.kind === "number")
    return { ok: false, reason: "it is not clear by what the rows are compared" };
  if (
    extreme === null ||
    column === undefined ||
    second !== undefined ||
    rows === 0 ||
    extreme.alone
  ) {
    return { ok: false, reason: "it is not clear by what the rows are compared" };
  }
  const grouped: DataOperation[] = [
    ...filtersOf(b),
    { op: "aggregate", by: [column.name], aggregates: [{ fn: "count" }] },
  ];
  return orderedGroups(
    b,
    grouped,
    "count",
    extreme.descending,
    limit?.count ?? null,
    `find the ${column.name} with the ${extreme.descending ? "most" : "fewest"} rows${whereAll(b)}`,
  );
}

/** "more than 3 employees", "the total is over 1500": a condition on a figure. */
export function havingFigure(
  b: Builder,
  { test, value }: NonNullable<Frame["having"]>,
): Compilation {
  const { wants, figures, ask, rows, limit, orders } = b.frame;
  const [column, second] = wants;
  const aggregates = aggregatesOf(b);
  if (typeof aggregates === "string") return { ok: false, reason: aggregates };
  const [figure, other] = aggregates.length === 0 ? [{ fn: "count" as const }] : aggregates;
  const isClear =
    figure !== undefined &&
    other === undefined &&
    second === undefined &&
    limit === null &&
    orders.length === 0;
  if (!isClear || ask === "howmany" || ask === "count" || (figures.length === 0 && rows === 0))
    return { ok: false, reason: "it is not clear what the number is of" };
  const name =
    "column" in figure && figure.column !== undefined
      ? `${figure.fn} of ${figure.column}`
      : figure.fn;
  const operations: DataOperation[] = [
    ...filtersOf(b),
    { op: "aggregate", by: column === undefined ? [] : [column.name], aggregates: [figure] },
    { op: "filter", column: name, test, value },
  ];
  const about = column === undefined ? "check whether" : `list each ${column.name} of which`;
  const says = `${about} the ${name === "count" ? "number of rows" : name}${whereAll(b)} ${TEST_WORDS[test]} ${value}`;
  return done(
    b,
    { kind: column === undefined && ask === "exists" ? "exists" : "table" },
    operations,
    says,
  );
}
