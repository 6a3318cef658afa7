import Papa from "papaparse";
import { MAX_CELLS } from "../limits.ts";
import { type Extracted, tableOfGrid } from "../table.ts";
import { parseDate } from "../values/dates.ts";
import { parseNumber } from "../values/numbers.ts";

/** Lines that are read to tell whether a text is delimited. */
const SNIFFED_ROWS = 20;

/**
 * Reads delimited text; the delimiter is the one that gives the most even rows (RFC 4180 quoting).
 * The first row is the header unless it looks like data.
 */
export function readCsv(text: string): Extracted {
  const grid = gridOf(text, MAX_CELLS + 2);
  const header = grid[0]?.some(looksLikeData) ? undefined : grid[0];
  return tableOfGrid(header ?? [], header ? grid.slice(1) : grid);
}

/** Whether a text has at least two lines that one delimiter divides into equally many fields. */
export function looksLikeCsv(text: string): boolean {
  const [first, ...others] = gridOf(text, SNIFFED_ROWS);
  if (!first || first.length < 2 || others.length === 0) return false;
  return others.every((row) => row.length === first.length);
}

function gridOf(text: string, preview: number): string[][] {
  const { data } = Papa.parse<string[]>(text, { preview });
  return data.filter((row) => row.some((field) => field.trim() !== ""));
}

/** A number (years aside: they head columns), a date or an address is a value, not a name. */
function looksLikeData(field: string): boolean {
  if (/^(?:19|20)\d{2}$/.test(field.trim())) return false;
  if (parseNumber(field) !== null || parseDate(field) !== null) return true;
  return /^\s*https?:\/\//i.test(field) || /^\s*[^\s@]{1,64}@[^\s@]{1,255}\s*$/.test(field);
}
