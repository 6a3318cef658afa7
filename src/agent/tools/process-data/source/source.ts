import type { Json } from "../../../../contract/json.ts";
import type { PageContent } from "../../../../contract/tools/browse.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { readPage } from "../../page/read-page.ts";
import { rowsOfJson } from "../json/rows.ts";
import { isWithinDepth, textsIn } from "../json/shape.ts";
import { MAX_DEPTH } from "../limits.ts";
import { headingOf, linesOf, linksIn } from "../markdown.ts";
import { found, type Outcome, refused } from "../outcome.ts";
import { type Extracted, tableOfGrid } from "../table.ts";
import { cellText } from "../values/cells.ts";
import { looksLikeCsv, readCsv } from "./csv.ts";

/** A table of a source, with the words that it can be found by. */
export interface NamedTable extends Extracted {
  caption: string | null;
}

/** One source as the extractions see it: whatever it was, it answers the same questions. */
export interface Source {
  url: string;
  title: string;
  text: string;
  /** The texts in which prices and addresses are looked for. */
  passages(): string[];
  headings(): PageContent["headings"];
  links(): PageContent["links"];
  /** The whole as JSON, or undefined when it is no structured data. */
  json(): Json | undefined;
  tables(): NamedTable[];
  /** True when the source itself was already cut. */
  cut: boolean;
}

/** Where a source came from, as far as is known. */
export type Origin = Pick<Source, "url" | "title" | "cut">;

export const NO_ORIGIN: Origin = { url: "", title: "", cut: false };

/** Formats that are told apart here; `auto` looks at the text. */
export type Format = "auto" | "csv" | "json" | "html" | "text";

/** Makes a source of text in a format. */
export function textSource(text: string, format: Format, origin: Origin): Outcome<Source> {
  switch (format) {
    case "csv":
      return found(csvSource(text, origin));
    case "json":
      return parsedSource(text, origin);
    case "html":
      return found(htmlSource(text, origin.url));
    case "text":
      return found(plainSource(text, origin));
    case "auto":
      return textSource(text, sniffed(text), origin);
  }
}

/** Makes a source of an HTML page that was read. */
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

/** HTML of no known address keeps its absolute links: they need some base to be read against. */
function htmlSource(html: string, url: string): Source {
  return pageSource({ ...readPage(html, url || "about:blank"), url });
}

/** Makes a source of a JSON value; too deep a value is refused. */
export function jsonSource(value: Json, origin: Origin): Outcome<Source> {
  if (!isWithinDepth(value, MAX_DEPTH)) {
    return refused("unreadable_source", `The JSON nests deeper than ${MAX_DEPTH} levels.`);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return found({
    ...plainSource(text, origin),
    // JSON escapes a line break as \n, whose letter would grow onto the word after it.
    passages: () => textsIn(value),
    headings: () => [],
    links: () => textsIn(value).flatMap(linksIn),
    json: () => value,
    tables: () => tablesInJson(value),
  });
}

/** Makes a source of rows that are at hand. */
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

function csvSource(text: string, origin: Origin): Source {
  return { ...tableSource(readCsv(text), origin), text };
}

/** Makes a source of text that has no other structure than its lines. */
export function plainSource(text: string, origin: Origin): Source {
  return {
    ...origin,
    text,
    passages: () => [text],
    headings: () => linesOf(text).flatMap((line) => headingOf(line) ?? []),
    links: () => linksIn(text),
    json: () => undefined,
    tables: () => [],
  };
}

function parsedSource(text: string, origin: Origin): Outcome<Source> {
  const value = parsedJson(text);
  if (value === undefined) return refused("unreadable_source", "The text is not valid JSON.");
  return jsonSource(value, origin);
}

function parsedJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text.replace(/^\ufeff/, ""));
    return value;
  } catch {
    return undefined;
  }
}

function sniffed(text: string): Exclude<Format, "auto"> {
  const start = text.slice(0, 1_000).trimStart();
  if (/^\ufeff?[[{]/.test(start) && parsedJson(text) !== undefined) return "json";
  if (/^(?:<!doctype html|<!--|<[a-z][a-z0-9]*[\s/>])/i.test(start)) return "html";
  return looksLikeCsv(text) ? "csv" : "text";
}

/** Tables taken from one JSON value at most. */
const MAX_JSON_TABLES = 20;

function tablesInJson(value: Json): NamedTable[] {
  return listsIn(value, null)
    .slice(0, MAX_JSON_TABLES)
    .map(({ caption, list }) => ({ caption, ...rowsOfJson(list) }));
}

/** The whole when it is a list, else every list of objects that is reached through objects alone. */
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
