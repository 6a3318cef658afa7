import {
  type Cell,
  type CellStyle,
  calculateColumnWidth,
  type WriteSheet,
  writeXlsx,
} from "hucre/xlsx";
import { type Sheet, type SheetCell, toCellText } from "./cells.ts";

/** A sheet with its tab's name. */
export interface NamedSheet extends Sheet {
  name: string;
}

const FONT = { name: "Calibri", size: 11 };
const HEADER: CellStyle = { font: { ...FONT, bold: true } };
const LINK: CellStyle = { font: { ...FONT, underline: true, color: { rgb: "0563C1" } } };
const LINES: CellStyle = { alignment: { wrapText: true, vertical: "top" } };
/** The limits of a column's width in characters. */
const WIDTHS = { minWidth: 8, maxWidth: 60 };

const ERROR = /^#(?=(?:CALC!|DIV\/0!|GETTING_DATA|N\/A|NAME\?|NULL!|NUM!|REF!|SPILL!|VALUE!)$)/;

/** The most links of a sheet that Excel opens. */
const MAX_LINKS = 65_530;

/** Writes an .xlsx workbook; each sheet has a bold, frozen header. */
export async function writeWorkbook(sheets: readonly NamedSheet[]): Promise<Uint8Array> {
  return writeXlsx({ sheets: sheets.map(writtenSheet) });
}

function writtenSheet({ name, columns, rows, caveat }: NamedSheet): WriteSheet {
  const header = columns.map(stored);
  const styled = new Map<string, Partial<Cell>>();
  for (const [index, text] of header.entries()) {
    styled.set(`0,${index}`, { ...asText(text), style: HEADER });
  }
  let links = 0;
  const values = rows.map((row, rowIndex) =>
    row.map((cell, index) => {
      const isTooMany = cell.url !== undefined && ++links > MAX_LINKS;
      const looks = isTooMany ? null : looksOf(cell);
      if (looks) styled.set(`${rowIndex + 1},${index}`, looks);
      return typeof cell.value === "string" ? stored(cell.value) : cell.value;
    }),
  );
  return {
    name,
    rows: [header, ...values, ...(caveat === null ? [] : [[], [stored(caveat)]])],
    cells: styled,
    columns: header.map((text, index) => {
      const numFmt = rows.find((row) => row[index]?.format)?.[index]?.format;
      const shown = [text, ...values.map((row) => row[index] ?? null)];
      return { width: calculateColumnWidth(shown, { ...WIDTHS, ...(numFmt && { numFmt }) }) };
    }),
    freezePane: { rows: 1 },
  };
}

function looksOf({ value, format, url }: SheetCell): Partial<Cell> | null {
  if (url !== undefined) return { style: LINK, hyperlink: { target: url } };
  if (format !== undefined) return { style: { numFmt: format } };
  if (typeof value !== "string") return null;
  return value.includes("\n") ? { style: LINES } : asText(value);
}

/** Writes the name of an error as rich text: a plain string would become that error. */
function asText(text: string): Partial<Cell> | null {
  return ERROR.test(text) ? { richText: [{ text }] } : null;
}

/**
 * Escapes a text for the file: `_x0041_` would be read as "A" (ECMA-376 part 1, §22.9.2.19), so its first
 * `_` is written as a code.
 */
function stored(text: string): string {
  return toCellText(text).replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_");
}
