import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, isQuantity, namesOneRow } from "../laws/laws.ts";
import { figuresIn } from "./compile-groups.ts";
import { keptRows, shownRows } from "./compile-rows.ts";
import {
  aggregate,
  type Builder,
  type Compilation,
  extremity,
  filterOf,
  reading,
  whereOf,
} from "./compiled.ts";
import type { Filter } from "./frame.ts";

const COUNT = aggregate("count", undefined);

/** Splits the filters into those that name the rows and those that state something about them. */
function splitFilters({ frame: { filters } }: Builder): [Filter[], Filter[]] {
  const said = filters.filter((filter) => filter.said);
  if (said.length > 0) return [filters.filter((filter) => !filter.said), said];
  return filters.length === 1 ? [[], filters] : [filters, []];
}

/** Returns the operations that name the rows, without the filters that state something about them. */
function namedRows(b: Builder, said: readonly Filter[]): DataOperation[] {
  const own = said.map((filter) => JSON.stringify(filterOf(filter)));
  return b.rows.filter((operation) => !own.includes(JSON.stringify(operation)));
}

/** Compiles the share of rows that meet a condition. */
export function percentage(b: Builder): Compilation {
  const [naming, saying] = splitFilters(b);
  if (saying.length === 0) return "it is not clear what the percentage is of";
  const labels: [string, string] = [`rows${b.where}`, `rows${whereOf(naming)}`];
  const second = [...namedRows(b, saying), COUNT];
  const says = `compute the percentage of ${labels[1]} that${whereOf(saying, " ")}`;
  const shape = { kind: "share", second, labels } as const;
  return [{ shape, operations: [...b.rows, COUNT], rows: b.rows, says }];
}

/** Compiles whether every row meets a condition. */
export function everyRow(b: Builder): Compilation {
  const [naming, saying] = splitFilters(b);
  if (saying.length === 0) return "it is not clear what every row must meet";
  const all = namedRows(b, saying);
  const says = `check whether every row${whereOf(naming)} has${whereOf(saying, " ")}`;
  return [{ shape: { kind: "every", all }, operations: b.rows, rows: b.rows, says }];
}

/** Compiles whether a row meets the conditions; of named rows, all or none must. */
export function existence(b: Builder): Compilation {
  const { ask, filters, asksPage } = b.frame;
  const exists = [reading(b, "exists", [], `check whether there are rows${b.where}`)];
  const isOfPage = filters.length === 1 && (asksPage || b.facts.rows.length === 1);
  if (ask !== "yesno" || isOfPage) return exists;
  const saying = filters.slice(-1);
  if (filters.length < 2) return "it is not clear of which row it is asked";
  const named = b.run(namedRows(b, saying))?.rows.length ?? 0;
  const meeting = b.run(b.rows)?.rows.length ?? 0;
  if (named === 0) return "no row has that name";
  return meeting === 0 || meeting === named ? exists : "it holds of some of the rows only";
}

/** Compiles figures of all rows. */
export function figuresOf(b: Builder): Compilation {
  const { wants, orders, limit, ask, extreme } = b.frame;
  const found = figuresIn(b);
  if (typeof found === "string") return found;
  if (wants.length > 0 && ask !== "howmany")
    return `it is not clear what is wanted of ${wants[0]?.name}`;
  if (extreme?.figure) return "two figures are asked for at once";
  if (orders.length > 0 && limit === null) return "a figure has no order";
  const names = found.map(({ fn, column }) =>
    column === undefined ? "number of rows" : `${fn} of ${column}`,
  );
  const end = limit?.from === "end" ? "last" : "first";
  const which = extreme?.column
    ? ` of the ${limit?.count ?? 1} with the ${extremity(extreme.descending)} ${extreme.column.name}`
    : limit === null
      ? ""
      : ` of the ${end} ${limit.count}`;
  const says = `compute the ${names.join(" and the ")}${b.where}${which}`;
  const figures: DataOperation = { op: "aggregate", by: [], aggregates: found };
  return [reading(b, found.length === 1 ? "value" : "table", [...keptRows(b), figures], says)];
}

/** Compiles a number of rows or of different values. */
export function countOf(b: Builder): Compilation {
  const { wants, ask, rows, filters, inherits, distinct, together } = b.frame;
  const [column, second] = wants;
  const counted = reading(b, "count", [], `count the rows${b.where}`);
  if (second !== undefined) return "it is not clear what is counted";
  if (column === undefined && namesOneRow({ filters: filters.filter(isOfKey(b)) }))
    return amountOfOne(b);
  if (column === undefined) {
    const isNamed = rows + filters.length > 0 || inherits || ask === "count";
    return isNamed && !distinct ? [counted] : "it is not clear what is counted";
  }
  if (isQuantity(column) && !distinct) {
    if (b.run(b.rows)?.rows.length === 1) {
      const select: DataOperation = { op: "select", columns: [column.name] };
      return [reading(b, "value", [select], `look up the ${column.name}${b.where}`)];
    }
    const adds = isAdditive(column) || together;
    return adds ? sumOf(b, column.name) : `the ${column.name} of several rows cannot be added`;
  }
  const different: DataOperation[] = [
    { op: "filter", column: column.name, test: "not_empty" },
    { op: "distinct", columns: [column.name] },
  ];
  const says = `count the different values of ${column.name}${b.where}`;
  const values = reading(b, "count", different, says);
  if (column !== b.facts.key || distinct) return [values];
  return column.unique ? [counted] : [values, counted];
}

const isOfKey =
  ({ facts: { key } }: Builder) =>
  ({ columns }: Filter) =>
    columns.some((column) => column === key);

/** "How many croissants are in stock": one row is not counted, but a column may say how many it has. */
function amountOfOne(b: Builder): Compilation {
  const others = b.frame.filters.filter((filter) => !isOfKey(b)(filter));
  const [amount, second] = others.flatMap(({ columns }) => columns).filter(isQuantity);
  if (amount === undefined || second !== undefined) return "a single row is not counted";
  const rows = namedRows(b, others);
  const says = `look up the ${amount.name}${whereOf(b.frame.filters.filter(isOfKey(b)))}`;
  const operations: DataOperation[] = [...rows, { op: "select", columns: [amount.name] }];
  return [{ shape: { kind: "value" }, operations, rows, says }];
}

function sumOf(b: Builder, column: string): Compilation {
  return [reading(b, "value", [aggregate("sum", column)], `add up the ${column}${b.where}`)];
}

/** "how much": the value of one row, or the sum of all if it says so. */
export function amountOf(b: Builder): Compilation {
  const { wants, together, filters, rows } = b.frame;
  const [column, second] = wants;
  if (column === undefined || second !== undefined) return "it is not clear how much of what";
  const isOne = b.run(b.rows)?.rows.length === 1;
  if (isOne || (!isAdditive(column) && !together)) return shownRows(b);
  if (!together && filters.length + rows === 0) return "it is not clear of which rows";
  return sumOf(b, column.name);
}
