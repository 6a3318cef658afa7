import type { Json } from "../../../contract/json.ts";
import type { OutputFile } from "../../../contract/tools/call.ts";
import type {
  CsvInput,
  SpreadsheetContent,
  XlsxInput,
} from "../../../contract/tools/write-spreadsheet.ts";
import { toCsv } from "../../../lib/csv.ts";
import { withNote } from "../../../lib/cut-note.ts";
import { withExtension } from "../file-name.ts";
import { failure, type Result, success } from "../source-content.ts";
import type { ToolContext } from "../tool.ts";
import { MAX_CELL_TEXT, plainValue, toCellText } from "./cells.ts";
import { type Rows, resolveRows, type Sheet, typedSheet } from "./rows.ts";

/** A written file with its summary. */
export interface SpreadsheetFile extends Pick<SpreadsheetContent, "sheets" | "notes"> {
  file: OutputFile;
}

const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 5 * MIB;
/** The most cells that fit the shared memory of a Worker. */
const MAX_CELLS = 100_000;

/** Checks that the sheets have no more cells than one file may have. */
export function checkCellCount(sheets: readonly Pick<Rows, "columns" | "rows">[]): Result<null> {
  const cells = sheets.reduce((sum, { columns, rows }) => sum + columns.length * rows.length, 0);
  return cells <= MAX_CELLS
    ? success(null)
    : failure(
        `The rows have ${cells} cells, more than the ${MAX_CELLS} of one file. Write several files.`,
      );
}

/** Checks that a file is not too large for an output. */
function checkFileSize(written: SpreadsheetFile): Result<SpreadsheetFile> {
  return written.file.bytes.byteLength <= MAX_FILE_BYTES
    ? success(written)
    : failure(
        `The file is larger than ${MAX_FILE_BYTES / MIB} MiB. Write several files with fewer rows.`,
      );
}

/** Returns the summary of a sheet for the answer. */
export function sheetSummary(name: string, { columns, rows }: Pick<Sheet, "columns" | "rows">) {
  return { name, columns: columns.length, rows: rows.length };
}

const MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Writes a workbook of one or more sheets. */
export async function xlsxFile(
  input: XlsxInput,
  context: ToolContext,
): Promise<Result<SpreadsheetFile>> {
  const filename = withExtension("xlsx", input.filename);
  if (!filename.ok) return filename;
  const named = namedRows(input, context);
  if (!named.ok) return named;
  const size = checkCellCount(named.value);
  if (!size.ok) return size;
  const sheets = named.value.map(({ name, ...rows }) => ({
    name,
    ...typedSheet(rows, MAX_CELL_TEXT),
  }));
  // Loaded at the first use, so that the service starts faster.
  const { writeWorkbook: workbook } = await import("./workbook.ts");
  const file = {
    filename: filename.value,
    mediaType: MEDIA_TYPE,
    bytes: await workbook(sheets),
  };
  return checkFileSize({
    file,
    sheets: sheets.map((sheet) => sheetSummary(sheet.name, sheet)),
    notes: sheets.flatMap(({ name, notes }) => notes.map((note) => `Sheet "${name}": ${note}`)),
  });
}

interface NamedRows extends Rows {
  name: string;
}

function namedRows({ sheets, sources }: XlsxInput, context: ToolContext): Result<NamedRows[]> {
  const taken = new Set<string>();
  const named: NamedRows[] = [];
  for (const { name, ...given } of sheets) {
    const wrong = wrongName(name, taken);
    if (wrong !== null) return failure(wrong);
    const rows = resolveRows(given, sources, context);
    if (!rows.ok) return failure(`Sheet "${name}": ${rows.message}`);
    named.push({ name, ...rows.value });
  }
  return success(named);
}

/** Returns the error of a sheet's name, or null: Excel ignores case and reserves one name. */
function wrongName(name: string, taken: Set<string>): string | null {
  const key = name.toLowerCase();
  if (taken.has(key)) return `Two sheets cannot both be called "${name}".`;
  taken.add(key);
  if (key === "history") return 'Excel reserves the name "History". Choose another.';
  return toCellText(name) === name
    ? null
    : `"${name}" contains characters that a workbook cannot hold.`;
}

/** Writes a CSV file. */
export function csvFile(input: CsvInput, context: ToolContext): Result<SpreadsheetFile> {
  const filename = withExtension("csv", input.filename);
  if (!filename.ok) return filename;
  const rows = resolveRows(input, input.sources, context);
  if (!rows.ok) return rows;
  const size = checkCellCount([rows.value]);
  if (!size.ok) return size;
  const sheet = typedSheet(rows.value, Number.POSITIVE_INFINITY);
  const text = toCsv({
    columns: sheet.columns.map(({ header }) => header),
    rows: valuesOf(sheet, rows.value.rows),
  });
  const bytes = encoded(withNote(text, "text/csv", sheet.caveat));
  const file = { filename: filename.value, mediaType: "text/csv", bytes };
  return checkFileSize({ file, sheets: [sheetSummary(filename.value, sheet)], notes: sheet.notes });
}

/** Returns the values of a CSV file; columns without a type keep the original values. */
function valuesOf({ columns, rows }: Sheet, written: readonly Json[][]): Json[][] {
  return rows.map((row, rowIndex) =>
    row.map((cell, index) =>
      columns[index]?.type === "auto" ? (written[rowIndex]?.[index] ?? null) : plainValue(cell),
    ),
  );
}

/**
 * Encodes a text in UTF-8, with a byte order mark unless it is ASCII. Without the mark Excel reads other
 * characters in an old code page; with it simple readers add the mark to the first column's name.
 */
function encoded(text: string): Uint8Array {
  const mark = /^\p{ASCII}*$/u.test(text) ? "" : "\ufeff";
  return new TextEncoder().encode(mark + text);
}
