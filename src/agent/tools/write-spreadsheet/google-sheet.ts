import { failedAnswer } from "../../../contract/tools/call.ts";
import type { GoogleSheetInput, SpreadsheetContent } from "../../../contract/tools/write.ts";
import { cutAt, storedBytes } from "../text.ts";
import { fail, type ToolContext, type ToolResult } from "../tool.ts";
import { plainValue, type Sheet, typedSheet } from "./cells.ts";
import { checkCellCount, resolveRows, sheetSummary } from "./files.ts";

/** Rows to append to a tab. */
export interface SheetRows {
  spreadsheetId: string;
  /** The tab's name. */
  sheet: string;
  /** Texts stay texts, even if they look like formulas. */
  rows: (string | number | boolean | null)[][];
}

/** The result of appending rows. A reason is a sentence for the user, without secrets. */
export type AppendResult =
  | { kind: "appended"; updatedRange: string }
  /** They were certainly not appended. */
  | { kind: "refused"; code: "misconfigured" | "google_refused" | "unavailable"; reason: string }
  /** They were sent without a response. */
  | { kind: "uncertain"; reason: string };

/** Appends rows to the Google Sheets of this deployment. */
export interface SheetsClient {
  /** The spreadsheets that agents may append to; the first is the default. */
  readonly spreadsheetIds: readonly string[];
  /** Sends the rows once and returns within a minute; throws only the signal's reason and internal errors. */
  append(rows: SheetRows, signal: AbortSignal): Promise<AppendResult>;
}

/** Characters that a cell of Google Sheets holds. */
const MAX_CELL_TEXT = 50_000;
const MIB = 1024 * 1024;
/** The most bytes of one request that Google recommends. */
const MAX_BYTES = 2 * MIB;

/** Appends rows to a sheet that the operator allows. */
export async function appendToSheet(
  input: GoogleSheetInput,
  sheets: SheetsClient | null,
  context: ToolContext,
): Promise<ToolResult> {
  const { client, spreadsheetId } = allowedSheet(input, sheets);
  const rows = resolveRows(input, input.sources, context);
  checkCellCount([rows]);
  if (rows.rows.length === 0) fail("There are no rows to append.");

  const sheet = typedSheet(rows, MAX_CELL_TEXT);
  const values = valuesOf(sheet);
  if (storedBytes(values) > MAX_BYTES) {
    fail(`The rows are larger than ${MAX_BYTES / MIB} MiB. Append fewer rows per call.`);
  }
  const outcome = await client.append(
    { spreadsheetId, sheet: input.sheet, rows: values },
    context.signal,
  );
  if (outcome.kind === "uncertain") return { answer: failedAnswer("uncertain", outcome.reason) };
  if (outcome.kind === "refused") return { answer: failedAnswer(outcome.code, outcome.reason) };
  const content: SpreadsheetContent = {
    format: "google_sheet",
    spreadsheetId,
    updatedRange: outcome.updatedRange,
    sheets: [sheetSummary(input.sheet, sheet)],
    notes: sheet.notes,
  };
  return { answer: { ok: true, content } };
}

function allowedSheet({ spreadsheetId }: GoogleSheetInput, client: SheetsClient | null) {
  const id = spreadsheetId ?? client?.spreadsheetIds[0];
  if (client === null || id === undefined) {
    return fail(
      "No Google Sheet is configured for this account, or the execution's allowedHosts leave Google Sheets out. The operator must set GOOGLE_SERVICE_ACCOUNT and GOOGLE_SHEETS, or the account's `googleSheets`. Write an .xlsx or .csv file instead.",
      "not_configured",
    );
  }
  if (client.spreadsheetIds.includes(id)) return { client, spreadsheetId: id };
  return fail(
    `The operator does not allow the spreadsheet ${id}: neither the account's \`googleSheets\` nor GOOGLE_SHEETS has it.`,
    "not_allowed",
  );
}

function valuesOf({ rows, caveat }: Sheet): SheetRows["rows"] {
  const values = rows.map((row) =>
    row.map((cell) => {
      const value = plainValue(cell);
      return typeof value === "string" ? cutAt(value, MAX_CELL_TEXT) : value;
    }),
  );
  return caveat === null ? values : [...values, [caveat]];
}
