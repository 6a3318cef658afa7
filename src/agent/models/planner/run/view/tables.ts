import type { Json } from "../../../../../contract/json.ts";
import type { Source } from "../../../../tools/process-data/source.ts";
import { normalizeName, type Table } from "../../../../tools/process-data/table.ts";
import { cellText } from "../../../../tools/process-data/values/cells.ts";
import { parseDate } from "../../../../tools/process-data/values/dates.ts";
import { parseNumber } from "../../../../tools/process-data/values/numbers.ts";
import { records } from "../../../../tools/source-content.ts";
import type { MaterialTable } from "../../program.ts";
import { inlineRows } from "./json-tables.ts";

/**
 * Returns the tables of a page that list things, as a reader sees them. Tables with the same columns are
 * parts of one list, of which the first alone would pass for the whole: they are merged.
 */
export function htmlTables(source: Source): MaterialTable[] {
  const links = source.links();
  const groups = new Map<string, MaterialTable[]>();
  for (const [index, { table, caption }] of source.tables().entries()) {
    if (isProperties(table)) continue;
    const read = withAddresses(withHeadings(table), links);
    const rows =
      read === table ? { ...table, extract: { kind: "table" as const, index } } : inlineTable(read);
    const key = read.columns.map(normalizeName).join("|");
    groups.set(key, [...(groups.get(key) ?? []), { kind: "table", caption, ...rows }]);
  }
  return [...groups.values()].flatMap((group) => (group.length > 1 ? [merged(group)] : group));
}

/** Whether the first column of a table names what its second one says: the properties of one thing. */
export function isProperties({ columns, rows }: Table): boolean {
  const [left = "", right = ""] = columns;
  if (columns.length !== 2) return false;
  if (FIELD.test(left) && VALUE.test(right)) return true;
  const isNumber = parseNumber(right) !== null;
  return isNumber || (isUnnamed(right) && !areNumbers(rows));
}

/** The headings of a table of properties, if it has any. */
const FIELD = /^(?:field|property|attribute|key|detail|fact|label)$/i;
const VALUE = /^(?:values?|details?|content)$/i;

/** Whether the second cell of each row is a number, as in "Item | Price". */
function areNumbers(rows: readonly Json[][]): boolean {
  return rows.length > 0 && rows.every((row) => parseNumber(cellText(row[1] ?? null)) !== null);
}

/** Whether a column has only the name that the reader of tables gave it. */
function isUnnamed(column: string): boolean {
  return /^column \d+( \d+)?$/i.test(column);
}

/** Takes a first row of short, different cells without digits as the headings of a table without any. */
function withHeadings(table: Table): Table {
  const [first = [], ...rows] = table.rows;
  if (!table.columns.every(isUnnamed) || rows.length < 2) return table;
  const texts = first.map(cellText);
  const isPlain = texts.every((text) => /^[^\d@]{1,40}$/.test(text));
  const areDifferent = new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
  const isListing = texts.length > 2 || (texts.length === 2 && areNumbers(rows));
  return isPlain && areDifferent && isListing ? { columns: texts, rows } : table;
}

/** Shows the e-mail addresses behind links that all have one text, such as "Mail", in place of that text. */
function withAddresses(table: Table, links: readonly { text: string; url: string }[]): Table {
  const { columns, rows } = table;
  const found = columns.map((_, at) => {
    const [text, ...others] = new Set(rows.map((row) => row[at]));
    const same = others.length > 0 ? [] : links.filter((link) => link.text === text);
    const addresses = same.flatMap(({ url }) => /^mailto:([^?]+@[^?]+)/i.exec(url)?.[1] ?? []);
    return addresses.length === rows.length ? addresses : [];
  });
  if (found.every(({ length }) => length === 0)) return table;
  return { columns, rows: rows.map((row, y) => row.map((cell, x) => found[x]?.[y] ?? cell)) };
}

/** Puts tables under one another; their captions, if they tell them apart, become a column. */
function merged(group: readonly MaterialTable[]): MaterialTable {
  const captions = group.map(({ caption }) => caption?.trim() ?? "");
  const column = columnOfCaptions(captions);
  const columns = group[0]?.columns ?? [];
  const isTold = captions.every(Boolean) && new Set(captions).size === captions.length;
  const hasColumn = isTold && !columns.includes(column);
  const rows = group.flatMap((table, index) =>
    hasColumn ? table.rows.map((row) => [...row, captions[index] ?? ""]) : table.rows,
  );
  const all = hasColumn ? [...columns, column] : columns;
  return { kind: "table", caption: null, ...inlineTable({ columns: all, rows }) };
}

function columnOfCaptions(captions: readonly string[]): string {
  const areDays = captions.every((each) => /day\b/i.test(each) || parseDate(each) !== null);
  if (areDays) return "Day";
  return captions.every((each) => /\b(?:19|20)\d\d\b/.test(each)) ? "Year" : "Section";
}

function inlineTable(table: Table) {
  return inlineRows(records(table));
}
