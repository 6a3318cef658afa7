import type { OutputFile } from "../../../contract/tools/answer.ts";
import type { SpreadsheetContent } from "../../../contract/tools/write-spreadsheet.ts";
import { type Made, made, notMade } from "../material/made.ts";
import type { Rows } from "./rows.ts";

/** A file that was written, and what there is to say about it. */
export interface SpreadsheetFile extends Pick<SpreadsheetContent, "sheets" | "notes"> {
  file: OutputFile;
}

const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 5 * MIB;
/** What can be written within the memory of a Worker, which others need too. */
const MAX_CELLS = 100_000;

/** Refuses rows that together have more cells than one file is made of. */
export function checkSize(sheets: readonly Pick<Rows, "columns" | "rows">[]): Made<null> {
  const cells = sheets.reduce((sum, { columns, rows }) => sum + columns.length * rows.length, 0);
  return cells <= MAX_CELLS
    ? made(null)
    : notMade(`These are ${cells} cells; one file has ${MAX_CELLS} at most. Write several files.`);
}

/** Refuses a file that is too large to be handed over. */
export function checkedFile(written: SpreadsheetFile): Made<SpreadsheetFile> {
  return written.file.bytes.byteLength <= MAX_FILE_BYTES
    ? made(written)
    : notMade(`The file is over ${MAX_FILE_BYTES / MIB} MiB. Write several files, of fewer rows.`);
}

/** A sheet as the answer tells of it. */
export function sizeOf(name: string, { columns, rows }: Pick<Rows, "columns" | "rows">) {
  return { name, columns: columns.length, rows: rows.length };
}
