import type { Table } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";

/** Columns that a table of objects has at most: with more of them each object reads better alone. */
const MOST_COLUMNS = 12;

/** A list of objects of one kind as a table; null where it is none. */
export function tableOf(value: Json): Table | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const columns = columnsOf(value[0]);
  if (columns === null) return null;
  const rows: Json[][] = [];
  for (const item of value) {
    if (columnsOf(item)?.join("\0") !== columns.join("\0") || !isFlat(item)) return null;
    rows.push(Object.values(item));
  }
  return { columns, rows };
}

function columnsOf(item: Json | undefined): string[] | null {
  if (item === undefined || !isFlat(item)) return null;
  const names = Object.keys(item);
  return names.length === 0 || names.length > MOST_COLUMNS ? null : names;
}

function isFlat(item: Json): item is { [name: string]: Json } {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return false;
  return Object.values(item).every((value) => value === null || typeof value !== "object");
}

/** A piece of a text: what is to be read as it stands, or a table in Markdown. */
export type Piece = { text: string } | { table: Table };

/** Takes a text apart at its tables. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let prose: string[] = [];
  const endProse = () => {
    const said = prose.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
    if (said !== "") pieces.push({ text: said });
    prose = [];
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const found = tableAt(lines, at);
    if (found === null) {
      prose.push(lines[at] ?? "");
      continue;
    }
    endProse();
    pieces.push({ table: found });
    at += found.rows.length + 1;
  }
  endProse();
  return pieces;
}

/** The table that begins at this line: its names, a line of dashes, its rows. */
function tableAt(lines: readonly string[], at: number): Table | null {
  const columns = cellsOf(lines[at]);
  const dashes = cellsOf(lines[at + 1]);
  if (columns === null || dashes?.length !== columns.length) return null;
  if (!dashes.every((cell) => /^:?-+:?$/.test(cell))) return null;
  const rows: string[][] = [];
  for (let next = at + 2; ; next += 1) {
    const cells = cellsOf(lines[next]);
    if (cells === null) return { columns, rows };
    rows.push(columns.map((_, column) => cells[column] ?? ""));
  }
}

/** The cells of a line of a table; `\|` is a bar within one. */
function cellsOf(line: string | undefined): string[] | null {
  const inner = /^\s*\|(.*)\|\s*$/.exec(line ?? "")?.[1];
  if (inner === undefined) return null;
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
