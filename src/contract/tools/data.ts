import * as z from "zod";
import { listOf, oneOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";
import { callId, cutAt } from "./call.ts";

/** A data source: the answer of an earlier call, or text. */
const dataSource = z.union([
  open({ callId }),
  open({
    data: z.string(),
    format: oneOf("auto", "csv", "json", "html", "text").default("auto"),
  }),
]);
export type DataSource = z.infer<typeof dataSource>;

/** The extraction from each source; the rows of all sources are joined in order. */
const extraction = z.discriminatedUnion("kind", [
  open({
    kind: z.literal("table"),
    index: z.int().min(0).optional(),
    caption: z.string().optional(),
  }),
  open({ kind: z.literal("json"), path: z.string() }),
  open({ kind: z.literal("emails") }),
  open({ kind: z.literal("links") }),
  open({ kind: z.literal("headings") }),
  open({ kind: z.literal("lists"), heading: z.string().optional() }),
  open({ kind: z.literal("text") }),
]);
export type Extraction = z.infer<typeof extraction>;

const column = z.string().min(1);
export const AGGREGATES = ["sum", "count", "average", "min", "max"] as const;
const aggregate = open({ fn: z.enum(AGGREGATES), column: column.optional() });

/** A test of each row. */
const rowTest = open({
  column,
  test: oneOf(
    "eq",
    "ne",
    "gt",
    "gte",
    "lt",
    "lte",
    "contains",
    "not_contains",
    "starts_with",
    "ends_with",
    "empty",
    "not_empty",
  ),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
});
export type RowTest = z.infer<typeof rowTest>;

/** One operation on rows; they run in the order given. Cells that look like numbers compare as numbers. */
const dataOperation = z.discriminatedUnion("op", [
  open({ op: z.literal("filter"), ...rowTest.shape }),
  open({
    op: z.literal("sort"),
    by: column,
    direction: oneOf("asc", "desc").default("asc"),
  }),
  open({
    op: z.literal("limit"),
    count: z.int().min(0),
    from: oneOf("start", "end").default("start"),
  }),
  open({ op: z.literal("select"), columns: listOf(column).min(1) }),
  open({ op: z.literal("distinct"), columns: listOf(column).optional() }),
  open({
    op: z.literal("aggregate"),
    by: listOf(column).default([]),
    aggregates: listOf(aggregate).min(1),
  }),
]);
export type DataOperation = z.infer<typeof dataOperation>;

export const processDataInput = open({
  sources: listOf(dataSource, 50, 1).describe(
    "Each is the `callId` of an earlier answer, or `data`: text.",
  ),
  extract: extraction.describe(
    "The rows of all sources are joined. table: the fullest one, or by `index` from 0 or words of its `caption`. json: `path` such as items[0].name, * for each element, empty for all. lists: items, also only those under a `heading`. text: one cell, with title and url.",
  ),
  operations: listOf(dataOperation, 50)
    .default([])
    .describe(
      "In order. filter: `column`, `test`, `value`. sort: `by` a column, `direction`. limit: `count`, `from`. select, distinct: `columns`. aggregate: `by` a list of columns, `aggregates`. Columns are found by name without regard to case.",
    ),
});
export type ProcessDataInput = z.infer<typeof processDataInput>;

/** The answer of `process_data`: rows under columns; a single figure is one row of one column. */
export const dataContent = open({
  columns: listOf(z.string()),
  rows: listOf(listOf(json)),
  rowCount: z.int(),
  notes: listOf(z.string()).describe("Skipped parts, and cells that could not be read as numbers."),
  cut: z.boolean(),
  cutAt,
});
export type DataContent = z.infer<typeof dataContent>;

const MAX_CODE_LENGTH = 64 * 1024;

export const runCodeInput = open({
  code: textUpTo(MAX_CODE_LENGTH).describe(
    "The body of an async function with `input` and `answers`. Its return value, as JSON, is the answer.",
  ),
  input: json.optional().describe("Any JSON value."),
  from: listOf(callId, 50).default([]).describe("Earlier calls, in the order of `answers`."),
});
export type RunCodeInput = z.infer<typeof runCodeInput>;

/** The answer of `run_code`. Strict, so that no other answer matches. */
export const codeContent = z.strictObject({
  value: json.describe("The return value; null if there is none."),
  console: listOf(z.string()).describe("The lines that the code wrote to the console."),
  cut: z.boolean().describe("True if the console output was too long and is cut."),
});
export type CodeContent = z.infer<typeof codeContent>;
