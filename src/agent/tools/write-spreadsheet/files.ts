import type { Json } from "../../../contract/json.ts";
import type { OutputFile } from "../../../contract/tools/call.ts";
import type {
  CsvInput,
  SheetInput,
  SpreadsheetContent,
  XlsxInput,
} from "../../../contract/tools/write-spreadsheet.ts";
import { withExtension } from "../file-name.ts";
import { failure, type Result, success, toCsv } from "../source-content.ts";
import type { ToolContext } from "../tool.ts";
import { MAX_CELL_TEXT, plainValue, toCellText } from "./read-cells.ts";
import { type Rows, resolveRows, type Sheet, typedSheet } from "./rows.ts";

/** A file that was written, and what there is to say about it. */
export interface SpreadsheetFile extends Pick<SpreadsheetContent, "sheets" | "notes"> {
  file: OutputFile;
}

const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 5 * MIB;
/** What can be written within the memory of a Worker, which others need too. */
const MAX_CELLS = 100_000;

/** Refuses rows that together have more cells than one file is made of. */
export function checkCellCount(sheets: readonly Pick<Rows, "columns" | "rows">[]): Result<null> {
  const cells = sheets.reduce((sum, { columns, rows }) => sum + columns.length * rows.length, 0);
  return cells <= MAX_CELLS
    ? success(null)
    : failure(`These are ${cells} cells; one file has ${MAX_CELLS} at most. Write several files.`);
}

/** Refuses a file that is too large to be handed over. */
export function checkFileSize(written: SpreadsheetFile): Result<SpreadsheetFile> {
  return written.file.bytes.byteLength <= MAX_FILE_BYTES
    ? success(written)
    : failure(`The file is over ${MAX_FILE_BYTES / MIB} MiB. Write several files, of fewer rows.`);
}

/** A sheet as the answer tells of it. */
export function sheetSummary(name: string, { columns, rows }: Pick<Rows, "columns" | "rows">) {
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
  const named = namedRows(input.sheets, context);
  if (!named.ok) return named;
  const size = checkCellCount(named.value);
  if (!size.ok) return size;
  const sheets = named.value.map(({ name, ...rows }) => ({
    name,
    ...typedSheet(rows, MAX_CELL_TEXT),
  }));
  // Loaded at its first use: starting the service does not wait for it.
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

function namedRows(sheets: readonly SheetInput[], context: ToolContext): Result<NamedRows[]> {
  const taken = new Set<string>();
  const named: NamedRows[] = [];
  for (const { name, ...given } of sheets) {
    const wrong = wrongName(name, taken);
    if (wrong !== null) return failure(wrong);
    const rows = resolveRows(given, context);
    if (!rows.ok) return failure(`Sheet "${name}": ${rows.message}`);
    named.push({ name, ...rows.value });
  }
  return success(named);
}

/** Excel tells names apart without their case, and keeps one for itself. */
function wrongName(name: string, taken: Set<string>): string | null {
  const key = name.toLowerCase();
  if (taken.has(key)) return `Two sheets cannot both be called "${name}".`;
  taken.add(key);
  if (key === "history") return 'Excel keeps the name "History" for itself.';
  return toCellText(name) === name ? null : `"${name}" holds characters that a workbook cannot.`;
}

/** Writes a CSV file. */
export function csvFile(input: CsvInput, context: ToolContext): Result<SpreadsheetFile> {
  const filename = withExtension("csv", input.filename);
  if (!filename.ok) return filename;
  const rows = resolveRows(input, context);
  if (!rows.ok) return rows;
  const size = checkCellCount([rows.value]);
  if (!size.ok) return size;
  const sheet = typedSheet(rows.value, Number.POSITIVE_INFINITY);
  const text = toCsv({
    columns: sheet.columns.map(({ header }) => header),
    rows: valuesOf(sheet, rows.value.rows),
  });
  const file = { filename: filename.value, mediaType: "text/csv", bytes: encoded(text) };
  return checkFileSize({ file, sheets: [sheetSummary(filename.value, sheet)], notes: sheet.notes });
}

/** What nobody gave a type stays as it was written. */
function valuesOf({ columns, rows }: Sheet, written: readonly Json[][]): Json[][] {
  return rows.map((row, rowIndex) =>
    row.map((cell, index) =>
      columns[index]?.type === "auto" ? (written[rowIndex]?.[index] ?? null) : plainValue(cell),
    ),
  );
}

/**
 * The text in UTF-8. Only one with more than ASCII begins with a byte order mark: without it Excel
 * reads such a file in an old code page, and with it simple readers make the mark a part of the first
 * column's name, a price to be paid only where it buys something.
 */
function encoded(text: string): Uint8Array {
  const mark = /^\p{ASCII}*$/u.test(text) ? "" : "\ufeff";
  return new TextEncoder().encode(mark + text);
}
