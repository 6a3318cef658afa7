import type { Json } from "../../../../../contract/json.ts";
import type { NamedTable, Source } from "../../../../tools/process-data/source.ts";
import { normalizeName, type Table } from "../../../../tools/process-data/table.ts";
import { cellText } from "../../../../tools/process-data/values/cells.ts";
import { parseDate } from "../../../../tools/process-data/values/dates.ts";
import { parseNumber } from "../../../../tools/process-data/values/numbers.ts";
import type { MaterialTable } from "../../program.ts";
import { inlineRows } from "./json-tables.ts";

/** Returns the tables of a page that list things, as a reader sees them. */
export function htmlTables(source: Source): MaterialTable[] {
  const written = writtenRows(source.text);
  const named = source.tables();
  const isMatched = written.length === named.length;
  const tables = named.flatMap((one, index): MaterialTable[] => {
    if (isProperties(one.table)) return [];
    const rows = isMatched ? written[index] : undefined;
    return [tableOf(one, index, rows)];
  });
  return mergedTables(tables);
}

function tableOf(
  { table, caption }: NamedTable,
  index: number,
  written: string[][] | undefined,
): MaterialTable {
  const read = withHeadings(withAddresses(table, written));
  if (read === table) {
    return { kind: "table", caption, ...table, extract: { kind: "table", index } };
  }
  return { kind: "table", caption, ...inlineTable(read) };
}

/** Whether the first column of a table names what its second one says: the properties of one thing. */
export function isProperties({ columns, rows }: Table): boolean {
  const [left = "", right = ""] = columns;
  if (columns.length !== 2) return false;
  if (FIELDS.has(left.toLowerCase()) && VALUES.has(right.toLowerCase())) return true;
  return !isListing(right, rows) && (isUnnamed(right) || parseNumber(right) !== null);
}

/** The headings of a table of properties, if it has any. */
const FIELDS = new Set(["field", "property", "attribute", "key", "detail", "fact", "label"]);
const VALUES = new Set(["value", "values", "detail", "details", "content"]);

/** Whether the second column holds numbers only, as in "Item | Price". */
function isListing(heading: string, rows: readonly Json[][]): boolean {
  const isNumeric = rows.every((row) => parseNumber(cellText(row[1] ?? null)) !== null);
  return rows.length > 0 && parseNumber(heading) === null && isNumeric;
}

/** Whether a column has only the name that the reader of tables gave it. */
function isUnnamed(column: string): boolean {
  return /^column \d+( \d+)?$/i.test(column);
}

/** Takes a first row of plain cells as the headings of a table without any. */
function withHeadings(table: Table): Table {
  const [first, ...rows] = table.rows;
  const isNameless = table.columns.every(isUnnamed);
  if (!isNameless || first === undefined || rows.length < 2 || !readsAsHeadings(first))
    return table;
  const isListed = rows.every((row) => parseNumber(cellText(row[1] ?? null)) !== null);
  const isWide = table.columns.length > 2 || (table.columns.length === 2 && isListed);
  return isWide ? { columns: first.map(cellText), rows } : table;
}

/** Whether cells are short, different, and without digits. */
function readsAsHeadings(row: readonly Json[]): boolean {
  const texts = row.map(cellText);
  const isPlain = texts.every((text) => text !== "" && text.length <= 40 && !/[\d@]/.test(text));
  return isPlain && new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
}

/** Returns the rows of each table in a page's Markdown as its cells are written, without headings. */
function writtenRows(markdown: string): string[][][] {
  if (!markdown.includes("(mailto:")) return [];
  const tables: string[][][] = [];
  let isInside = false;
  for (const line of markdown.split("\n")) {
    const isRow = line.startsWith("|");
    if (isRow && !isInside) tables.push([]);
    if (isRow) tables.at(-1)?.push(line.split(/(?<!\\)\|/).slice(1, -1));
    isInside = isRow;
  }
  return tables.map((rows) => rows.slice(2));
}

/** Shows the e-mail addresses behind links in place of the links' words. */
function withAddresses(table: Table, written: string[][] | undefined): Table {
  if (written === undefined || written.length !== table.rows.length) return table;
  let isChanged = false;
  const rows = table.rows.map((row, y) =>
    row.map((cell, x) => {
      const address = /\(mailto:([^()?\s]+@[^()?\s]+)/i.exec(written[y]?.[x] ?? "")?.[1];
      if (address === undefined || cellText(cell).includes("@")) return cell;
      isChanged = true;
      return address;
    }),
  );
  return isChanged ? { ...table, rows } : table;
}

/**
 * Merges tables with the same columns, which are parts of one list: the first alone would pass for the
 * whole. Their captions become a column.
 */
function mergedTables(tables: readonly MaterialTable[]): MaterialTable[] {
  const groups = new Map<string, MaterialTable[]>();
  for (const table of tables) {
    const key = table.columns.map(normalizeName).join("|");
    groups.set(key, [...(groups.get(key) ?? []), table]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return group;
    return [underOneAnother(first, group)];
  });
}

function underOneAnother(first: MaterialTable, group: readonly MaterialTable[]): MaterialTable {
  const captions = group.map(({ caption }) => caption?.trim() ?? "");
  const isTold = captions.every(Boolean) && new Set(captions).size === captions.length;
  const name = columnOfCaptions(captions);
  const hasColumn = isTold && !first.columns.includes(name);
  const rows = group.flatMap(({ rows: own }, index) =>
    hasColumn ? own.map((row) => [...row, captions[index] ?? ""]) : own,
  );
  const columns = hasColumn ? [...first.columns, name] : first.columns;
  return { kind: "table", caption: null, ...inlineTable({ columns, rows }) };
}

function columnOfCaptions(captions: readonly string[]): string {
  if (captions.every((caption) => /day\b/i.test(caption) || parseDate(caption) !== null))
    return "Day";
  return captions.every((caption) => /\b(?:19|20)\d\d\b/.test(caption)) ? "Year" : "Section";
}

function inlineTable({ columns, rows }: Table) {
  return inlineRows(
    rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null]))),
  );
}
