import type { Json } from "../../../contract/json.ts";
import type { CsvInput } from "../../../contract/tools/write-spreadsheet.ts";
import { fileNameWith } from "../file-name.ts";
import { toCsv } from "../material/convert.ts";
import type { Made } from "../material/made.ts";
import type { ToolContext } from "../tool.ts";
import { plainValue } from "./cells/plain.ts";
import { checkedFile, checkSize, type SpreadsheetFile, sizeOf } from "./file.ts";
import { rowsOf } from "./rows.ts";
import { type Sheet, typedSheet } from "./sheet.ts";

/** Writes a CSV file. */
export function csvFile(input: CsvInput, context: ToolContext): Made<SpreadsheetFile> {
  const filename = fileNameWith("csv", input.filename);
  if (!filename.ok) return filename;
  const rows = rowsOf(input, context);
  if (!rows.ok) return rows;
  const size = checkSize([rows.value]);
  if (!size.ok) return size;
  const sheet = typedSheet(rows.value, Number.POSITIVE_INFINITY);
  const text = toCsv({
    columns: sheet.columns.map(({ header }) => header),
    rows: valuesOf(sheet, rows.value.rows),
  });
  const file = { filename: filename.value, mediaType: "text/csv", bytes: encoded(text) };
  return checkedFile({ file, sheets: [sizeOf(filename.value, sheet)], notes: sheet.notes });
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
