import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, isQuantity } from "../laws/laws.ts";
import { figuresIn } from "./compile-groups.ts";
import { keptRows, keptSays, shownRows } from "./compile-rows.ts";
import {
  aggregate,
  type Builder,
  type Compilation,
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
  return [
    {
      shape: { kind: "figures", operator: "percent", second, labels },
      operations: [...b.rows, COUNT],
      rows: b.rows,
      says,
    },
  ];
}

/** Compiles the span of a column: its lowest and highest value, or their difference. */
export function differenceOf(b: Builder): Compilation {
  const { figures, wants, ask } = b.frame;
  const of = figures[0]?.column ?? wants[0];
  const isPair = figures.length === 2 && figures.every(({ column }) => column === of);
  const isClear = wants.length + (isPair ? 1 : figures.length) === 1 && (isPair || ask === "range");
  if (of?.kind !== "number" || !isClear) return "it is not clear between what the difference is";
  const { name } = of;
  const [most, least] = [aggregate("max", name), aggregate("min", name)];
  if (ask === "range") {
    const both: DataOperation = {
      op: "aggregate",
      by: [],
      aggregates: (["min", "max"] as const).map((fn) => ({ fn, column: name })),
    };
    return [reading(b, "table", [both], `find the lowest and the highest ${name}${b.where}`)];
  }
  return [
    {
      shape: {
        kind: "figures",
        operator: "difference",
        second: [...b.rows, least],
        labels: [`highest ${name}`, `lowest ${name}`],
      },
      operations: [...b.rows, most],
      rows: b.rows,
      says: `subtract the lowest ${name} from the highest${b.where}`,
    },
  ];
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
  const { key, rows } = b.facts;
  const says = `check whether there are rows${b.where}`;
  const exists = [reading(b, "exists", [], says)];
  if (ask !== "yesno" || (filters.length === 1 && (asksPage || rows.length === 1))) return exists;
  const isName = ({ columns, tests }: Filter) => columns[0] === key && tests[0]?.test === "eq";
  const naming = filters.some(isName) ? filters.filter(isName) : filters.slice(0, -1);
  const saying = filters.filter((filter) => !naming.includes(filter));
  if (naming.length === 0 || saying.length === 0) return "it is not clear of which row it is asked";
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
  if (orders.length > 0 && limit === null) return "a figure has no order";
  if (extreme?.figure) return "two figures are asked for at once";
  const names = found.map(({ fn, column }) =>
    column === undefined ? "number of rows" : `${fn} of ${column}`,
  );
  const says = `compute the ${names.join(" and the ")}${b.where}${keptSays(b)}`;
  const figures: DataOperation = { op: "aggregate", by: [], aggregates: found };
  return [reading(b, found.length === 1 ? "value" : "table", [...keptRows(b), figures], says)];
}

/** Compiles a number of rows or of different values. */
export function countOf(b: Builder): Compilation {
  const { wants, ask, rows, filters, inherits, distinct, together } = b.frame;
  const { key } = b.facts;
  const [column, second] = wants;
  const counted = reading(b, "count", [], `count the rows${b.where}`);
  if (second !== undefined) return "it is not clear what is counted";
  if (column === undefined) {
    const isNamed = rows + filters.length > 0 || inherits || ask === "count";
    return isNamed && !distinct ? [counted] : "it is not clear what is counted";
  }
  if (isQuantity(column) && !distinct) {
    if (ask === "count") return `it is not clear whether ${column.name} is counted or added`;
    const matching = b.run(b.rows)?.rows.length ?? 0;
    if (matching === 1) return lookedUp(b, column.name);
    if (!isAdditive(column) && !together)
      return `the ${column.name} of several rows cannot be added`;
    return sumOf(b, column.name);
  }
  if (column === key && column.unique) return [counted];
  const different: DataOperation[] = [
    { op: "filter", column: column.name, test: "not_empty" },
    { op: "distinct", columns: [column.name] },
  ];
  const values = reading(
    b,
    "count",
    different,
    `count the different values of ${column.name}${b.where}`,
  );
  return distinct || column !== key ? [values] : [values, counted];
}

function sumOf(b: Builder, column: string): Compilation {
  return [reading(b, "value", [aggregate("sum", column)], `add up the ${column}${b.where}`)];
}

function lookedUp(b: Builder, column: string): Compilation {
  return [
    reading(b, "value", [{ op: "select", columns: [column] }], `look up the ${column}${b.where}`),
  ];
}

/** "how much": the value of one row, or the sum of all if it says so. */
export function amountOf(b: Builder): Compilation {
  const { wants, together, filters, rows } = b.frame;
  const [column, second] = wants;
  const matching = b.run(b.rows)?.rows.length ?? 0;
  if (column === undefined || second !== undefined) return "it is not clear how much of what";
  if (matching === 1 || (!isAdditive(column) && !together)) return shownRows(b);
  if (!together && filters.length + rows === 0) return "it is not clear of which rows";
  return sumOf(b, column.name);
}
