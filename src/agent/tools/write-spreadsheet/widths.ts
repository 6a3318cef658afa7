import type { DateUnit, SheetCell } from "./cells/cell.ts";

/** Characters of a column at least and at most; long texts are read by widening it. */
const NARROWEST = 8;
const WIDEST = 60;
/** The margins of a cell, and the button of a filter. */
const MARGIN = 2;

const DATE_WIDTHS: Record<DateUnit, number> = { day: 10, second: 19, millisecond: 23 };

/** Scripts and pictures that take the room of two letters. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|[\u{20000}-\u{3ffff}]|\p{Emoji_Presentation}/gu;

/** A width, in characters, in which the header and most cells can be read. */
export function fittedWidth(header: string, cells: readonly SheetCell[]): number {
  let widest = textWidth(header) * 1.1; // a header is bold
  for (const cell of cells) {
    if (widest >= WIDEST) break;
    widest = Math.max(widest, cellWidth(cell));
  }
  return Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(widest) + MARGIN));
}

function cellWidth(cell: SheetCell): number {
  switch (cell.kind) {
    case "empty":
      return 0;
    case "text":
    case "link":
      return textWidth(cell.text);
    case "number":
      return numberWidth(cell.value, cell.format ?? "");
    case "date":
      return DATE_WIDTHS[cell.unit];
    case "boolean":
      return 5;
  }
}

function numberWidth(value: number, format: string): number {
  const digits = String(value).length;
  const whole = String(Math.trunc(value)).length;
  const grouping = format.includes(",") ? Math.floor(whole / 3) : 0;
  const affixes = format.replace(/[#0,."]/g, "").length;
  const decimals = /\.(0+)/.exec(format)?.[1]?.length ?? 0;
  const shown = format === "" ? digits : whole + (decimals > 0 ? decimals + 1 : 0);
  return shown + grouping + affixes;
}

/** Of several lines the longest. */
function textWidth(text: string): number {
  const start = text.slice(0, 4 * WIDEST);
  return Math.max(...start.split("\n").map(lineWidth));
}

function lineWidth(line: string): number {
  if (/^[ -~]*$/.test(line)) return line.length;
  return [...line].length + (line.match(WIDE)?.length ?? 0);
}
