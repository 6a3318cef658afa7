import type { Json } from "../../../../contract/json.ts";
import type { DataSource, Extraction } from "../../../../contract/tools/process-data.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { extractFrom } from "../../../tools/process-data/extract.ts";
import { concatTables, type Table } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { cardsOf } from "./cards.ts";
import { isProperties, recordOf } from "./facts.ts";
import type { Page } from "./pages.ts";
import { releasesOf } from "./releases.ts";
import { sectionsOf } from "./sections.ts";
import { tablesOf } from "./tables.ts";

/** Rows that an ask may be about, and how process_data gets them. */
export interface Sheet {
  kind: "table" | "json" | "cards" | "prices" | "facts" | "list" | "section";
  sources: DataSource[];
  extract: Extraction;
  columns: string[];
  rows: Json[][];
  /** Words that name the whole: a caption, the key of a JSON list. */
  name: string;
  pages: Page[];
  /** The other tables of its page, of other columns, where the ask names none of them. */
  beside?: string[];
}

const MAX_DEPTH = 4;
const MAX_LISTS = 30;

interface JsonList {
  path: string;
  name: string;
}

function step(path: string, key: string): string {
  const escaped = key.replace(/([\\.[\]])/g, "\\$1");
  return path === "" ? escaped : `${path}.${escaped}`;
}

/** The lists in a JSON value, and the objects that stand alone, by path. */
function jsonLists(value: Json, path = "", name = "", depth = 0): JsonList[] {
  if (Array.isArray(value)) return [{ path, name }];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  const inner = Object.entries(value)
    .slice(0, 200)
    .flatMap(([key, child]) => jsonLists(child, step(path, key), key, depth + 1));
  const keyed = Object.values(value);
  const dictionary = keyed.length > 2 && keyed.every((child) => isObject(child)) && sameKeys(keyed);
  const self: JsonList[] = dictionary ? [{ path: path === "" ? "*" : `${path}.*`, name }] : [];
  return [...inner, ...self, { path, name }].slice(0, MAX_LISTS);
}

function sameKeys(values: Json[]): boolean {
  const shapes = new Set(
    values.map((value) => (isObject(value) ? Object.keys(value).sort().join() : "")),
  );
  return shapes.size === 1;
}

function sheetOf(page: Page, kind: Sheet["kind"], extract: Extraction, name: string): Sheet[] {
  const extracted = extractFrom(page.source, extract);
  if (!extracted.ok || extracted.value.table.rows.length === 0) return [];
  const { columns, rows } = extracted.value.table;
  return [{ kind, sources: [page.from], extract, columns, rows, name, pages: [page] }];
}

/** The records of one page or answer: its tables, its JSON lists, its priced items. */
export function sheetsOf(page: Page): Sheet[] {
  const json = page.source.json();
  if (json !== undefined && page.source.text.trimStart().match(/^[[{]/) !== null) {
    return jsonLists(json).flatMap(({ path, name }) =>
      sheetOf(page, "json", { kind: "json", path }, name),
    );
  }
  const tables = tablesOf(page).flatMap(({ table, caption, changed }, index) => {
    if (isProperties(table)) return [];
    if (!changed) return sheetOf(page, "table", { kind: "table", index }, caption);
    const sheet = inlineSheet("table", table.columns, table.rows, [page]);
    return sheet === null ? [] : [{ ...sheet, name: caption }];
  });
  // Prices inside tables are rows of those tables already.
  const priced = tables.some(
    ({ rows }) => rows.length > 1 && rows.flat().some((cell) => /[$€£]\s?\d/.test(cellText(cell))),
  );
  const sections = sectionSheets(page);
  const releases = releaseSheet(page);
  if (releases !== null) return [...tables, releases];
  if (priced) return [...tables, ...sections];
  const cards = cardSheet(page);
  if (cards !== null) return [...tables, cards, ...sections];
  return [...tables, ...sheetOf(page, "prices", { kind: "prices" }, ""), ...sections];
}

/** The versions that a page's headings tell of. */
function releaseSheet(page: Page): Sheet | null {
  const releases = releasesOf(page);
  return releases === null ? null : inlineSheet("cards", releases.columns, releases.rows, [page]);
}

/** The lists of a page, each as one column named by its heading. */
function sectionSheets(page: Page): Sheet[] {
  return sectionsOf(page).flatMap(({ heading, items }) => {
    const rows = items.map((item): Json[] => [item]);
    const sheet = inlineSheet("section", [heading], rows, [page]);
    return sheet === null ? [] : [{ ...sheet, name: heading }];
  });
}

/** The things that a page shows without a table; null when it shows none. */
function cardSheet(page: Page): Sheet | null {
  const cards = cardsOf(page);
  const columns = [...new Set(cards.flatMap((card) => Object.keys(card)))];
  const rows = cards.map((card) => columns.map((column): Json => card[column] ?? null));
  return inlineSheet("cards", columns, rows, [page]);
}

/** One row for each page, made of what each says about itself. */
export function factSheet(pages: Page[]): Sheet | null {
  const records = pages.map(recordOf);
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => columns.map((column): Json => record[column] ?? null));
  return inlineSheet("facts", columns, rows, pages);
}

/** Rows made here, handed to process_data as JSON. */
export function inlineSheet(
  kind: Sheet["kind"],
  columns: string[],
  rows: Json[][],
  pages: Page[],
): Sheet | null {
  if (rows.length === 0 || columns.length === 0) return null;
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])),
  );
  const data = JSON.stringify(objects);
  const sources: DataSource[] = [{ data, format: "json" }];
  return { kind, sources, extract: { kind: "json", path: "" }, columns, rows, name: "", pages };
}

/** Sheets of several pages put one under another; they are taken alike where one extraction fits all. */
export function joinSheets(sheets: Sheet[]): Sheet | null {
  const [first, ...others] = sheets;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const tables: Table[] = sheets.map(({ columns, rows }) => ({ columns, rows }));
  const { table } = concatTables(tables);
  const pages = sheets.flatMap((sheet) => sheet.pages);
  const extracts = new Set(sheets.map((sheet) => JSON.stringify(sheet.extract)));
  if (extracts.size > 1) return inlineSheet(first.kind, table.columns, table.rows, pages);
  return { ...first, ...table, pages, sources: sheets.flatMap((sheet) => sheet.sources) };
}

/** How much of a sheet is filled: among equals the fuller one is meant. */
export function fullness(sheet: Sheet): number {
  return sheet.rows.reduce(
    (sum, row) => sum + row.filter((cell) => cellText(cell) !== "").length,
    0,
  );
}
