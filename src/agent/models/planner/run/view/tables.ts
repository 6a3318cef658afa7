import { isProperties } from "../../../../tools/process-data/facts.ts";
import type { Source } from "../../../../tools/process-data/source.ts";
import { isUnnamed, normalizeName, type Table } from "../../../../tools/process-data/table.ts";
import { cellText } from "../../../../tools/process-data/values/cells.ts";
import { parseDate } from "../../../../tools/process-data/values/dates.ts";
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

/** Takes a first row of short, different cells without digits as the headings of a table without any. */
function withHeadings(table: Table): Table {
  const [first = [], ...rows] = table.rows;
  if (!table.columns.every(isUnnamed) || rows.length < 2) return table;
  const texts = first.map(cellText);
  const isPlain = texts.every((text) => /^[^\d@]{1,40}$/.test(text));
  const areDifferent = new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
  return isPlain && areDifferent && texts.length > 2 ? { columns: texts, rows } : table;
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
