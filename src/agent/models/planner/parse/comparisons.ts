import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import type { Cursor } from "./cursor.ts";
import { type Item, isOp } from "./items.ts";
import {
  addFilter,
  columnsOfMeasure,
  compare,
  isTimeColumn,
  isYearColumn,
  measureAt,
} from "./predicates.ts";
import type { Column } from "./table.ts";

export type Of<T extends Item["type"]> = Extract<Item, { type: T }>;

/** Returns whether a comparison stands at an offset: an operator, or a number. */
export function comparisonAt(cursor: Cursor, offset: number): "cmp" | "between" | "number" | null {
  const item = cursor.peek(offset);
  if (isOp(item, "between")) return "between";
  if (isOp(item, "cmp")) {
    const isAverage = isOp(cursor.peek(offset + 1), "agg");
    return measureAt(cursor, offset + 1) === null && !isAverage ? null : "cmp";
  }
  if (item?.type === "number" || item?.type === "date" || item?.type === "time") {
    // "price 20": the number belongs to the column, unless it counts what follows.
    const measure = measureAt(cursor, offset);
    const after = cursor.peek(offset + (measure?.length ?? 1));
    const counts = after?.type === "row" || after?.type === "adjective";
    return counts || item.lead.includes(",") ? null : "number";
  }
  return null;
}

/** Reads a comparison with a measure; `given` are the columns that it is said of. */
export function readComparison(
  cursor: Cursor,
  item: Item,
  given: readonly Column[] | null,
): boolean {
  const start = cursor.peek();
  if (start === undefined) return false;
  if (isOp(start, "between")) {
    cursor.at += 1;
    return between(cursor, item, given);
  }
  const test = isOp(start, "cmp") && start.type === "op" ? start.arg : "eq";
  if (isOp(start, "cmp")) cursor.at += 1;
  const average = averageAt(cursor, given);
  if (average !== null) {
    cursor.at += 1;
    const name = testOf(test);
    return (
      name !== null &&
      addFilter(cursor, item, [{ column: average.column, test: name, value: average.value }])
    );
  }
  const measure = measureAt(cursor, 0);
  if (measure === null) return false;
  // "above 10 or below 2" begins another comparison; "4 or more" belongs to this one.
  const isDateTest = test.startsWith("date ");
  const name = testOf(measure.tail ?? test.replace("date ", ""));
  if (name === null || (measure.tail !== null && test !== "eq")) return false;
  cursor.at += measure.length;
  if (given === null && name !== "ne" && ofFigure(cursor, measure.unit)) {
    if (typeof measure.value !== "number" || cursor.negated || cursor.frame.having !== null)
      return false;
    if (cursor.peek()?.type === "row" || cursor.peek()?.type === "column") {
      cursor.at += 1;
      cursor.frame.rows += 1;
    }
    cursor.frame.having = { test: name, value: measure.value };
    return true;
  }
  const columns = given ?? followingColumn(cursor) ?? columnsOfMeasure(cursor, measure);
  const fitting = columns.filter(
    (candidate) =>
      !isDateTest ||
      candidate.kind === "date" ||
      isYearColumn(cursor, candidate) ||
      isTimeColumn(cursor, candidate),
  );
  const chosen = cursor.pick(fitting);
  return chosen !== undefined && compare(cursor, item, chosen, name, measure);
}

/** Whether a comparison is of the figure before it, or of how many rows there are. */
function ofFigure(cursor: Cursor, unit: string): boolean {
  const next = cursor.peek();
  const namesRows =
    next?.type === "column" &&
    next.columns.some((column) => column === cursor.facts.key && column.kind === "text");
  if (namesRows && unit === "" && cursor.frame.rows === 0) return true;
  if (next?.type === "column" || next?.type === "verb") return false;
  if (cursor.frame.figures.length === 1) return true;
  return next?.type === "row" && unit === "" && cursor.frame.rows === 0;
}

/** "above the average": the average of the column, as a number. */
function averageAt(
  { facts, items, at }: Cursor,
  given: readonly Column[] | null,
): { column: Column; value: number } | null {
  const item = items[at];
  const [column, other] = given ?? [];
  if (
    item?.type !== "op" ||
    item.op !== "agg" ||
    item.arg !== "average" ||
    items[at + 1]?.type === "column"
  )
    return null;
  if (column === undefined || other !== undefined || column.kind !== "number") return null;
  const values = facts.rows.flatMap((row) => cellQuantity(row[column.index] ?? null)?.value ?? []);
  return {
    column,
    value: Number((values.reduce((sum, value) => sum + value, 0) / values.length).toPrecision(12)),
  };
}

/** Reads the column after a measure: "more than 60 million inhabitants". */
function followingColumn(cursor: Cursor): readonly Column[] | null {
  const next = cursor.peek();
  if (
    next?.type !== "column" ||
    next.lead.some((word) => word !== "of" && word !== "in" && word !== "a" && word !== "the")
  )
    return null;
  const numeric = next.columns.filter(({ kind }) => kind === "number" || kind === "date");
  if (numeric.length === 0) return null;
  cursor.at += 1;
  return numeric;
}

const TESTS = ["eq", "ne", "gt", "gte", "lt", "lte"] as const;

function testOf(name: string): (typeof TESTS)[number] | null {
  return TESTS.find((test) => test === name) ?? null;
}

function between(cursor: Cursor, item: Item, given: readonly Column[] | null): boolean {
  const low = measureAt(cursor, 0);
  if (low === null) return false;
  cursor.at += low.length;
  if (cursor.isOp("and")) cursor.at += 1;
  const high = measureAt(cursor, 0);
  if (high === null || low.tail !== null || high.tail !== null) return false;
  cursor.at += high.length;
  const unit = {
    ...low,
    unit: high.unit || low.unit,
    concepts: [...high.concepts, ...low.concepts],
  };
  const columns = given ?? followingColumn(cursor) ?? columnsOfMeasure(cursor, unit);
  const chosen = cursor.pick(columns);
  if (chosen === undefined || cursor.negated || cursor.alternative) return false;
  const bound = { ...low, value: scaledLike(low.value, high), unit: low.unit || high.unit };
  if (!compare(cursor, item, chosen, "gte", bound)) return false;
  return compare(cursor, item, chosen, "lte", high);
}

/** "between 60 and 90 million": the scale of the second number is meant for both. */
function scaledLike(
  low: string | number,
  high: { value: string | number; scale: number },
): string | number {
  if (typeof low !== "number" || typeof high.value !== "number") return low;
  return low < high.value / high.scale ? low * high.scale : low;
}
