import * as z from "zod";
import { listOf, oneOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";
import { callId } from "./call.ts";

const column = open({
  name: z.string().max(200),
  header: z.string().max(200).optional(),
});
export type ColumnInput = z.infer<typeof column>;

/** Rows under columns, given in the call or taken from the answer of an earlier one. */
const rowsOf = {
  columns: listOf(column, 200, 1)
    .optional()
    .describe(
      "Required with rows; with from, selects and orders columns by `name`. `header`: if not the name. Texts that clearly are numbers, money, percentages, ISO dates or addresses are converted; 00123 stays text.",
    ),
  rows: listOf(listOf(json), 100_000)
    .optional()
    .describe("One value for each column; never a formula."),
  from: callId
    .optional()
    .describe(
      "The earlier call that has the rows: process_data, run_code, or browse on a page with one table.",
    ),
};
const rowsInput = open(rowsOf);
export type RowsInput = z.infer<typeof rowsInput>;

/** The same beside the format, without the same words again. */
const ownRows = {
  columns: rowsOf.columns.describe("As in `sheets`."),
  rows: rowsOf.rows.describe("As in `sheets`."),
  from: rowsOf.from.describe("As in `sheets`."),
};

const sheetInput = open({
  name: textUpTo(31).regex(
    /^(?!')[^\\/?*[\]:\p{Cc}]*(?<!')$/u,
    "must not contain \\ / ? * [ ] : nor begin or end with '",
  ),
  ...rowsOf,
});

const filename = textUpTo(200).describe("The name of the file, for xlsx and csv.");
const label = textUpTo(200).optional().describe("The title of the file for the user.");
const sources = listOf(callId, 50).optional().describe("The calls that the rows came from.");

const xlsxInput = open({
  format: z
    .literal("xlsx")
    .describe("xlsx takes sheets, each with rows; csv and google_sheet take the rows themselves."),
  filename,
  label,
  sheets: listOf(sheetInput, 20, 1).describe("The sheets of an xlsx workbook."),
  sources,
});
export type XlsxInput = z.infer<typeof xlsxInput>;

const csvInput = open({
  format: z.literal("csv"),
  filename,
  label,
  ...ownRows,
  sources,
});
export type CsvInput = z.infer<typeof csvInput>;

const googleSheetInput = open({
  format: z.literal("google_sheet"),
  spreadsheetId: z
    .string()
    .regex(/^[\w-]{10,100}$/)
    .optional()
    .describe("The id of the Google Sheet. If absent, the configured one."),
  sheet: textUpTo(100).default("Sheet1").describe("The tab to append to."),
  ...ownRows,
  sources,
});
export type GoogleSheetInput = z.infer<typeof googleSheetInput>;

/** The input of `write_spreadsheet`: a workbook, a CSV file, or rows to append to a Google Sheet. */
export const writeSpreadsheetInput = z.discriminatedUnion("format", [
  xlsxInput,
  csvInput,
  googleSheetInput,
]);
export type WriteSpreadsheetInput = z.infer<typeof writeSpreadsheetInput>;

/** The answer of `write_spreadsheet`. */
const spreadsheetContent = open({
  format: oneOf("xlsx", "csv", "google_sheet"),
  filename: z.string().exactOptional(),
  sizeBytes: z.int().exactOptional(),
  spreadsheetId: z.string().exactOptional(),
  updatedRange: z.string().exactOptional(),
  sheets: listOf(open({ name: z.string(), columns: z.int(), rows: z.int() })),
  notes: listOf(z.string()),
});
export type SpreadsheetContent = z.infer<typeof spreadsheetContent>;
