import { findColumn } from "../bind/columns.ts";
import { isOperative, readQuery } from "../bind/query.ts";
import type { Query } from "../bind/scan.ts";
import type { Ask, Form, Want } from "../plan/types.ts";
import { chooseRecords, type Reading } from "../view/choose.ts";
import type { Page } from "../view/pages.ts";
import { factSheet, type Sheet } from "../view/sheets.ts";
import { compareSheet } from "./compare.ts";
import type { Room } from "./process.ts";

/** The column families by which a table can answer a direct want. */
const COLUMN_OF: Partial<Record<Want["kind"], string>> = {
  emails: "email",
  links: "url",
  prices: "price",
  title: "title",
  phones: "phone",
  description: "description",
};

/** Whether a want is about a page as a whole, so that cleaned rows do not answer it. */
export function ofWholePages(want: Want): boolean {
  return /^(?:summary|content|status|response|words|parts|mention|occurrences)$/.test(want.kind);
}

/** The headlines of a list of news are the names of its items, not the headings of the page. */
function coversHeadlines({ sheet, query }: Reading, want: Want): boolean {
  if (want.kind !== "headings" || want.headlines !== true) return false;
  if (sheet.kind === "facts") return query.select.length > 1;
  const headings = Math.max(...sheet.pages.map((page) => page.source.headings().length));
  const named = findColumn("headline", sheet.columns) !== null;
  return sheet.kind !== "section" && named && sheet.rows.length > headings;
}

/** Whether records answer a direct want better than the whole page does. */
export function coveredBy(reading: Reading | null, want: Want): boolean {
  if (want.kind === "headings") return reading !== null && coversHeadlines(reading, want);
  if (want.kind === "response")
    return want.unless === "records" && reading !== null && meant(reading);
  const family = COLUMN_OF[want.kind];
  if (reading === null || family === undefined) return false;
  const { sheet, query } = reading;
  if (reading.score === COMPARED) return true;
  const named = findColumn(family, sheet.columns);
  if (sheet.kind === "json" && named?.strength === "exact") return true;
  if (named === null || query.missing.length > 0) return false;
  if (sheet.kind === "json" && query.select.length > 0) return true;
  if (want.kind === "links" && sheet.kind === "facts") return false;
  if (want.kind === "prices") return sheet.kind !== "facts" || query.mentions > 0;
  const acts =
    query.filters.length + query.anyOf.length > 0 ||
    query.extreme !== null ||
    query.groupBy.length > 0;
  if (sheet.kind === "facts" && sheet.rows.length === 1) {
    const direct = Object.values(COLUMN_OF);
    return query.select.some(
      (column) => !direct.some((name) => findColumn(name, [column]) !== null),
    );
  }
  if (query.filters.some(({ test }) => test === "empty" || test === "not_empty")) return true;
  return (acts || query.select.length >= 2) && query.mentions >= 2;
}

/** The score of rows that were put beside each other: nothing answers a comparison better. */
const COMPARED = Number.POSITIVE_INFINITY;

/** The rows that an ask is about: records of the pages, or one row for each page. */
export function readRecords(ask: Ask, pages: Page[], room: Room): Reading | null {
  const compared =
    ask.compare || /\bwhich (?:site|page|shop|store|one|url)\b/.test(ask.text)
      ? compareSheet(pages, ask.text, room.strings)
      : null;
  if (compared !== null) {
    const query = readQuery(ask.text, compared.columns, compared.rows, room.strings);
    return {
      sheet: compared,
      query: { ...query, select: [], missing: [] },
      named: false,
      score: COMPARED,
    };
  }
  const chosen = chooseRecords(ask.text, pages, room.strings);
  const records =
    chosen === null
      ? null
      : { ...chosen, query: asList(withItem(chosen.query, chosen.sheet), room.form) };
  const facts = factSheet(pages.filter((page) => page.source.json() === undefined));
  if (facts === null) return records;
  const query = readQuery(ask.text, facts.columns, facts.rows, room.strings);
  const linked = ask.hops.some((hop) => hop.kind === "each") || pages.length > 1;
  const each = ask.hops.some((hop) => hop.kind === "each");
  const single = records === null || records.sheet.rows.length <= pages.length;
  const better =
    query.mentions > (records?.query.mentions ?? 0) ||
    (query.mentions > 0 && query.mentions === records?.query.mentions && (each || single));
  const acceptable =
    records === null || records.sheet.kind === "prices" || records.query.mentions === 0 || linked;
  if (!better || !acceptable || query.mentions === 0 || onlyCalled(query)) return records;
  const titled = withTitle(query, facts, linked);
  return { sheet: facts, query: titled, named: false, score: 3 * query.mentions };
}

/** Whether an ask says no more of a page than its title. */
function onlyCalled(query: Query): boolean {
  const others = query.filters.some((filter) => filter.column !== "title");
  const plain = query.aggregates.length === 0 && query.anyOf.length === 0 && query.sort === null;
  return plain && !others && query.select.length === 0 && query.extreme === null;
}

/** "A bullet list of the countries" wants their names, not whole rows. */
function asList(query: Query, form: Form): Query {
  const wanted = form === "list" || form === "sentence";
  return wanted && query.called !== null && query.select.length === 0
    ? { ...query, select: [query.called] }
    : query;
}

/** A price means little without the thing that it is for. */
function withItem(query: Query, sheet: Sheet): Query {
  const bare = sheet.kind === "prices" && query.select.length === 1 && query.select[0] === "price";
  const looked = query.filters.some((filter) => filter.test === "eq" && filter.column === "text");
  return bare && !looked ? { ...query, select: ["text", "price", "currency"] } : query;
}

/** Rows of several pages are told apart by their title. */
function withTitle(query: Query, facts: Sheet, linked: boolean): Query {
  if (!linked || query.select.length === 0 || !facts.columns.includes("title")) return query;
  return { ...query, select: [...new Set(["title", ...query.select])] };
}

/** How sure the records must be named before they are taken for the answer. */
export function meant(reading: Reading): boolean {
  const { query } = reading;
  return (
    reading.score === COMPARED ||
    query.mentions > 0 ||
    (reading.named && /^(?:table|section)$/.test(reading.sheet.kind)) ||
    isOperative(query) ||
    (query.missing.length > 0 && reading.sheet.kind !== "prices")
  );
}

/** Whether, beside direct wants, the ask speaks of records too: "the title and the table of …". */
export function alsoRecords(reading: Reading | null, direct: Want[]): boolean {
  if (reading === null || reading.query.missing.length > 0) return false;
  const { query, sheet } = reading;
  const own = direct.flatMap((want) => COLUMN_OF[want.kind] ?? []);
  const foreign = query.select.filter(
    (column) => !own.some((family) => findColumn(family, [column]) !== null),
  );
  return foreign.length > 0 && (sheet.kind === "table" || sheet.kind === "json");
}
