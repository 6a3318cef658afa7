import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { isAdditive, isQuantity } from "../laws/laws.ts";
import {
  aggregate,
  type Builder,
  type Compilation,
  extremity,
  ordersOf,
  reading,
  sorting,
  tiesOf,
} from "./compiled.ts";
import { type Frame, WHOLE } from "./frame.ts";

type Figure = { fn: Frame["figures"][number]["fn"]; column?: string };

const nameOf = ({ fn, column }: Figure) => (column === undefined ? fn : `${fn} of ${column}`);

/** Returns the figures that are asked for, or why they are unclear. */
export function figuresIn({ frame, facts }: Builder): Figure[] | string {
  const { figures, ask, wants, rows } = frame;
  const isSum = ask === "howmany" && wants.length > 0;
  if (isSum && wants.some(({ kind }) => kind !== "number"))
    return "it is not clear what is counted";
  const list: Figure[] = isSum
    ? wants.map(({ name }) => ({ fn: "sum", column: name }))
    : ask === "count" || ask === "howmany"
      ? [{ fn: "count" }]
      : [];
  for (const { fn, column } of figures) {
    // No word names the column: the rows' only number, if there is a noun for the rows.
    const mayGuess = rows > 0 || facts.columns.length === 2;
    const [guess, other] = mayGuess ? facts.columns.filter(isAdditive) : [];
    const of = column ?? (other === undefined ? guess : undefined);
    if (of === undefined) return `it is not clear of which column the ${fn} is`;
    if (!(isQuantity(of) || (fn === "average" && of.isYear)) && (fn === "sum" || fn === "average"))
      return `${of.name} is not a quantity`;
    list.push({ fn, column: of.name });
  }
  return list;
}

/** Sorts groups by a figure and keeps the first, with its ties. */
export function orderedGroups(
  b: Builder,
  grouped: DataOperation,
  by: string,
  descending: boolean,
  says: string,
): Compilation {
  const sorted = [grouped, sorting(by, descending)];
  if (b.frame.limit === WHOLE) return [reading(b, "table", sorted, says)];
  const count = b.frame.limit?.count ?? tiesOf(b, sorted, by);
  if (count === null) return `${by} has no values`;
  return [reading(b, "table", [...sorted, { op: "limit", count, from: "start" }], says)];
}

/** "The department with the most employees", "the category with the highest average price". */
export function fullestGroup(b: Builder): Compilation {
  const { extreme, wants, rows, figures } = b.frame;
  const [column, second] = wants;
  const found = figuresIn(b);
  if (typeof found === "string") return found;
  const [figure, other] = figures.length > 0 ? found : [{ fn: "count" as const }];
  // "which club has drawn the fewest matches": of the column that the verb names, not of how many rows.
  const isNamed = column !== undefined && second === undefined && column.kind !== "number";
  const isCounted = figures.length > 0 || (rows > 0 && extreme?.alone === false);
  if (!isNamed || !isCounted || extreme === null || figure === undefined || other !== undefined)
    return "it is not clear which column compares the rows";
  const { descending } = extreme;
  const name = nameOf(figure);
  const end =
    figures.length > 0
      ? `${extremity(descending)} ${name}`
      : `${descending ? "most" : "fewest"} rows`;
  const says = `find the ${column.name} with the ${end}${b.where}`;
  const grouped: DataOperation = { op: "aggregate", by: [column.name], aggregates: [figure] };
  return orderedGroups(b, grouped, name, descending, says);
}

/** Compiles figures of groups, or the best row of each. */
export function groupedRows(b: Builder): Compilation {
  const { group, extreme, wants, limit, orders, ask } = b.frame;
  const by = group.map(({ name }) => name);
  // "honey per frame" divides; it does not group.
  if (group.some(isAdditive)) return "a quotient of two columns is not computed";
  const found = figuresIn(b);
  if (typeof found === "string") return found;
  const others = wants.filter((column) => !group.includes(column));
  if (found.length === 0) return groupsOfRows(b, others, by);
  if (group.every(({ unique }) => unique)) return "a figure of a single row says nothing";
  if (ask !== "howmany" && others.length > 0)
    return `it is not clear what is wanted of ${others[0]?.name}`;
  const names = found.map(nameOf);
  const figures = names.map((name) => (name === "count" ? "the number of rows" : `the ${name}`));
  const says = `compute ${figures.join(" and ")} for each ${by.join(" and ")}${b.where}`;
  const grouped: DataOperation = { op: "aggregate", by, aggregates: found };
  const isOf = (name: string, column: string) => name === column || name.endsWith(` of ${column}`);
  if (extreme !== null) {
    const own = names.filter((name) => !extreme.column || isOf(name, extreme.column.name));
    const [figure, second] = own;
    if (figure === undefined || second !== undefined)
      return "it is not clear which figure orders the groups";
    const { descending } = extreme;
    return orderedGroups(b, grouped, figure, descending, `${says}, ${extremity(descending)} first`);
  }
  if (limit !== null) return "it is not clear which groups are kept";
  const sorts: DataOperation[] = [];
  for (const { column, descending } of orders) {
    const figure = [...by, ...names].find((name) => isOf(name, column.name));
    if (figure === undefined) return `groups cannot be sorted by ${column.name}`;
    sorts.unshift(sorting(figure, descending));
  }
  return [reading(b, "table", [grouped, ...sorts], says)];
}

/** Groups without a figure: the best row of each, the sum of a column, or the rows one after another. */
function groupsOfRows(b: Builder, wants: Frame["wants"], by: string[]): Compilation {
  const { extreme, limit, orders, group, grouping } = b.frame;
  const label = by.join(" and ");
  const [summed, other] = wants;
  if (extreme?.column) {
    if (other !== undefined || limit !== null) return "it is not clear what each group has";
    const { column, descending } = extreme;
    const best: DataOperation[] = [
      { op: "filter", column: column.name, test: "not_empty" },
      sorting(column.name, descending),
      { op: "distinct", columns: by },
    ];
    const says = `find the row with the ${extremity(descending)} ${column.name} for each ${label}${b.where}`;
    return [reading(b, "table", best, says)];
  }
  if ((limit !== null || extreme !== null) && limit !== WHOLE)
    return "it is not clear which rows are kept";
  if (grouping && wants.length === 0 && orders.length === 0) {
    const says = `list the rows grouped by ${label}${b.where}`;
    return [reading(b, "table", [sorting(by[0] ?? "", false)], says)];
  }
  // Figures that happen to differ name no rows: "price per star" is a quotient.
  const isUnique = group.every((column) => column.unique && column.kind !== "number");
  if (isUnique && summed !== undefined) {
    const columns = [...by, ...wants.map(({ name }) => name)];
    const says = `list ${columns.join(" and ")}${b.where}`;
    return [reading(b, "table", [...ordersOf(b), { op: "select", columns }], says)];
  }
  if (summed === undefined || other !== undefined || !isAdditive(summed))
    return `it is not clear what is wanted for each ${label}`;
  const sums = aggregate("sum", summed.name, by);
  const says = `add up the ${summed.name} for each ${label}${b.where}`;
  const order = orders[0] ?? extreme;
  if (order === null) return [reading(b, "table", [sums], says)];
  const sort = sorting(`sum of ${summed.name}`, order.descending);
  return [reading(b, "table", [sums, sort], `${says}, ${extremity(order.descending)} first`)];
}
