import type { SheetInput, XlsxInput } from "../../../contract/tools/write-spreadsheet.ts";
import { fileNameWith } from "../file-name.ts";
import { type Made, made, notMade } from "../material/made.ts";
import type { ToolContext } from "../tool.ts";
import { checkedFile, checkSize, type SpreadsheetFile, sizeOf } from "./file.ts";
import { type Rows, rowsOf } from "./rows.ts";
import { typedSheet } from "./sheet.ts";
import { cellText, MAX_CELL_TEXT } from "./text.ts";

const MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Writes a workbook of one or more sheets. */
export async function xlsxFile(
  input: XlsxInput,
  context: ToolContext,
): Promise<Made<SpreadsheetFile>> {
  const filename = fileNameWith("xlsx", input.filename);
  if (!filename.ok) return filename;
  const named = namedRows(input.sheets, context);
  if (!named.ok) return named;
  const size = checkSize(named.value);
  if (!size.ok) return size;
  const sheets = named.value.map(({ name, ...rows }) => ({
    name,
    ...typedSheet(rows, MAX_CELL_TEXT),
  }));
  // Loaded at its first use: starting the service does not wait for it.
  const { workbook } = await import("./workbook.ts");
  const file = {
    filename: filename.value,
    mediaType: MEDIA_TYPE,
    bytes: await workbook(sheets),
  };
  return checkedFile({
    file,
    sheets: sheets.map((sheet) => sizeOf(sheet.name, sheet)),
    notes: sheets.flatMap(({ name, notes }) => notes.map((note) => `Sheet "${name}": ${note}`)),
  });
}

interface NamedRows extends Rows {
  name: string;
}

function namedRows(sheets: readonly SheetInput[], context: ToolContext): Made<NamedRows[]> {
  const taken = new Set<string>();
  const named: NamedRows[] = [];
  for (const { name, ...given } of sheets) {
    const wrong = wrongName(name, taken);
    if (wrong !== null) return notMade(wrong);
    const rows = rowsOf(given, context);
    if (!rows.ok) return notMade(`Sheet "${name}": ${rows.message}`);
    named.push({ name, ...rows.value });
  }
  return made(named);
}

/** Excel tells names apart without their case, and keeps one for itself. */
function wrongName(name: string, taken: Set<string>): string | null {
  const key = name.toLowerCase();
  if (taken.has(key)) return `Two sheets cannot both be called "${name}".`;
  taken.add(key);
  if (key === "history") return 'Excel keeps the name "History" for itself.';
  return cellText(name) === name ? null : `"${name}" holds characters that a workbook cannot.`;
}
