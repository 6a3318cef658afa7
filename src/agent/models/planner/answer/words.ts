import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { Form } from "../plan/types.ts";
import type { Page } from "../view/pages.ts";

/** "a, b and c". */
export function listed(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  if (noun === "person") return `${count} people`;
  if (noun === "child") return `${count} children`;
  const plural =
    noun.endsWith("y") && !/[aeiou]y$/.test(noun)
      ? `${noun.slice(0, -1)}ies`
      : noun.endsWith("s")
        ? `${noun}es`
        : `${noun}s`;
  return `${count} ${plural}`;
}

/** Where pages lie, for a sentence: one or two addresses, else their number. */
export function placeOf(pages: readonly Page[]): string {
  const urls = [...new Set(pages.map((page) => page.url).filter(Boolean))];
  if (urls.length === 0) return "the given data";
  return urls.length <= 2 ? urls.join(" and ") : `${urls.length} pages`;
}

/** How the values of a column are written around their number: "$7.50" has "$" before. */
export interface Dress {
  before: string;
  after: string;
  decimals: number;
}

/** The common dress of a column's cells; null when they are bare numbers or dressed differently. */
export function dressOf(cells: readonly Json[]): Dress | null {
  const texts = cells.map(cellText).filter((text) => text !== "");
  const shapes = texts.map((text) =>
    /^([^\d\s.,+-]{0,4}\s?)[-+]?[\d.,]*?\d(?:[.,](\d{1,2}))?(\s?[^\d\s.,]{0,8})$/.exec(text),
  );
  const first = shapes[0];
  if (!first || texts.length === 0) return null;
  const before = first[1] ?? "";
  const after = first[3] ?? "";
  const alike = shapes.every(
    (shape) => (shape?.[1] ?? "") === before && (shape?.[3] ?? "") === after,
  );
  if (!alike || before + after === "") return null;
  const decimals = Math.max(...shapes.map((shape) => (shape?.[2] ?? "").length));
  return { before, after, decimals };
}

/** A figure in the dress of the column that it was made from; means are cut at 4 decimals. */
export function dressed(value: Json, dress: Dress | null): string {
  if (typeof value !== "number") return cellText(value);
  if (dress === null) return String(Number(value.toFixed(4)));
  const digits = dress.decimals > 0 ? value.toFixed(2) : String(Number(value.toFixed(2)));
  return `${dress.before}${digits}${dress.after}`;
}

const MAX_ROWS = 50;

function escaped(cell: Json): string {
  return cellText(cell).replace(/\|/g, "\\|").replace(/\s+/g, " ").slice(0, 300);
}

function gridLines(columns: readonly string[], rows: readonly Json[][]): string[] {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(escaped)),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(row.map(escaped))),
  ];
}

/** All rows as a Markdown table. */
export function gridText(columns: readonly string[], rows: readonly Json[][]): string {
  return gridLines(columns, rows).join("\n");
}

/** Rows as a Markdown table; the first 50, saying how many more there are. */
export function tableText(
  columns: readonly string[],
  rows: readonly Json[][],
  total = rows.length,
): string {
  const lines = gridLines(columns, rows.slice(0, MAX_ROWS));
  if (total > MAX_ROWS) lines.push(`… and ${total - MAX_ROWS} more rows.`);
  return lines.join("\n");
}

/** Values in one line or, as bullets, one to a line. */
export function valuesText(values: readonly string[], form: Form): string {
  const shown = values.slice(0, 100);
  const more = values.length > shown.length ? ` … and ${values.length - shown.length} more` : "";
  if (form === "list" || shown.join(", ").length > 600)
    return `\n${shown.map((value) => `- ${value}`).join("\n")}${more}`;
  return ` ${shown.join(", ")}${more}`;
}

/** Each row as an object under the columns' names. */
export function recordsOf(
  columns: readonly string[],
  rows: readonly Json[][],
): Record<string, Json>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
}
