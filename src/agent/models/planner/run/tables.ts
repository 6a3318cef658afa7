import type { Json, JsonObject } from "../../../../contract/json.ts";
import type { DataSource } from "../../../../contract/tools/process-data.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { isProperties } from "../../../tools/process-data/facts.ts";
import { rowsOfJson } from "../../../tools/process-data/json.ts";
import type { Source } from "../../../tools/process-data/source.ts";
import { isUnnamed, normalizeName, type Table } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseDate } from "../../../tools/process-data/values/dates.ts";
import { records } from "../../../tools/source-content.ts";
import type { MaterialTable } from "../program.ts";

/**
 * Returns the tables of a page that list things, as a reader sees them. Tables with the same columns are
 * parts of one list, of which the first alone would pass for the whole: they are merged.
 */
export function htmlTables(source: Source): MaterialTable[] {
  const links = source.links();
  const tables = source.tables().flatMap(({ table, caption }, index): MaterialTable[] => {
    if (isProperties(table)) return [];
    const read = withAddresses(withHeadings(table), links);
    const rows =
      read === table ? { ...table, extract: { kind: "table" as const, index } } : inlineTable(read);
    return [{ kind: "table", caption, ...rows }];
  });
  const groups = Map.groupBy(tables, ({ columns }) => columns.map(normalizeName).join("|"));
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
  const areDays = captions.every((each) => /day\b/i.test(each) || parseDate(each) !== null);
  const areYears = captions.every((each) => /\b(?:19|20)\d\d\b/.test(each));
  const column = areDays ? "Day" : areYears ? "Year" : "Section";
  const columns = group[0]?.columns ?? [];
  const areDifferent = new Set(captions).size === captions.length && captions.every(Boolean);
  const own = areDifferent && !columns.includes(column) ? [column] : [];
  const rows = group.flatMap((table, index) =>
    table.rows.map((row) => [...row, ...own.map(() => captions[index] ?? "")]),
  );
  return { kind: "table", caption: null, ...inlineTable({ columns: [...columns, ...own], rows }) };
}

const MAX_DEPTH = 4;
const MAX_TABLES = 30;
/** The keys of an object that are looked at. */
const MAX_KEYS = 200;

/** Returns the lists of a JSON document, and its objects without their lists. */
export function jsonTables(root: Json): MaterialTable[] {
  return tablesIn(root, "", null, 0).slice(0, MAX_TABLES);
}

function tablesIn(
  value: Json,
  path: string,
  caption: string | null,
  depth: number,
): MaterialTable[] {
  if (Array.isArray(value)) return [listTable(value, path, caption)];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  const entries = Object.entries(value).slice(0, MAX_KEYS);
  const inner = entries.flatMap(([key, child]) => {
    const step = key.replace(/[\\.[\]]/g, "\\$&");
    return tablesIn(child, path === "" ? step : `${path}.${step}`, key, depth + 1);
  });
  const own = entries.filter(([, each]) => !Array.isArray(each));
  if (own.length === 0) return inner;
  return [...inner, { kind: "record", caption, ...inlineRows([Object.fromEntries(own)]) }];
}

function listTable(list: Json[], path: string, caption: string | null): MaterialTable {
  const areValues = list.length > 0 && list.every((one) => typeof one !== "object" || one === null);
  // A list of plain values is a column of its name.
  if (caption !== null && areValues) {
    return { kind: "list", caption, ...inlineRows(list.map((one) => ({ [caption]: one }))) };
  }
  return { kind: "table", caption, ...rowsOfJson([list]).table, extract: { kind: "json", path } };
}

type Inline = Pick<MaterialTable, "columns" | "rows" | "extract"> & { from: DataSource };

/** Returns rows that no extraction gives, with the data from which `process_data` reads the same rows. */
function inlineRows(rows: JsonObject[]): Inline {
  const from: DataSource = { data: JSON.stringify(rows), format: "json" };
  return { ...rowsOfJson([rows]).table, extract: { kind: "json", path: "" }, from };
}

function inlineTable(table: Table): Inline {
  return inlineRows(records(table));
}
