import * as z from "zod";
import { json } from "../json.ts";
import { callId } from "./call.ts";

const COLUMN_TYPES = ["auto", "text", "number", "date", "datetime", "boolean", "link"] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const column = z.object({
  name: z.string().max(200).describe("With from, the name of a column there."),
  header: z.string().max(200).optional().describe("Written above the column instead of its name."),
  type: z
    .enum(COLUMN_TYPES)
    .default("auto")
    .describe(
      "auto makes numbers, amounts of money, percentages, ISO dates, true/false and web addresses of texts that certainly are such; codes as 00123 stay text. The others read more forms (12 March 2024, 12.3k, yes), times in UTC.",
    ),
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
    .describe('For numbers and dates, an Excel number format: 0.00, #,##0 "EUR", yyyy-mm-dd.'),
});
export type ColumnInput = z.infer<typeof column>;

/** Rows under columns, given here or taken from the answer of an earlier call. */
const rowsOf = {
  columns: z
    .array(column)
    .min(1)
    .max(200)
    .optional()
    .describe("Needed beside rows, in their order; with from, chooses and orders columns by name."),
  rows: z
    .array(z.array(json))
    .max(100_000)
    .optional()
    .describe("Each with one value for each column. A text is never run as a formula."),
  from: callId
    .optional()
    .describe(
      "Take the rows from this earlier call instead: of process_data, of run_code that returned rows, or of browse on a page of one table.",
    ),
};
const rowsInput = z.object(rowsOf);
export type RowsInput = z.infer<typeof rowsInput>;

const sheetInput = z.object({
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

const filename = z
  .string()
  .min(1)
  .max(200)
  .describe("Of a file; its extension is added when it is missing.");
const label = z.string().min(1).max(200).optional().describe("What the user sees the file called.");
const sources = z
  .array(callId)
  .max(50)
  .optional()
  .describe("The calls that rows given here came from.");

const xlsxInput = z.object({
  format: z.literal("xlsx"),
  filename,
  label,
  sheets: z.array(sheetInput).min(1).max(20).describe("The sheets of an xlsx workbook."),
  sources,
});
export type XlsxInput = z.infer<typeof xlsxInput>;

const csvInput = z.object({
  format: z.literal("csv"),
  filename,
  label,
  ...rowsOf,
  sources,
});
export type CsvInput = z.infer<typeof csvInput>;

const googleSheetInput = z.object({
  format: z.literal("google_sheet"),
  spreadsheetId: z
    .string()
    .regex(/^[\w-]{10,100}$/)
    .optional()
    .describe("Of a Google Sheet; the configured one when absent."),
  sheet: z
    .string()
    .min(1)
    .max(100)
    .default("Sheet1")
    .describe("The tab of a Google Sheet that the rows are appended to, without a header."),
  ...rowsOf,
  sources,
});
export type GoogleSheetInput = z.infer<typeof googleSheetInput>;

/** What to write: a workbook, a CSV file, or rows onto the end of a Google Sheet. */
export const writeSpreadsheetInput = z.discriminatedUnion("format", [
  xlsxInput,
  csvInput,
  googleSheetInput,
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
