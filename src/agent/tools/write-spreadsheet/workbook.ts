import {
  type Cell,
  type CellStyle,
  type CellValue,
  measureValueWidth,
  type WriteSheet,
  writeXlsx,
} from "hucre/xlsx";
import { type DateUnit, EMPTY, type SheetCell } from "./cell.ts";
import { toCellText } from "./read-cells.ts";
import type { Column, Sheet } from "./rows.ts";

/** A sheet with its tab's name. */
export interface NamedSheet extends Sheet {
  name: string;
}

const FONT = { name: "Calibri", size: 11 };
const HEADER: CellStyle = { font: { ...FONT, bold: true } };
const LINK: CellStyle = { font: { ...FONT, underline: true, color: { rgb: "0563C1" } } };
const LINES: CellStyle = { alignment: { wrapText: true, vertical: "top" } };

const DATE_FORMATS: Record<DateUnit, string> = {
  day: "yyyy-mm-dd",
  second: "yyyy-mm-dd hh:mm:ss",
  millisecond: "yyyy-mm-dd hh:mm:ss.000",
};

const ERROR = /^#(?=(?:CALC!|DIV\/0!|GETTING_DATA|N\/A|NAME\?|NULL!|NUM!|REF!|SPILL!|VALUE!)$)/;

/** The most links of a sheet that Excel opens. */
const MAX_LINKS = 65_530;

/** Writes an .xlsx workbook; each sheet has a bold, frozen header. */
export async function writeWorkbook(sheets: readonly NamedSheet[]): Promise<Uint8Array> {
  return writeXlsx({ sheets: sheets.map(writtenSheet) });
}

function writtenSheet({ name, columns, rows, caveat }: NamedSheet): WriteSheet {
  const header = columns.map((column) => stored(column.header));
  const styled = new Map<string, Partial<Cell>>();
  for (const [index, text] of header.entries()) {
    styled.set(`0,${index}`, { ...asText(text), style: HEADER });
  }
  let links = 0;
  const values = rows.map((row, rowIndex) =>
    row.map((cell, index) => {
      if (cell.kind === "link" && ++links > MAX_LINKS) return stored(cell.text);
      const looks = looksOf(cell, columns[index]);
      if (looks) styled.set(`${rowIndex + 1},${index}`, looks);
      return storedValue(cell);
    }),
  );
  return {
    name,
    rows: [header, ...values, ...(caveat === null ? [] : [[], [stored(caveat)]])],
    cells: styled,
    columns: columns.map((column, index) => ({ width: widthOf(column, rows, index) })),
    freezePane: { rows: 1 },
  };
}

function storedValue(cell: SheetCell): CellValue {
  switch (cell.kind) {
    case "empty":
      return null;
    case "text":
    case "link":
      return stored(cell.text);
    case "date":
      return new Date(cell.at);
    case "number":
    case "boolean":
      return cell.value;
  }
}

function looksOf(cell: SheetCell, column: Column | undefined): Partial<Cell> | null {
  switch (cell.kind) {
    case "date":
      return { style: { numFmt: column?.format ?? DATE_FORMATS[cell.unit] } };
    case "number": {
      const numFmt = column?.format ?? cell.format;
      return numFmt === undefined ? null : { style: { numFmt } };
    }
    case "link":
      return { style: LINK, hyperlink: { target: cell.url } };
    case "text":
      return cell.text.includes("\n") ? { style: LINES } : asText(cell.text);
    default:
      return null;
  }
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

/** The limits of a column's width in characters. */
const NARROWEST = 8;
const WIDEST = 60;
/** Room for the margins of a cell and a filter button. */
const MARGIN = 2;

/** Returns the width, in characters, that fits the header and most cells, unless the column has one. */
function widthOf(column: Column, rows: readonly SheetCell[][], index: number): number {
  if (column.width !== undefined) return column.width;
  let widest = measureValueWidth(column.header) * 1.1; // a header is bold
  for (const row of rows) {
    const cell = row[index] ?? EMPTY;
    if (widest >= WIDEST) break;
    widest = Math.max(
      widest,
      measureValueWidth(storedValue(cell), looksOf(cell, column)?.style?.numFmt),
    );
  }
  return Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(widest) + MARGIN));
}
