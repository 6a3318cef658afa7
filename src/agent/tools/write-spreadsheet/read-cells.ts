import type { Json } from "../../../contract/json.ts";
import type { ColumnType } from "../../../contract/tools/write-spreadsheet.ts";
import { cutAt } from "../text.ts";
import {
  dayOf,
  EMPTY,
  isIdentifier,
  isoDate,
  isoText,
  lenientNumber,
  plainNumber,
  type SheetCell,
  timeOf,
  unambiguousNumber,
} from "./cell.ts";

/** Cells of a column, and how many values were not what the column's type asks for. */
export interface ReadColumn {
  cells: SheetCell[];
  unread: number;
}

/**
 * Reads a column's values as its type asks. A value that is no such thing is written as it is. Under
 * `auto`, one identifier in a column makes the other whole numbers of it identifiers too: a column
 * of codes in which only those with a leading zero are text could neither be sorted nor looked up.
 */
export function readColumn(values: readonly Json[], type: ColumnType): ReadColumn {
  if (type === "auto") {
    const read = values.some(isIdentifierText) ? readAmongIdentifiers : readAuto;
    return { cells: values.map(read), unread: 0 };
  }
  let unread = 0;
  const cells = values.map((value) => {
    if (value === null || value === "") return EMPTY;
    const cell = readAs(value, type);
    if (cell === null) unread++;
    return cell ?? readPlain(value);
  });
  return { cells, unread };
}

/** Types a value if its type is unambiguous, else as text. */
export function readAuto(value: Json): SheetCell {
  if (typeof value !== "string") return readPlain(value);
  if (/^(?:true|false)$/i.test(value)) return booleanCell(value.length === 4);
  return (
    linkOf(value, /^https?:\/\//i) ?? isoDate(value) ?? unambiguousNumber(value) ?? textCell(value)
  );
}

function readAmongIdentifiers(value: Json): SheetCell {
  return typeof value === "string" && /^\d+$/.test(value.trim())
    ? textCell(value)
    : readAuto(value);
}

function isIdentifierText(value: Json): boolean {
  return typeof value === "string" && /^\d+$/.test(value.trim()) && isIdentifier(value.trim());
}

/** Types a value by its JSON type; lists and objects become JSON text. */
function readPlain(value: Json): SheetCell {
  if (value === null) return EMPTY;
  if (typeof value === "boolean") return booleanCell(value);
  if (typeof value === "number") return plainNumber(value) ?? textCell(String(value));
  return textCell(typeof value === "string" ? value : JSON.stringify(value));
}

function readAs(value: Json, type: Exclude<ColumnType, "auto">): SheetCell | null {
  switch (type) {
    case "text":
      return textCell(typeof value === "string" ? value : JSON.stringify(value));
    case "number":
      if (typeof value === "number") return plainNumber(value);
      return typeof value === "string" ? lenientNumber(value) : null;
    case "date":
      return typeof value === "string" ? dayOf(value) : null;
    case "datetime":
      return typeof value === "string" ? timeOf(value) : null;
    case "boolean":
      return typeof value === "object" ? null : truth(String(value));
    case "link":
      return typeof value === "string" ? linkOf(value, /^(?:https?:\/\/|mailto:)/i) : null;
  }
}

function truth(text: string): SheetCell | null {
  const word = text.trim().toLowerCase();
  if (/^(?:true|yes|y|1|on)$/.test(word)) return booleanCell(true);
  return /^(?:false|no|n|0|off)$/.test(word) ? booleanCell(false) : null;
}

/** The longest link target that Excel accepts. */
const MAX_URL = 2_079;

function linkOf(text: string, scheme: RegExp): SheetCell | null {
  const address = text.trim();
  if (!scheme.test(address) || /\s/.test(address)) return null;
  const url = URL.parse(address)?.href;
  return url === undefined || url.length > MAX_URL ? null : { kind: "link", text, url };
}

function booleanCell(value: boolean): SheetCell {
  return { kind: "boolean", value };
}

function textCell(text: string): SheetCell {
  return text === "" ? EMPTY : { kind: "text", text };
}

/** Returns a cell's value without its format; a date as ISO 8601. */
export function plainValue(cell: SheetCell): string | number | boolean | null {
  switch (cell.kind) {
    case "empty":
      return null;
    case "text":
    case "link":
      return cell.text;
    case "date":
      return isoText(cell.at, cell.unit);
    case "number":
    case "boolean":
      return cell.value;
  }
}

/** The most characters of an Excel cell. */
export const MAX_CELL_TEXT = 32_767;

/**
 * Characters that XML 1.0 (§2.2) forbids: controls except tab and line breaks, lone surrogates, U+FFFE
 * and U+FFFF.
 */
const FORBIDDEN = /(?![\t\n\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

/** Converts a text for a cell: plain line feeds, no characters forbidden in XML, not too long. */
export function toCellText(text: string): string {
  return cutAt(text.replace(/\r\n?/g, "\n").replace(FORBIDDEN, ""), MAX_CELL_TEXT);
}
