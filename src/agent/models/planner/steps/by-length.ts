import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { inlineSheet, type Sheet } from "../view/sheets.ts";

const LENGTH = /\b(?:the )?(longest|shortest)(?: of)?(?: all)?(?: the)?\b/;

/** "The longest heading": the rows whose text in a column is longest or shortest; ties stay together. */
export function byLength(
  text: string,
  sheet: Sheet,
  column: string,
): { text: string; sheet: Sheet } {
  const wanted = LENGTH.exec(text)?.[1];
  const at = sheet.columns.indexOf(column);
  if (wanted === undefined || at < 0 || sheet.rows.length === 0) return { text, sheet };
  const lengthOf = (row: Json[]): number => [...cellText(row[at] ?? null)].length;
  const lengths = sheet.rows.map(lengthOf);
  const best = wanted === "longest" ? Math.max(...lengths) : Math.min(...lengths);
  const rows = sheet.rows.filter((row) => lengthOf(row) === best);
  const picked = inlineSheet(sheet.kind, sheet.columns, rows, sheet.pages);
  return { text: text.replace(LENGTH, " "), sheet: picked ?? sheet };
}
