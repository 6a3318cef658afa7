import * as z from "zod";
import { listOf, matching, oneOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";
import { nodeType, outputType } from "../outputs.ts";
import { address, callId } from "./call.ts";

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
export type RowsInput = z.infer<z.ZodObject<typeof rowsOf>>;

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

const csvInput = open({ format: z.literal("csv"), filename, label, ...ownRows, sources });
export type CsvInput = z.infer<typeof csvInput>;

const googleSheetInput = open({
  format: z.literal("google_sheet"),
  spreadsheetId: matching(/^[\w-]{10,100}$/)
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

export const emitOutputInput = open({
  label: textUpTo(200).describe("A title for the user."),
  type: outputType.describe("The type of the output."),
  nodeType: nodeType.optional(),
  value: json.optional().describe("Text, JSON, `{columns, rows}`, or a file's text."),
  from: callId.optional().describe("An earlier call whose answer is the value."),
  url: address.optional().describe("The target of a link."),
  filename: textUpTo(200).optional().describe("The name of a file."),
  mediaType: z
    .string()
    .min(3)
    .max(200)
    .optional()
    .describe("The media type of a text, JSON or a file, if not the usual one."),
  sources: listOf(callId, 50)
    .optional()
    .describe("The calls that the value came from. Without them, it counts as your own."),
});
export type EmitOutputInput = z.infer<typeof emitOutputInput>;

/** One line without control characters: a CR or LF would begin another header (RFC 5322, section 2.2). */
export const headerLine = matching(
  /^[^\p{Cc}\u2028\u2029]*$/u,
  "must be one line without control characters",
);

/** An address by itself, without a display name. An international domain is written as xn--. */
export const emailAddress = headerLine
  .min(3)
  .max(254)
  .pipe(z.email("must be one plain e-mail address, such as ann@example.com, without a name"));

export const sendEmailInput = open({
  to: listOf(emailAddress, 20, 1).describe("The addresses of the recipients."),
  cc: listOf(emailAddress, 20).default([]).describe("The addresses of copies."),
  replyTo: emailAddress.optional().describe("The address for replies."),
  subject: headerLine.min(1).max(300).describe("The subject, one line."),
  text: textUpTo(100_000).describe("The body as plain text."),
  attachments: listOf(callId, 10)
    .default([])
    .describe("Earlier calls whose file outputs are attached."),
  sources: listOf(callId, 50).default([]).describe("The calls that the text came from."),
});
export type SendEmailInput = z.infer<typeof sendEmailInput>;

const EMAIL_ROUTES = ["binding", "smtp", "outbox"] as const;
/** The route of e-mail: the platform's binding, SMTP, or the outbox, which delivers nothing. */
export type EmailRoute = (typeof EMAIL_ROUTES)[number];

/** The answer of `send_email`. */
export const emailContent = open({
  messageId: z.string(),
  route: z.enum(EMAIL_ROUTES),
  to: listOf(z.string()),
  cc: listOf(z.string()),
  subject: z.string(),
  attachments: listOf(open({ filename: z.string(), sizeBytes: z.int() })),
  notes: listOf(z.string()),
});
export type EmailContent = z.infer<typeof emailContent>;

/** The e-mail in the output of a call. */
export const emailOutput = emailContent.omit({ notes: true }).extend({
  from: z.string(),
  replyTo: z.string().exactOptional(),
  text: z.string(),
});
export type EmailOutput = z.infer<typeof emailOutput>;
