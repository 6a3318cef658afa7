import type { Json } from "../../../../contract/json.ts";
import type { DataOperation, ProcessDataInput } from "../../../../contract/tools/process-data.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { applyOperations } from "../../../tools/process-data.ts";
import { FIGURE, type Query } from "../bind/scan.ts";
import { inlineSheet, type Sheet } from "../view/sheets.ts";

/** The name under which process_data answers a figure. */
export function figureName(aggregate: { fn: string; column: string | null }): string {
  return aggregate.column === null ? aggregate.fn : `${aggregate.fn} of ${aggregate.column}`;
}

function figures(query: Query): DataOperation[] {
  const aggregates = query.aggregates.map(({ fn, column }) => ({
    fn,
    ...(column === null ? {} : { column }),
  }));
  const counted = query.count ? [{ fn: "count" as const }] : [];
  const all = [...aggregates, ...counted];
  return all.length === 0 ? [] : [{ op: "aggregate", by: query.groupBy, aggregates: all }];
}

/** An order by a column that the figures took in becomes an order by the figure itself. */
function orderColumn(query: Query, column: string): string {
  if (query.aggregates.length === 0 && column === FIGURE) return query.select[0] ?? "";
  if (query.aggregates.length === 0 || query.groupBy.includes(column)) return column;
  const figure = query.aggregates.find((one) => one.column === column) ?? query.aggregates[0];
  return figure === undefined ? column : figureName(figure);
}

/** The operations that a query comes to, in the order in which they have a meaning. */
function operationsOf(query: Query): DataOperation[] {
  const operations: DataOperation[] = query.either ? [] : [...query.filters];
  if (query.distinct !== null) {
    const columns = query.distinct;
    operations.push({ op: "distinct", ...(columns.length === 0 ? {} : { columns }) });
  }
  operations.push(...figures(query));
  const ungrouped = query.groupBy.length === 0 && (query.aggregates.length > 0 || query.count);
  if (ungrouped) return operations;
  const order = query.extreme ?? query.sort;
  const by = order === null ? "" : orderColumn(query, order.column);
  if (order !== null && by !== "") operations.push({ op: "sort", by, direction: order.direction });
  if (query.limit !== null && query.extreme === null)
    operations.push({ op: "limit", ...query.limit });
  if (query.nth) operations.push({ op: "limit", count: 1, from: "end" });
  if (query.select.length > 0 && query.extreme === null && query.aggregates.length === 0) {
    operations.push({ op: "select", columns: query.select });
  }
  return operations;
}

/** The rows of which one of the filters holds. */
function holdingAny(sheet: Sheet, filters: Query["filters"]): Set<Json[]> {
  const table = { columns: sheet.columns, rows: sheet.rows };
  return new Set(
    filters.flatMap((filter) => {
      const kept = applyOperations(table, [filter]);
      return kept.ok ? kept.value.table.rows : [];
    }),
  );
}

/** The rows that pass the alternatives of a query: these are no operations, so they are picked here. */
export function pickedRows(sheet: Sheet, query: Query): Json[][] {
  const either = query.either ? holdingAny(sheet, query.filters) : null;
  return sheet.rows.filter(
    (row) =>
      (either === null || either.has(row)) &&
      query.anyOf.every(({ column, values }) => {
        const cell = row[sheet.columns.indexOf(column)] ?? null;
        const text = cellText(cell).toLowerCase();
        return values.some((value) =>
          Array.isArray(cell) ? text.includes(value.toLowerCase()) : text === value.toLowerCase(),
        );
      }),
  );
}

/** The process_data call that answers a query about a sheet. */
export function processInput(sheet: Sheet, query: Query): ProcessDataInput {
  const operations = operationsOf(query);
  if (query.anyOf.length === 0 && !query.either) {
    return { sources: sheet.sources, extract: sheet.extract, operations };
  }
  const from = inlineSheet(sheet.kind, sheet.columns, pickedRows(sheet, query), sheet.pages);
  if (from !== null) return { sources: from.sources, extract: from.extract, operations };
  const none: DataOperation = { op: "limit", count: 0, from: "start" };
  return { sources: sheet.sources, extract: sheet.extract, operations: [none, ...operations] };
}
