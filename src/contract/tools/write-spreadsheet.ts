import * as z from "zod";
import { json } from "../json.ts";
import { callId } from "./shared.ts";

export const COLUMN_TYPES = [
  "auto",
  "text",
  "number",
  "date",
  "datetime",
  "boolean",
  "link",
] as const;

const column = z.object({
  name: z.string().max(200),
  type: z
    .enum(COLUMN_TYPES)
    .default("auto")
    .describe("auto reads numbers, dates and yes/no off the values."),
  width: z
    .number()
    .min(1)
    .max(255)
    .optional()
    .describe("In characters; fitted to the content when absent."),
  format: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('An Excel number format: 0.00, #,##0 "EUR", yyyy-mm-dd.'),
});

/** Rows under columns, given here or taken from the answer of an earlier call. */
const rowsOf = {
  columns: z
    .array(column)
    .min(1)
    .max(200)
    .optional()
    .describe("Needed beside rows; with from, chooses and orders columns by name."),
  rows: z.array(z.array(json)).max(100_000).optional(),
  from: callId.optional().describe("Take the rows from this earlier call's answer instead."),
};

export const sheetInput = z.object({
  name: z
    .string()
    .min(1)
    .max(31)
    .regex(
      /^(?!')[^\\/?*[\]:\p{Cc}]*(?<!')$/u,
      "must not hold \\ / ? * [ ] : nor begin or end with '",
    ),
  ...rowsOf,
});
export type SheetInput = z.infer<typeof sheetInput>;

/** What to write: a workbook, a CSV file, or rows onto the end of a Google Sheet. */
export const writeSpreadsheetInput = z.discriminatedUnion("format", [
  z.object({
    format: z.literal("xlsx"),
    filename: z.string().min(1).max(200),
    label: z.string().min(1).max(200).optional(),
    sheets: z.array(sheetInput).min(1).max(20),
  }),
  z.object({
    format: z.literal("csv"),
    filename: z.string().min(1).max(200),
    label: z.string().min(1).max(200).optional(),
    ...rowsOf,
  }),
  z.object({
    format: z.literal("google_sheet"),
    spreadsheetId: z
      .string()
      .regex(/^[\w-]{10,100}$/)
      .optional()
      .describe("The configured one when absent."),
    sheet: z
      .string()
      .min(1)
      .max(100)
      .default("Sheet1")
      .describe("The tab that the rows are appended to."),
    ...rowsOf,
  }),
]);
export type WriteSpreadsheetInput = z.infer<typeof writeSpreadsheetInput>;

/** What `write_spreadsheet` answers. */
export const spreadsheetContent = z.object({
  format: z.enum(["xlsx", "csv", "google_sheet"]),
  filename: z.string().exactOptional(),
  sizeBytes: z.int().exactOptional(),
  spreadsheetId: z.string().exactOptional(),
  updatedRange: z.string().exactOptional(),
  sheets: z.array(z.object({ name: z.string(), columns: z.int(), rows: z.int() })),
  notes: z.array(z.string()),
});
export type SpreadsheetContent = z.infer<typeof spreadsheetContent>;
