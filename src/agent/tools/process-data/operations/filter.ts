import type { Json } from "../../../../contract/json.ts";
import type { RowTest } from "../../../../contract/tools/process-data.ts";
import { type Computed, columnOf, type Noted, noted, refused, type Table } from "../table.ts";
import { cellDate, cellQuantity, foldedText, isEmpty, READERS } from "../values/cells.ts";

type Value = NonNullable<RowTest["value"]>;

/** Tests a cell; null for a cell of another kind than the value. */
type Probe = (cell: Json) => boolean | null;

/** Keeps the rows whose cell passes the test. A negated test keeps exactly what its counterpart drops. */
export function filterRows(
  table: Table,
  { test, value, column: wanted }: RowTest,
): Computed<Noted> {
  if (value === undefined && test !== "empty" && test !== "not_empty") {
    return refused("invalid_input", `The test "${test}" needs a value.`);
  }
  const column = columnOf(table, wanted);
  if (!column.ok) return column;
  const { name, cells } = column.value;
  const verdicts = cells.map(probeOf(test, value ?? ""));
  const isNegated = test === "ne" || test === "not_contains" || test === "empty";
  const rows = table.rows.filter((_, at) => (verdicts[at] === true) !== isNegated);
  const others = verdicts.filter((verdict) => verdict === null).length;
  if (others === 0) return noted(table.columns, rows);
  const filled = cells.filter((cell) => !isEmpty(cell)).length;
  const note = `${others} of ${filled} values of ${name} are not ${kindOf(value ?? "")}s and did not match.`;
  return noted(table.columns, rows, [note]);
}

function probeOf(test: RowTest["test"], value: Value): Probe {
  const text = foldedText(value);
  switch (test) {
    case "eq":
    case "ne":
      return (cell) => isEqual(cell, value);
    case "contains":
    case "not_contains":
      return (cell) => foldedText(cell).includes(text);
    case "starts_with":
      return (cell) => foldedText(cell).startsWith(text);
    case "ends_with":
      return (cell) => foldedText(cell).endsWith(text);
    case "empty":
    case "not_empty":
      return (cell) => !isEmpty(cell);
    case "gt":
      return inOrder(value, (sign) => sign > 0);
    case "gte":
      return inOrder(value, (sign) => sign >= 0);
    case "lt":
      return inOrder(value, (sign) => sign < 0);
    case "lte":
      return inOrder(value, (sign) => sign <= 0);
  }
}

function isEqual(cell: Json, value: Value): boolean {
  const wanted = cellQuantity(value);
  const quantity = wanted && cellQuantity(cell);
  if (wanted && quantity) {
    const sameUnit = wanted.unit === "" || quantity.unit === "" || wanted.unit === quantity.unit;
    return sameUnit && wanted.value === quantity.value;
  }
  const date = cellDate(value);
  if (date !== null && cellDate(cell) === date) return true;
  return foldedText(cell) === foldedText(value);
}

/** Compares numbers, dates or texts with their own kind: "N/A" is not more than 100. */
function inOrder(value: Value, passes: (sign: number) => boolean): Probe {
  const read = READERS[kindOf(value)];
  const wanted = read(value) ?? "";
  return (cell) => {
    if (isEmpty(cell)) return false;
    const given = read(cell);
    return given === null ? null : passes(given > wanted ? 1 : given < wanted ? -1 : 0);
  };
}

function kindOf(value: Value): keyof typeof READERS {
  if (cellQuantity(value)) return "number";
  return cellDate(value) === null ? "text" : "date";
}
