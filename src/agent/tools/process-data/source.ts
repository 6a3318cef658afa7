import Papa from "papaparse";
import type { Json } from "../../../contract/json.ts";
import { table } from "../../../contract/outputs.ts";
import type { ToolAnswer } from "../../../contract/tools/call.ts";
import type { DataSource } from "../../../contract/tools/data.ts";
import type { PageContent } from "../../../contract/tools/web.ts";
import { isObject } from "../../../lib/json-values.ts";
import { orElse } from "../../../lib/or-else.ts";
import { parseKeepingDigits } from "../../../lib/strict-json.ts";
import { readPage } from "../page/read-page.ts";
import { readAnswerContent } from "../source-content.ts";
import { fail } from "../tool.ts";
import { isWithinDepth, rowsOfJson, textsIn } from "./json.ts";
import { headingOf, linesOf, linksIn, tablesIn } from "./markdown.ts";
import { type Extracted, MAX_CELLS, MAX_DEPTH, tableOfGrid } from "./table.ts";
import { cellText, parseDate, readQuantity } from "./values.ts";

/** A table of a source with its caption. */
export interface NamedTable extends Extracted {
  caption: string | null;
}

/** A source of any format, as the extractions read it. */
export interface Source {
  url: string;
  title: string;
  text: string;
  /** The texts that are searched for addresses. */
  passages(): string[];
  headings(): PageContent["headings"];
  links(): PageContent["links"];
  /** The source as JSON, or undefined if it is not structured data. */
  json(): Json | undefined;
  tables(): NamedTable[];
  /** True if the source itself was cut. */
  cut: boolean;
}

/** The known origin of a source. */
export type Origin = Pick<Source, "url" | "title" | "cut">;

export const NO_ORIGIN: Origin = { url: "", title: "", cut: false };

/** The formats of a source; `auto` detects it from the text. */
type Format = "auto" | "csv" | "json" | "html" | "text";

/** Creates a source from text in a format. */
function textSource(text: string, format: Format, origin: Origin): Source {
  switch (format === "auto" ? sniffed(text) : format) {
    case "csv":
      return { ...tableSource(readCsv(text), origin), text };
    case "json": {
      const value = parsedJson(text);
      if (value === undefined) return fail("The text is not valid JSON.", "unreadable_source");
      return jsonSource(value, origin);
    }
    case "html":
      // Without an address only its absolute links are kept.
      return pageSource({ ...readPage(text, origin.url || "about:blank").page, url: origin.url });
    case "text":
      return plainSource(text, origin);
  }
}

/** Creates a source from a page. */
export function pageSource(page: PageContent): Source {
  const { url, title, text, cut } = page;
  return {
    ...plainSource(text, { url, title, cut }),
    headings: () => page.headings,
    links: () => page.links,
    tables: () =>
      page.tables.map(({ caption, columns, rows }) => ({ caption, ...tableOfGrid(columns, rows) })),
  };
}

/** Creates a source from a JSON value, unless it nests too deeply. */
export function jsonSource(value: Json, origin: Origin): Source {
  if (!isWithinDepth(value, MAX_DEPTH)) {
    fail(`The JSON nests deeper than ${MAX_DEPTH} levels.`, "unreadable_source");
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return {
    ...plainSource(text, origin),
    // JSON escapes a line break as \n, whose letter would join the next word.
    passages: () => textsIn(value),
    headings: () => [],
    links: () => textsIn(value).flatMap(linksIn),
    json: () => value,
    tables: () =>
      listsIn(value, null)
        .slice(0, MAX_JSON_TABLES)
        .map(({ caption, list }) => ({ caption, ...rowsOfJson(list) })),
  };
}

/** Creates a source from rows. */
export function tableSource(extracted: Extracted, origin: Origin): Source {
  const { columns, rows } = extracted.table;
  const text = [columns, ...rows].map((row) => row.map(cellText).join("\t")).join("\n");
  return {
    ...plainSource(text, origin),
    json: () =>
      rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null]))),
    tables: () => [{ caption: null, ...extracted }],
  };
}

/** Creates a source from plain text. */
export function plainSource(text: string, origin: Origin): Source {
  return {
    ...origin,
    text,
    passages: () => [text],
    headings: () => linesOf(text).flatMap((line) => headingOf(line) ?? []),
    links: () => linksIn(text),
    json: () => undefined,
    tables: () =>
      tablesIn(text).map(({ caption, grid: [head = [], ...rows] }) => ({
        caption,
        ...tableOfGrid(head, rows),
      })),
  };
}

function parsedJson(text: string): Json | undefined {
  return orElse(() => parseKeepingDigits(text.replace(/^\ufeff/, "")), undefined);
}

function sniffed(text: string): Exclude<Format, "auto"> {
  const start = text.slice(0, 1_000).trimStart();
  if (/^\ufeff?[[{]/.test(start) && parsedJson(text) !== undefined) return "json";
  if (/^(?:<!doctype html|<!--|<[a-z][a-z0-9]*[\s/>])/i.test(start)) return "html";
  return delimiterOf(text) === null ? "text" : "csv";
}

/** The most tables of one JSON value. */
const MAX_JSON_TABLES = 20;

/** Returns the value if it is a list of objects, else every such list reachable through objects. */
function listsIn(value: Json, caption: string | null): { caption: string | null; list: Json[] }[] {
  if (Array.isArray(value)) {
    return value.some((element) => typeof element === "object" && element !== null)
      ? [{ caption, list: value }]
      : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    listsIn(child, caption === null ? key : `${caption}.${key}`),
  );
}

/** Loads a source: inline text, or the answer of an earlier call. */
export function loadSource(
  source: DataSource,
  earlier: (callId: string) => ToolAnswer | null,
): Source {
  if ("data" in source) return textSource(source.data, source.format, NO_ORIGIN);
  const { callId } = source;
  const answer = earlier(callId) ?? fail(`There is no earlier call ${callId}.`, "unknown_call");
  const unreadable = (message: string) => fail(message, "unreadable_source");
  if (!answer.ok) return unreadable(`The call ${callId} failed: ${answer.error.message}`);
  if (!isWithinDepth(answer.content, MAX_DEPTH)) {
    return unreadable(`The answer of ${callId} nests too deeply.`);
  }
  return (
    contentSource(answer.content) ??
    unreadable(`The answer of call ${callId} has no readable content.`)
  );
}

/** Creates a source from an answer. */
function contentSource(content: Json): Source | null {
  const read = readAnswerContent(content);
  switch (read?.from) {
    case "data": {
      const { columns, rows } = read.table;
      return tableSource(tableOfGrid(columns, rows), { ...NO_ORIGIN, cut: read.cut });
    }
    case "page": {
      const { mediaType, text, url, title, cut } = read.page;
      if (/html/i.test(mediaType)) return pageSource(read.page);
      return textSource(text, formatOf(mediaType), { url, title, cut });
    }
    case "code":
    case "remote":
      return valueSource(read.value, { ...NO_ORIGIN, cut: read.cut });
    case "response": {
      const { url, mediaType, text = "", json, cut } = read.response;
      const origin = { url, title: "", cut };
      return json === undefined
        ? textSource(text, formatOf(mediaType), origin)
        : jsonSource(json, origin);
    }
    default:
      return null;
  }
}

/** Creates a source from a value of code or of a server: text of any format, a table, or other JSON. */
function valueSource(value: Json, origin: Origin): Source {
  if (typeof value === "string") return textSource(value, "auto", origin);
  const rows = table.safeParse(value);
  if (!rows.success) return jsonSource(value, origin);
  return tableSource(tableOfGrid(rows.data.columns, rows.data.rows), origin);
}

function formatOf(mediaType: string): Format {
  if (/html/i.test(mediaType)) return "html";
  if (/\/markdown/i.test(mediaType)) return "text";
  if (/\/(?:csv|tab-separated-values)/i.test(mediaType)) return "csv";
  return "auto";
}

/**
 * Reads delimited text (RFC 4180 quoting) with the delimiter that gives the most even rows. The first
 * row is the header unless it looks like data.
 */
export function readCsv(text: string): Extracted {
  const delimiter = delimiterOf(text) ?? "";
  const { data: grid, errors, meta } = parsedRows(text, MAX_CELLS + 2, delimiter);
  const header = grid[0]?.some(looksLikeData) ? undefined : grid[0];
  const read = tableOfGrid(header ?? [], header ? grid.slice(1) : grid);
  const badQuote = errors.find(({ type }) => type === "Quotes")?.row;
  const hidden = `Row ${(badQuote ?? 0) + 1} has a quote that does not close where its cell ends, so the rows behind it may have become part of that cell. Read the text in run_code instead.`;
  const notes = badQuote === undefined ? [] : [hidden];
  return { ...read, cut: read.cut || meta.truncated, notes };
}

/** Lines that are read to detect delimited text. */
const SNIFFED_ROWS = 20;
const DELIMITERS = [",", ";", "\t", "|"];

/** Returns the delimiter that splits all of at least two lines into the same number of fields, the most of them. */
export function delimiterOf(text: string): string | null {
  const widths = DELIMITERS.map((delimiter) => {
    const [first = [], ...others] = parsedRows(text, SNIFFED_ROWS, delimiter).data;
    const isEven = others.length > 0 && others.every(({ length }) => length === first.length);
    return isEven ? first.length : 0;
  });
  const most = Math.max(...widths);
  return most > 1 ? (DELIMITERS[widths.indexOf(most)] ?? null) : null;
}

/** Splits the first lines of delimited text that are not blank; without a delimiter the library finds one. */
function parsedRows(text: string, preview: number, delimiter: string) {
  return Papa.parse<string[]>(text, { preview, delimiter, skipEmptyLines: "greedy" });
}

/** Whether a field is a number, date or address. Years are not: they are common column names. */
function looksLikeData(field: string): boolean {
  if (/^(?:19|20)\d{2}$/.test(field.trim())) return false;
  if (readQuantity(field) !== null || parseDate(field) !== null) return true;
  return /^\s*https?:\/\//i.test(field) || /^\s*[^\s@]{1,64}@[^\s@]{1,255}\s*$/.test(field);
}
