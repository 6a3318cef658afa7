import * as z from "zod";
import { nodeType, outputType } from "./execution.ts";
import { type Json, json } from "./json.ts";

/** Every tool that an agent can be given. */
export const TOOL_NAMES = [
  "browse",
  "http_request",
  "process_data",
  "emit_output",
  "ask_user",
  "finish",
] as const;
export const toolName = z.enum(TOOL_NAMES);
export type ToolName = z.infer<typeof toolName>;

/** Credits by tool. Ending and asking are part of the model's step, so they cost nothing more. */
export const TOOL_PRICES: Record<ToolName, number> = {
  browse: 1,
  http_request: 1,
  process_data: 1,
  emit_output: 1,
  ask_user: 0,
  finish: 0,
};

/** Credits of one model step. */
export const MODEL_STEP_PRICE = 1;

const address = z.string().min(1).max(2_048).describe("An absolute http or https address.");
const callId = z.string().min(1).max(128);

export const browseInput = z.object({ url: address });
export type BrowseInput = z.infer<typeof browseInput>;

/** What `browse` found. A page that is not HTML has its text only. */
export const pageContent = z.object({
  url: z.string().describe("The address after redirects."),
  mediaType: z.string(),
  title: z.string(),
  description: z.string().exactOptional(),
  text: z.string().describe("Markdown of an HTML page, else the text as it came."),
  headings: z.array(z.object({ level: z.int(), text: z.string() })),
  links: z
    .array(z.object({ text: z.string(), url: z.string() }))
    .describe("In document order, absolute."),
  tables: z.array(
    z.object({
      caption: z.string().nullable(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
    }),
  ),
  cut: z.boolean().describe("True when the page was longer than what is kept."),
});
export type PageContent = z.infer<typeof pageContent>;

export const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export const httpRequestInput = z.object({
  method: z.enum(HTTP_METHODS).default("GET"),
  url: address,
  headers: z.record(z.string(), z.string()).optional(),
  body: json.optional().describe("A string is sent as it is, anything else as JSON."),
});
export type HttpRequestInput = z.infer<typeof httpRequestInput>;

export const httpResponseContent = z.object({
  url: z.string(),
  status: z.int(),
  mediaType: z.string(),
  headers: z.record(z.string(), z.string()),
  json: z.exactOptional(json).describe("The parsed body, when it is JSON."),
  text: z.string().exactOptional().describe("The body, when it is not JSON."),
  cut: z.boolean(),
});
export type HttpResponseContent = z.infer<typeof httpResponseContent>;

/** Data to work on: what an earlier call returned, or text given here. */
export const dataSource = z.union([
  z.object({ callId: callId.describe("An earlier browse, http_request or process_data call.") }),
  z.object({
    data: z.string(),
    format: z.enum(["auto", "csv", "json", "html", "text"]).default("auto"),
  }),
]);
export type DataSource = z.infer<typeof dataSource>;

/** What to take from each source; all sources' rows are put one after another. */
export const extraction = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("table"),
    index: z
      .int()
      .min(0)
      .optional()
      .describe("The n-th table of the source; the fullest when absent."),
    caption: z.string().optional().describe("Words of the caption or of the heading before it."),
    columns: z.array(z.string()).optional().describe("Prefer the table that has these columns."),
  }),
  z.object({
    kind: z.literal("json"),
    path: z
      .string()
      .describe(
        "Dot path to a value or a list, `items[0].name`, `*` for every element; empty for the whole.",
      ),
  }),
  z.object({ kind: z.literal("emails") }),
  z.object({ kind: z.literal("links"), containing: z.string().optional() }),
  z.object({ kind: z.literal("headings"), level: z.int().min(1).max(6).optional() }),
  z.object({ kind: z.literal("prices") }),
  z.object({ kind: z.literal("lists").describe("Items of bulleted and numbered lists.") }),
  z.object({ kind: z.literal("lines"), containing: z.string().optional() }),
  z.object({ kind: z.literal("text").describe("The whole text as one cell, with title and url.") }),
]);
export type Extraction = z.infer<typeof extraction>;

const column = z.string().min(1).describe("A column's name; case and separators do not matter.");
export const AGGREGATES = ["sum", "count", "average", "min", "max", "median"] as const;
const aggregate = z.object({ fn: z.enum(AGGREGATES), column: column.optional() });

/** One operation on rows; they run in the order given. Cells that look like numbers compare as numbers. */
export const dataOperation = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("filter"),
    column: column.optional().describe("Any column when absent."),
    test: z.enum([
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
    ]),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  }),
  z.object({
    op: z.literal("sort"),
    by: column,
    direction: z.enum(["asc", "desc"]).default("asc"),
  }),
  z.object({
    op: z.literal("limit"),
    count: z.int().min(0),
    from: z.enum(["start", "end"]).default("start"),
  }),
  z.object({ op: z.literal("select"), columns: z.array(column).min(1) }),
  z.object({ op: z.literal("distinct"), columns: z.array(column).optional() }),
  z.object({
    op: z.literal("aggregate"),
    by: z.array(column).default([]),
    aggregates: z.array(aggregate).min(1),
  }),
]);
export type DataOperation = z.infer<typeof dataOperation>;

export const processDataInput = z.object({
  sources: z.array(dataSource).min(1).max(50),
  extract: extraction,
  operations: z.array(dataOperation).max(50).default([]),
});
export type ProcessDataInput = z.infer<typeof processDataInput>;

/** What `process_data` answers: always rows under columns; a single figure is one row of one column. */
export const dataContent = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(json)),
  rowCount: z.int(),
  notes: z.array(z.string()).describe("What was skipped or could not be read as a number."),
  cut: z.boolean(),
});
export type DataContent = z.infer<typeof dataContent>;

export const emitOutputInput = z.object({
  label: z.string().min(1).max(200),
  type: outputType,
  nodeType: nodeType.optional(),
  value: json.optional().describe("Text, JSON, `{columns, rows}`, or a file's text."),
  from: callId.optional().describe("Take the value from this earlier call's answer instead."),
  url: address.optional().describe("A link's target."),
  filename: z.string().min(1).max(200).optional(),
  mediaType: z.string().min(3).max(200).optional(),
  sources: z.array(callId).max(50).optional().describe("The calls that the value came from."),
});
export type EmitOutputInput = z.infer<typeof emitOutputInput>;

export const askUserInput = z.object({ question: z.string().min(1).max(4_000) });

export const finishInput = z.object({
  status: z.enum(["completed", "failed"]).default("completed"),
  summary: z.string().min(1).max(32_000),
  data: json.optional(),
});
export type FinishInput = z.infer<typeof finishInput>;

/** A tool's answer as it is stored: what it found, or why it could not. */
export type ToolAnswer =
  | { ok: true; content: Json }
  | { ok: false; error: { code: string; message: string } };
