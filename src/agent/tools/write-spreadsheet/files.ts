import type { Table } from "../../../contract/outputs.ts";
import type { OutputFile } from "../../../contract/tools/call.ts";
import type {
  ColumnInput,
  CsvInput,
  RowsInput,
  SpreadsheetContent,
  XlsxInput,
} from "../../../contract/tools/write.ts";
import { toCsv } from "../../../lib/csv.ts";
import { cutNote, withNote } from "../../../lib/text.ts";
import { basisOf } from "../cuts.ts";
import { withExtension } from "../file-name.ts";
import { findColumn } from "../process-data/table.ts";
import { contentOfCall, toTable } from "../source-content.ts";
import { CallFailure, fail, type ToolContext } from "../tool.ts";
import { caveatNotes, MAX_CELL_TEXT, type Rows, toCellText, typedSheet } from "./cells.ts";

/** A written file with its summary. */
export interface SpreadsheetFile extends Pick<SpreadsheetContent, "sheets" | "notes"> {
  file: OutputFile;
}

/** The most cells that fit the shared memory of a Worker. */
const MAX_CELLS = 100_000;

/** Checks that the sheets have no more cells than one file may have. */
export function checkCellCount(sheets: readonly Pick<Rows, "columns" | "rows">[]): void {
  const cells = sheets.reduce((sum, { columns, rows }) => sum + columns.length * rows.length, 0);
  if (cells <= MAX_CELLS) return;
  fail(
    `The rows have ${cells} cells, more than the ${MAX_CELLS} of one file. Write several files.`,
  );
}

/** Returns the summary of a sheet for the answer. */
export function sheetSummary(
  name: string,
  { columns, rows }: { columns: unknown[]; rows: unknown[] },
) {
  return { name, columns: columns.length, rows: rows.length };
}

const MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Writes a workbook of one or more sheets. */
export async function xlsxFile(input: XlsxInput, context: ToolContext): Promise<SpreadsheetFile> {
  const filename = withExtension("xlsx", input.filename);
  const named = namedRows(input, context);
  checkCellCount(named);
  const sheets = named.map(({ name, ...rows }) => ({ name, ...typedSheet(rows, MAX_CELL_TEXT) }));
  // Loaded at the first use, so that the service starts faster.
  const { writeWorkbook } = await import("./workbook.ts");
  return {
    file: { filename, mediaType: MEDIA_TYPE, bytes: await writeWorkbook(sheets) },
    sheets: sheets.map((sheet) => sheetSummary(sheet.name, sheet)),
    notes: sheets.flatMap(({ name, notes }) => notes.map((note) => `Sheet "${name}": ${note}`)),
  };
}

interface NamedRows extends Rows {
  name: string;
}

function namedRows({ sheets, sources }: XlsxInput, context: ToolContext): NamedRows[] {
  const taken = new Set<string>();
  return sheets.map(({ name, ...given }) => {
    checkName(name, taken);
    try {
      return { name, ...resolveRows(given, sources, context) };
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      return fail(`Sheet "${name}": ${error.message}`);
    }
  });
}

/** Fails for a name that a sheet cannot have: Excel ignores case and reserves one. */
function checkName(name: string, taken: Set<string>): void {
  const key = name.toLowerCase();
  if (taken.has(key)) fail(`Two sheets cannot both be called "${name}".`);
  taken.add(key);
  if (key === "history") fail('Excel reserves the name "History". Choose another.');
  if (toCellText(name) !== name) {
    fail(`"${name}" contains characters that a workbook cannot hold.`);
  }
}

/** Writes a CSV file, with the values as they are given. */
export function csvFile(input: CsvInput, context: ToolContext): SpreadsheetFile {
  const filename = withExtension("csv", input.filename);
  const rows = resolveRows(input, input.sources, context);
  checkCellCount([rows]);
  const bytes = encoded(withNote(toCsv(rows), "text/csv", rows.caveat));
  return {
    file: { filename, mediaType: "text/csv", bytes },
    sheets: [sheetSummary(filename, rows)],
    notes: caveatNotes(rows.caveat),
  };
}

/**
 * Encodes a text in UTF-8, with a byte order mark unless it is ASCII. Without the mark Excel reads other
 * characters in an old code page; with it simple readers add the mark to the first column's name.
 */
function encoded(text: string): Uint8Array {
  const mark = /^\p{ASCII}*$/u.test(text) ? "" : "\ufeff";
  return new TextEncoder().encode(mark + text);
}

/** Returns the rows that a call gives or references, under its chosen columns; `sources` are those of given rows. */
export function resolveRows(
  { columns, rows, from }: RowsInput,
  sources: readonly string[] | undefined,
  context: ToolContext,
): Rows {
  if (from !== undefined) {
    if (rows !== undefined) fail("Give either rows or from, not both.");
    const table = toTable(contentOfCall(from, context));
    const chosen = columns ? choose(table, columns) : table;
    return { ...chosen, caveat: cutNote(context.cutsOf([from])) };
  }
  if (rows === undefined) return fail("Give rows, or an earlier call in from.");
  if (columns === undefined) return fail("Rows need columns, each with a name.");
  const value = { columns: columns.map(({ name }) => name), rows };
  return {
    columns: columns.map(({ name, header }) => header ?? name),
    rows: toTable({ from: "value", value }).rows,
    caveat: cutNote(context.cutsOf(basisOf(sources, context))),
  };
}

/** Selects columns. A column keeps its original name, however the call writes it. */
function choose({ columns: names, rows }: Table, columns: ColumnInput[]): Table {
  const places = columns.map(({ name }) => findColumn(names, name));
  return {
    columns: columns.map(({ name, header }, at) => header ?? names[places[at] ?? -1] ?? name),
    rows: rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}
