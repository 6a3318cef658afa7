import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, LABELS } from "../laws/laws.ts";
import { orderedGroups } from "./compile-groups.ts";
import {
  aggregate,
  type Builder,
  type Compilation,
  extremity,
  namesOf,
  ordersOf,
  reading,
  sorting,
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
  const filled: DataOperation = { op: "filter", column: name, test: "not_empty" };
  const sorted = [...(empty > 0 ? [filled] : []), sorting(name, extreme.descending)];
  const count = limit?.count ?? tiesOf(b, sorted, name) ?? 1;
  return [...sorted, { op: "limit", count, from: "start" }];
}

/** Compiles the rows with the highest or lowest value. */
export function extremeRowsOf(b: Builder): Compilation {
  const { extreme, ask, wants, limit } = b.frame;
  const column = extreme?.column;
  if (!extreme || !column) return "it is not clear which column compares the rows";
  const isCount = ask === "howmany" || ask === "count";
  if (isCount && wants.filter(({ kind }) => kind === "number").length !== 1)
    return "a count has no highest row";
  if (column.kind === "text") return `${column.name} has no order`;
  const { descending, word } = extreme;
  const end = extremity(descending);
  const which = limit === null ? "row" : `${limit.count} rows`;
  const says = `find the ${which} with the ${end} ${column.name}${b.where}`;
  const kept = [...keptRows(b), ...ordersOf(b)];
  const all = [...b.rows, ...kept];
  const own = reading(b, "table", [...kept, ...projection(b, [column])], says, all);
  const head = wants.find(({ kind, unique }) => kind === "text" && !unique);
  const isOfRow = head === undefined || head === b.facts.key || wants.length > 1;
  // "which team has the most points": of one row, or of all rows of the team. "The most" adds up where
  // it can; "the highest" may mean either; "the longest" is of one row.
  if (isOfRow || isCount || word === "adjective" || !isAdditive(column)) return [own];
  const sum = `sum of ${column.name}`;
  const saysSum = `find the ${head.name} with the ${end} ${sum}${b.where}`;
  const grouped = aggregate("sum", column.name, [head.name]);
  const sums = orderedGroups(b, grouped, sum, descending, saysSum);
  if (typeof sums === "string") return [own];
  return word === "most" ? sums : [own, ...sums];
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
  const namesRows = first !== undefined && second === undefined && first === key;
  const isWhole =
    namesRows && first.kind === "text" && !first.stems.some((stem) => LABELS.has(stem)) && !only;
  if (isWhole && !distinct && (ask === "show" || ask === null)) return [];
  if (wants.length > 0 && !(isWhole && asksForRows(frame))) {
    // "each novel with its borrower": of named rows, the name is shown too.
    const isNamed = (rows > 0 && !possessed) || (rows === 0 && tells && filters.length > 0);
    const isOfRows = isNamed && !only && !distinct && (wants.length < 2 || tells);
    const named = isOfRows && key !== null && !wants.includes(key) ? [key] : [];
    // "All regions" are the different ones, unless rows are named: "the region of each station".
    const isOwn = ask === "which" || (rows === 0 && wants.length === 1);
    const repeats = isOwn && named.length === 0 && wants.every(({ unique }) => !unique);
    const different: DataOperation[] = distinct || repeats ? [{ op: "distinct" }] : [];
    return [select([...named, ...wants]), ...different];
  }
  if (distinct) return [{ op: "distinct" }];
  if (!asksForRows(frame) || key?.unique !== true || key.kind !== "text") return [];
  const shown = [key, ...deciding, ...filters.flatMap((filter) => filter.columns)];
  // What the question itself says is no answer to it.
  const fixed = filters.flatMap(({ tests: [only], columns }) =>
    only?.test === "eq" ? columns : [],
  );
  return shown.every((column) => fixed.includes(column)) ? [] : [select(shown)];
}

const ONE_VALUE = /^(?:what|howmuch|how|when|where|who|howmany)$/;
const ONE_FACT = /^(?:when|where|how|howmuch)$/;

/** Compiles the rows to show, in their order and with their columns. */
export function shownRows(b: Builder): Compilation {
  const { ask, wants, limit, filters, orders, rows, inherits, distinct, dedupe, plural } = b.frame;
  const { key, isRecord } = b.facts;
  if (ask === "how" && wants.length === 0) return "it is not clear how";
  const said = wants.length + filters.length + orders.length + rows;
  const isBare = said === 0 && !inherits && !distinct && !dedupe && limit === null;
  if (isBare && ask !== "show") return "nothing of the table is asked for";
  const operations = [...keptRows(b), ...projection(b, [])];
  const kept = [...b.rows, ...operations].filter(({ op }) => op !== "select" && op !== "distinct");
  const result = b.run([...b.rows, ...operations]);
  if (result === null) return "these columns cannot be compared";
  const order = orders.map(
    ({ column, descending }) => `${column.name} ${descending ? "descending" : "ascending"}`,
  );
  const says = [
    "list ",
    limit === null ? "" : `the ${limit.from === "end" ? "last" : "first"} ${limit.count} of `,
    wants.length > 0 ? `the ${namesOf(wants)} of the rows` : "the rows",
    b.where,
    order.length === 0 ? "" : `, sorted by ${order.join(", then ")}`,
    distinct ? ", without duplicates" : "",
  ].join("");
  const count = result.rows.length;
  const asksOne = ONE_VALUE.test(ask ?? "");
  if (asksOne && wants.length === 1 && count === 1 && result.columns.length === 1)
    return [reading(b, "value", operations, says, kept)];
  const isOpen = !isRecord && filters.length + rows === 0 && !inherits && count > 1;
  const asksFact = ONE_FACT.test(ask ?? "");
  if (isOpen && asksFact) return "it is not clear of which row it is asked";
  if (asksOne && wants.length > 0 && filters.length > 1 && count === 0)
    return "no row is asked about";
  const isOfOne = wants.filter((column) => column !== key).length === 1 && !plural;
  const differ = new Set(result.rows.map((row) => JSON.stringify(row))).size > 1;
  const isOfRow = (ask === "howmuch" || ask === "how") && count !== 1;
  if (filters.length > 0 && (isOfRow || (asksOne && isOfOne && differ)))
    return "several rows answer a question for one value";
  return [reading(b, result.columns.length === 1 ? "list" : "table", operations, says, kept)];
}
