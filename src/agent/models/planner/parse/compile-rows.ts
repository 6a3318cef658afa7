import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, LABELS } from "../laws/laws.ts";
import { orderedGroups } from "./compile-groups.ts";
import {
  aggregate,
  type Builder,
  type Compilation,
  direction,
  extremity,
  namesOf,
  ordersOf,
  reading,
  tiesOf,
} from "./compiled.ts";
import type { Column } from "./facts.ts";
import type { Frame } from "./frame.ts";

/** The order and the limit of "the 3 cheapest". */
export function keptRows(b: Builder): DataOperation[] {
  const { extreme, limit } = b.frame;
  const limits: DataOperation[] = limit === null ? [] : [{ op: "limit", ...limit }];
  if (!extreme?.column) return [...ordersOf(b), ...limits];
  const { name, empty } = extreme.column;
  const sort: DataOperation = { op: "sort", by: name, direction: direction(extreme.descending) };
  const filled: DataOperation = { op: "filter", column: name, test: "not_empty" };
  const sorted = empty > 0 ? [filled, sort] : [sort];
  const count = limit?.count ?? tiesOf(b, sorted, name) ?? 1;
  return [...sorted, { op: "limit", count, from: "start" }];
}

/** Says which rows a figure is limited to. */
export function keptSays({ frame: { extreme, limit } }: Builder): string {
  if (extreme?.column) {
    return ` of the ${limit?.count ?? 1} with the ${extremity(extreme.descending)} ${extreme.column.name}`;
  }
  return limit === null ? "" : ` of the ${limit.from === "end" ? "last" : "first"} ${limit.count}`;
}

/** Compiles the rows with the highest or lowest value. */
export function extremeRowsOf(b: Builder): Compilation {
  const { extreme, ask, wants, limit } = b.frame;
  const { key } = b.facts;
  const column = extreme?.column;
  if (!extreme || !column) return "it is not clear which column compares the rows";
  const isCount = ask === "howmany" || ask === "count";
  if (isCount && (ask === "count" || wants.filter(({ kind }) => kind === "number").length !== 1)) {
    return "a count has no highest row";
  }
  if (column.kind === "text") return `${column.name} has no order`;
  const { descending, word } = extreme;
  const end = extremity(descending);
  const isOne = wants.length === 0 && limit === null;
  if (extreme.figure && isOne && ask !== "which" && ask !== "who") {
    const best = aggregate(descending ? "max" : "min", column.name);
    return [reading(b, "value", [best], `find the ${end} ${column.name}${b.where}`)];
  }
  const which = limit === null ? "row" : `${limit.count} rows`;
  const says = `find the ${which} with the ${end} ${column.name}${b.where}`;
  const kept = [...keptRows(b), ...ordersOf(b)];
  const own = reading(b, "table", [...kept, ...projection(b, [column])], says, [
    ...b.rows,
    ...kept,
  ]);
  const head = wants.find((wanted) => wanted.kind === "text" && !wanted.unique && wanted !== key);
  if (head === undefined || isCount || column.kind !== "number" || wants.length > 1) return [own];
  // "which team has the most points": of one row, or of all rows of the team. "The most" adds up where
  // it can; "the highest" may mean either; "the longest" is of one row.
  const sum = `sum of ${column.name}`;
  const saysSum = `find the ${head.name} with the ${end} ${sum}${b.where}`;
  const sums = orderedGroups(
    b,
    aggregate("sum", column.name, [head.name]),
    sum,
    descending,
    saysSum,
  );
  if (!isAdditive(column) || typeof sums === "string" || word === "adjective") return [own];
  return word === "most" ? [sums] : [own, sums];
}

const asksForRows = ({ ask }: Frame) => ask === "which" || ask === "who" || ask === "what";

/** The columns to show: what is wanted, with the name of the row and the columns that decide. */
function projection({ frame, facts }: Builder, deciding: readonly Column[]): DataOperation[] {
  const { wants, ask, rows, possessed, distinct, only, filters, tells } = frame;
  const { key } = facts;
  const select = (chosen: readonly Column[]): DataOperation => ({
    op: "select",
    columns: [...new Set(chosen.map(({ name }) => name))],
  });
  const [first, second] = wants;
  // "the tariffs": the rows that the key column names, with all that they have.
  const namesRows =
    first !== undefined && second === undefined && first === key && first.kind === "text";
  const isWhole = namesRows && !first.stems.some((stem) => LABELS.has(stem)) && !only && !distinct;
  if (isWhole && (ask === "show" || ask === null)) return [];
  if (wants.length > 0 && !(isWhole && asksForRows(frame))) {
    // "each novel with its borrower": of named rows, the name is shown too.
    const isOfRows = rows > 0 && !possessed && !only && !distinct && (wants.length < 2 || tells);
    const withKey = isOfRows && key !== null && !wants.includes(key);
    // "All regions" are the different ones, unless rows are named: "the region of each station".
    const isOwn = ask === "which" || (rows === 0 && wants.length === 1);
    const repeats = distinct || (isOwn && !withKey && wants.every(({ unique }) => !unique));
    return [
      select([...(withKey ? [key] : []), ...wants]),
      ...(repeats ? [{ op: "distinct" as const }] : []),
    ];
  }
  if (distinct) return [{ op: "distinct" }];
  if (!asksForRows(frame) || key?.unique !== true || key.kind !== "text") return [];
  return [select([key, ...deciding, ...filters.flatMap((filter) => filter.columns)])];
}

const ONE_VALUE = /^(?:what|howmuch|how|when|where|who|howmany)$/;

/** Compiles the rows to show, in their order and with their columns. */
export function shownRows(b: Builder): Compilation {
  const { ask, wants, limit, filters, orders, rows, inherits, distinct, dedupe, plural } = b.frame;
  const { key } = b.facts;
  if (ask === "how" && wants.length === 0) return "it is not clear how";
  const said = wants.length + filters.length + orders.length + rows;
  const isBare = said === 0 && !inherits && !distinct && !dedupe && limit === null;
  if (isBare && ask !== "show") return "nothing of the table is asked for";
  const operations = [
    ...ordersOf(b),
    ...(limit === null ? [] : [{ op: "limit" as const, ...limit }]),
    ...projection(b, []),
  ];
  const kept = [...b.rows, ...operations].filter(({ op }) => op !== "select" && op !== "distinct");
  const result = b.run([...b.rows, ...operations]);
  if (result === null) return "these columns cannot be compared";
  const what = wants.length > 0 ? `the ${namesOf(wants)} of the rows` : "the rows";
  const order = orders.map(
    ({ column, descending }) => `${column.name} ${descending ? "descending" : "ascending"}`,
  );
  const says = [
    "list ",
    limit === null ? "" : `the ${limit.from === "end" ? "last" : "first"} ${limit.count} of `,
    `${what}${b.where}`,
    order.length === 0 ? "" : `, sorted by ${order.join(", then ")}`,
    distinct ? ", without duplicates" : "",
  ].join("");
  const asksOne = ONE_VALUE.test(ask ?? "");
  const isOneCell = result.rows.length === 1 && result.columns.length === 1;
  if (asksOne && wants.length === 1 && isOneCell)
    return [reading(b, "value", operations, says, kept)];
  const asksFact = ask === "when" || ask === "where" || ask === "how" || ask === "howmuch";
  const isOpen =
    !b.facts.isRecord && filters.length === 0 && !inherits && rows === 0 && result.rows.length > 1;
  if (isOpen && asksFact) return "it is not clear of which row it is asked";
  const several = "several rows answer a question for one value";
  const differ = new Set(result.rows.map((row) => JSON.stringify(row))).size > 1;
  if (asksOne && wants.length > 0 && filters.length > 1 && result.rows.length === 0)
    return "no row is asked about";
  const asked = wants.filter((column) => column !== key);
  if (asksOne && asked.length === 1 && !plural && filters.length > 0 && differ) return several;
  const isOfRow = (ask === "howmuch" || ask === "how") && filters.length > 0;
  if (isOfRow && result.rows.length !== 1) return several;
  return [reading(b, result.columns.length === 1 ? "list" : "table", operations, says, kept)];
}
