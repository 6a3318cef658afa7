import type { Json } from "../../../contract/json.ts";
import { MAX_RESULT_BYTES } from "./limits.ts";
import type { Table } from "./table.ts";

const encoder = new TextEncoder();

/** Keeps the first rows that fit a result; a first row too long by itself has its cells shortened. */
export function fitResult({ columns, rows }: Table): { rows: Json[][]; cut: boolean } {
  const room = MAX_RESULT_BYTES - bytesOf(columns);
  const kept: Json[][] = [];
  let used = 0;
  for (const row of rows) {
    used += bytesOf(row) + 1;
    if (used > room) break;
    kept.push(row);
  }
  const first = rows[0];
  if (kept.length > 0 || first === undefined) return { rows: kept, cut: kept.length < rows.length };
  return { rows: [shortenedRow(first, room)], cut: true };
}

function bytesOf(value: Json): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Gives each cell an equal share of the room; a list or object too long for it becomes its text. */
function shortenedRow(row: readonly Json[], room: number): Json[] {
  const share = Math.floor(room / row.length) - 1;
  return row.map((cell) => {
    if (bytesOf(cell) <= share) return cell;
    const text = typeof cell === "string" ? cell : JSON.stringify(cell);
    return startOf(text, share);
  });
}

/** The longest start of a text whose JSON takes at most so many bytes, found by halving. */
function startOf(text: string, most: number): string {
  let low = 0;
  let high = Math.min(text.length, most);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(0, middle)) <= most) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\ud800-\udbff]$/, "");
}
