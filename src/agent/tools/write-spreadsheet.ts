import {
  type GoogleSheetInput,
  type RowsInput,
  type SpreadsheetContent,
  type WriteSpreadsheetInput,
  writeSpreadsheetInput,
} from "../../contract/tools/write.ts";
import { basisOf } from "./cuts.ts";
import { requireCalls } from "./source-content.ts";
import { answering, fail, type Tool, type ToolContext, type ToolResult } from "./tool.ts";
import { csvFile, xlsxFile } from "./write-spreadsheet/files.ts";
import { appendToSheet, type SheetsClient } from "./write-spreadsheet/google-sheet.ts";

/** Writes rows to an Excel workbook, a CSV file or, unless `client` is null, a Google Sheet. */
export const writeSpreadsheet = (client: SheetsClient | null): Tool<WriteSpreadsheetInput> => ({
  name: "write_spreadsheet",
  description:
    "Writes rows to a file for the user, or appends them to a Google Sheet without a header. " +
    "Name in `from` the earlier call that has the rows rather than writing them again. " +
    "Not for a table to be read in the result (emit_output). " +
    'Example: {"format": "xlsx", "filename": "prices", "sheets": [{"name": "Prices", "from": "call_2"}]}.',
  input: writeSpreadsheetInput,
  kind: "local",
  effect: (input) => (input.format === "google_sheet" ? { target: targetOf(input) } : null),
  describe: (input) =>
    input.format === "google_sheet" ? `Appending ${targetOf(input)}` : `Writing ${input.filename}`,
  run: answering("invalid_spreadsheet", (input, context) => write(input, client, context)),
});

function targetOf({ spreadsheetId, sheet }: GoogleSheetInput): string {
  const which =
    spreadsheetId === undefined ? "the default Google Sheet" : `Google Sheet ${spreadsheetId}`;
  return `rows to ${which} "${sheet}"`;
}

const MAX_FILE_BYTES = 5 * 1024 * 1024;

async function write(
  input: WriteSpreadsheetInput,
  client: SheetsClient | null,
  context: ToolContext,
): Promise<ToolResult> {
  const named = callsOf(input);
  const hasOwnRows = partsOf(input).some(({ from }) => from === undefined);
  const written = hasOwnRows ? basisOf(input.sources, context) : [];
  const basedOn = [...new Set([...named, ...written])];
  requireCalls(named, context);
  if (input.format === "google_sheet") {
    return { ...(await appendToSheet(input, client, context)), basedOn };
  }
  const made = await (input.format === "xlsx" ? xlsxFile(input, context) : csvFile(input, context));
  const { file, sheets, notes } = made;
  if (file.bytes.byteLength > MAX_FILE_BYTES) {
    fail("The file is larger than 5 MiB. Write several files with fewer rows.");
  }
  const content: SpreadsheetContent = {
    format: input.format,
    filename: file.filename,
    sizeBytes: file.bytes.byteLength,
    sheets,
    notes,
  };
  const label = input.label ?? file.filename;
  return {
    answer: { ok: true, content },
    basedOn,
    outputs: [{ label, type: "file", nodeType: "SPREADSHEET", ...file }],
  };
}

/** Returns the earlier calls that the rows come from. */
function callsOf(input: WriteSpreadsheetInput): string[] {
  const named = partsOf(input).flatMap(({ from }) => from ?? []);
  return [...new Set([...named, ...(input.sources ?? [])])];
}

function partsOf(input: WriteSpreadsheetInput): readonly RowsInput[] {
  return input.format === "xlsx" ? input.sheets : [input];
}
