import type { Json } from "../../../../contract/json.ts";
import type { Table } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import type { Page } from "./pages.ts";

/** Whether a row reads as headings: short, different texts without digits or addresses. */
function readsAsHeadings(row: readonly Json[]): boolean {
  const texts = row.map(cellText);
  const plain = texts.every((text) => text !== "" && text.length <= 40 && !/[\d@]/.test(text));
  return plain && new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
}

/** A table whose headings stand in its first row of plain cells, with these as its columns. */
function withHeadings(table: Table): Table {
  const [first, ...rows] = table.rows;
  const nameless = table.columns.every((column) => /^Column \d+$/.test(column));
  if (!nameless || first === undefined || rows.length < 2 || !readsAsHeadings(first)) return table;
  // Two columns without headings are one thing's labels and values, unless the second is all numbers.
  const listed = rows.every((row) => parseNumber(cellText(row[1] ?? null)) !== null);
  const wide = table.columns.length > 2 || (table.columns.length === 2 && listed);
  return wide ? { columns: first.map(cellText), rows } : table;
}

/** The rows of each table in a page's Markdown, as their cells are written; headings left out. */
function writtenTables(page: Page): string[][][] {
  const tables: string[][][] = [];
  let inside = false;
  for (const line of page.source.text.split("\n")) {
    const isRow = line.startsWith("|");
    if (isRow && !inside) tables.push([]);
    if (isRow) tables.at(-1)?.push(line.split(/(?<!\\)\|/).slice(1, -1));
    inside = isRow;
  }
  return tables.map((rows) => rows.slice(2));
}

/** The address behind a cell such as `[Mail](mailto:ann@x.org)`; null where there is none. */
function mailAddress(written: string | undefined): string | null {
  const address = /\(mailto:([^()?\s]{3,200})/i.exec(written ?? "")?.[1];
  return address === undefined || !address.includes("@") ? null : address;
}

/** The table with the e-mail addresses that stand behind its links in place of the links' words. */
function withAddresses(table: Table, written: string[][] | undefined): Table {
  if (written === undefined || written.length !== table.rows.length) return table;
  const rows = table.rows.map((row, y) =>
    row.map((cell, x) => {
      const address = cellText(cell).includes("@") ? null : mailAddress(written[y]?.[x]);
      return address ?? cell;
    }),
  );
  return { ...table, rows };
}

/** A table as a reader sees it, and whether that differs from what the page reader made of it. */
export interface ReadTable {
  table: Table;
  caption: string;
  changed: boolean;
}

/** The tables of a page with their headings found and the addresses behind their links shown. */
export function tablesOf(page: Page): ReadTable[] {
  const written = writtenTables(page);
  const tables = page.source.tables();
  const matched = written.length === tables.length;
  const linked = /\(mailto:/i.test(page.source.text);
  return tables.map(({ table, caption }, at) => {
    const addressed = linked && matched ? withAddresses(table, written[at]) : table;
    const read = withHeadings(addressed);
    const changed = JSON.stringify(read) !== JSON.stringify(table);
    return { table: read, caption: caption ?? "", changed };
  });
}
