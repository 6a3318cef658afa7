import { linesOf } from "../markdown.ts";
import type { Source } from "../source/source.ts";
import { type Extracted, tableOf } from "../table.ts";
import { pricesOfLines } from "./price-lines.ts";
import { pricesOfTable } from "./price-table.ts";

/** Prices with the item that they stand beside, from tables and from the lines of the text. */
export function extractPrices(source: Source): Extracted {
  const tables = source.tables();
  const fromTables = tables.flatMap(({ table }) => pricesOfTable(table));
  // Structured data has its tables only; a page's Markdown repeats its tables as lines with bars.
  const isData = source.json() !== undefined && tables.length > 0;
  const passages = isData ? [] : source.passages();
  const lines = passages
    .flatMap(linesOf)
    .filter((line) => tables.length === 0 || !line.startsWith("|"));
  return tableOf(["text", "price", "currency"], [...fromTables, ...pricesOfLines(lines)]);
}
