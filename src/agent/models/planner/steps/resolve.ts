import type { Json } from "../../../../contract/json.ts";
import { type DataContent, dataContent, type Extraction } from "../../../../contract/tools.ts";
import { extractFrom } from "../../../tools/process-data/extract/extract.ts";
import { followPath } from "../../../tools/process-data/json/path.ts";
import { unite } from "../../../tools/process-data/table.ts";
import { failedPart, type Part, textPart } from "../answer/parts.ts";
import { keywords, passagesOn } from "../answer/passages.ts";
import { tablePart } from "../answer/table-part.ts";
import { textWant } from "../answer/text-parts.ts";
import { placeOf } from "../answer/words.ts";
import { findColumn } from "../bind/columns.ts";
import { isOperative, readQuery } from "../bind/query.ts";
import type { Query } from "../bind/scan.ts";
import type { Desk } from "../desk.ts";
import { singular } from "../language/normalize.ts";
import type { Ask, Form, Want } from "../plan/types.ts";
import { chooseRecords, type Reading } from "../view/choose.ts";
import type { Page } from "../view/pages.ts";
import { factSheet, type Sheet } from "../view/sheets.ts";
import { compareSheet } from "./compare.ts";
import { processInput } from "./compile.ts";

/** What an ask is resolved with. */
export interface Room {
  desk: Desk;
  form: Form;
  strings: readonly string[];
  failures: string[];
}

interface ListKind {
  label: string;
  noun: string;
  extract: (want: Want) => Extraction;
  /** The want's own nouns: they name the list, not a column of it. */
  nouns: RegExp;
  /** What a reader wants to see of each row. */
  show: string[];
}

const LISTS: Partial<Record<Want["kind"], ListKind>> = {
  emails: {
    label: "emails",
    noun: "e-mail address",
    extract: () => ({ kind: "emails" }),
    nouns: /\b(?:e-?mails?|addresses|contacts?)\b/g,
    show: [],
  },
  links: {
    label: "links",
    noun: "link",
    extract: () => ({ kind: "links" }),
    nouns: /\b(?:links?|hrefs?)\b/g,
    show: [],
  },
  headings: {
    label: "headings",
    noun: "heading",
    extract: (want) => ({
      kind: "headings",
      ...(want.kind === "headings" && want.level !== undefined ? { level: want.level } : {}),
    }),
    nouns: /\b(?:headings?|headlines?|sections?|titles?)\b/g,
    show: ["text"],
  },
  lists: {
    label: "items",
    noun: "list item",
    extract: () => ({ kind: "lists" }),
    nouns: /\b(?:items?|bullets?|points?|lists?)\b/g,
    show: [],
  },
  lines: {
    label: "lines",
    noun: "line",
    extract: (want) => ({
      kind: "lines",
      containing: want.kind === "lines" ? want.containing : "",
    }),
    nouns: /\b(?:lines?|sentences?|paragraphs?|texts?)\b/g,
    show: [],
  },
  prices: {
    label: "prices",
    noun: "price",
    extract: () => ({ kind: "prices" }),
    nouns: /\b(?:all|every|each)(?: the)? prices?\b/g,
    show: [],
  },
};

/** The column families by which a table can answer a direct want. */
const COLUMN_OF: Partial<Record<Want["kind"], string>> = {
  emails: "email",
  links: "url",
  prices: "price",
  title: "title",
  phones: "phone",
  description: "description",
};

/** Asks process_data; null while its answer is under way. */
function run(sheet: Sheet, query: Query, label: string, noun: string, room: Room): Part | null {
  const done = room.desk.get(
    "process_data",
    JSON.parse(JSON.stringify(processInput(sheet, query))),
  );
  if (done === null) return null;
  if (!done.answer.ok) return failedPart(label, done.answer.error.message);
  const content = dataContent.safeParse(done.answer.content);
  if (!content.success) return failedPart(label, "The data that came back could not be read.");
  return tablePart({
    sheet,
    query,
    content: tidy(content.data),
    callId: done.callId,
    label,
    noun,
    form: room.form,
  });
}

/** A currency column that says nothing is left out of the answer. */
function tidy(content: DataContent): DataContent {
  const at = content.columns.indexOf("currency");
  if (at < 0 || content.rows.some((row) => row[at] !== null)) return content;
  const without = <T>(cells: T[]): T[] => cells.filter((_cell, index) => index !== at);
  return { ...content, columns: without(content.columns), rows: content.rows.map(without) };
}

function missingPart(reading: Reading, label: string): Part {
  const { query, sheet } = reading;
  const names = query.missing.map((name) => `"${name}"`).join(", ");
  return failedPart(
    label,
    `There is no column ${names} in ${placeOf(sheet.pages)}; the columns are: ${sheet.columns.join(", ")}.`,
  );
}

/** Words after "links" that say what they are to contain. */
function listText(text: string, want: Want, pages: Page[]): string {
  if (want.kind !== "links" && want.kind !== "headings") return text;
  const host =
    pages[0] !== undefined && URL.canParse(pages[0].url) ? new URL(pages[0].url).host : "";
  return text
    .replace(
      /\b(?:except|without|excluding|but not|not)(?: the| any)? (?:external|outgoing|outbound)(?: ones| links| urls)?\b/,
      `url containing ${host} , `,
    )
    .replace(
      /\b(?:except|without|excluding|but not|not)(?: the| any)? (?:internal|local)(?: ones| links| urls)?\b/,
      `url not containing ${host} , `,
    )
    .replace(/\b(?:external|outgoing|outbound|off-?site)\b/, `url not containing ${host} , `)
    .replace(/\b(?:internal|same[- ]site|on-?site|relative)\b/, `url containing ${host} , `)
    .replace(
      /\b(links?|headings?|urls?|ones)(?: ,)? (?:that |which )?(?:to|about|on|for|pointing (?:to|at)|points? to|leading to|leads? to|that go to|goes? to|related to|regarding|concerning|under|with|matching) (?!col|all|each|every|the page|this)/g,
      "$1 containing ",
    );
}

function listPart(want: Want, kind: ListKind, ask: Ask, pages: Page[], room: Room): Part | null {
  const extract = kind.extract(want);
  const extracted = pages.flatMap((page) => {
    const found = extractFrom(page.source, extract);
    return found.ok ? [found.value.table] : [];
  });
  const { table } = unite(extracted);
  const sheet: Sheet = {
    kind: "list",
    sources: pages.map((page) => page.from),
    extract,
    ...table,
    name: kind.label,
    pages,
  };
  const text = listText(ask.text, want, pages).replace(kind.nouns, (noun) =>
    noun.endsWith("s") ? "rows" : "row",
  );
  const query = readQuery(text, table.columns, [], room.strings);
  const urlsOnly =
    want.kind === "links" &&
    /\burls?\b|\bhrefs?\b/.test(ask.text) &&
    !/\blinks?\b|\btext\b/.test(ask.text);
  const several = pages.length > 1 && want.kind !== "prices" && want.kind !== "lines";
  const whole: Query = {
    ...query,
    missing: [],
    groupBy: [],
    select: urlsOnly ? ["url"] : kind.show,
    distinct: query.distinct ?? (several ? [] : null),
  };
  return run(sheet, whole, kind.label, kind.noun, room);
}

/** Whether records answer a direct want better than the whole page does. */
function coveredBy(reading: Reading | null, want: Want): boolean {
  const family = COLUMN_OF[want.kind];
  if (reading === null || family === undefined) return false;
  const { sheet, query } = reading;
  if (reading.score === COMPARED) return true;
  if (findColumn(family, sheet.columns) === null || query.missing.length > 0) return false;
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
  return (acts || query.select.length >= 2) && query.mentions >= 2;
}

/** The score of rows that were put beside each other: nothing answers a comparison better. */
const COMPARED = Number.POSITIVE_INFINITY;

/** The rows that an ask is about: records of the pages, or one row for each page. */
function readRecords(ask: Ask, pages: Page[], room: Room): Reading | null {
  const compared =
    ask.compare || /\bwhich (?:site|page|shop|store|one|url)\b/.test(ask.text)
      ? compareSheet(pages, ask.text, room.strings)
      : null;
  if (compared !== null) {
    const query = readQuery(ask.text, compared.columns, compared.rows, room.strings);
    return { sheet: compared, query: { ...query, select: [], missing: [] }, score: COMPARED };
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
  if (!better || !acceptable || query.mentions === 0) return records;
  return { sheet: facts, query: withTitle(query, facts, linked), score: 3 * query.mentions };
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

const TABLE_WORDS =
  /\b(?:tables?|rows?|columns?|records?|data|json|csv|dataset|entries|list|items?|products?|field|fields|everything|all|content|scrape|extract|values?)\b/;

/** What is left when no want and no column was named: the data as a whole, a passage, or nothing. */
function fallback(ask: Ask, pages: Page[], records: Reading | null, room: Room): Part | null {
  const words = keywords(ask.text, room.strings);
  const question = /\b(?:what|which|who|when|where|how|why|is|are|does|do|tell|find|get)\b/.test(
    ask.text,
  );
  const first = pages[0];
  const data =
    records !== null && (records.sheet.kind === "table" || records.sheet.kind === "json");
  if (
    records !== null &&
    data &&
    (TABLE_WORDS.test(ask.text) ||
      words.length === 0 ||
      first?.callId === null ||
      first?.source.json() !== undefined)
  ) {
    return run(records.sheet, { ...records.query, missing: [] }, "table", "row", room);
  }
  const passages = pages.flatMap((page) =>
    passagesOn(page, words).map((text) => ({ url: page.url, text })),
  );
  if (question && passages.length > 0) {
    const said = passages.map((one) => `"${one.text}"`).join(" … ");
    const texts = passages.map((one) => one.text);
    const value: Json = texts.length === 1 ? (texts[0] ?? "") : texts;
    return textPart(
      "answer",
      `${placeOf(pages)} says: ${said}`,
      value,
      pages.flatMap((page) => page.callId ?? []),
    );
  }
  if (records !== null && TABLE_WORDS.test(ask.text))
    return run(records.sheet, { ...records.query, missing: [] }, "items", "row", room);
  if (TABLE_WORDS.test(ask.text) && /\btables?\b/.test(ask.text))
    return {
      ...failedPart("table", `There is no table on ${placeOf(pages)}.`),
      status: "nothing",
      data: [],
    };
  if (words.length === 0) return textWant({ kind: "summary" }, pages, room.failures);
  return failedPart(
    "answer",
    `Nothing about ${words.slice(0, 6).join(" ")} was found on ${placeOf(pages)}.`,
  );
}

/** How sure the records must be named before they are taken for the answer. */
function meant(reading: Reading): boolean {
  const { query } = reading;
  return (
    reading.score === COMPARED ||
    query.mentions > 0 ||
    isOperative(query) ||
    (query.missing.length > 0 && reading.sheet.kind !== "prices")
  );
}

/** The value that a written-out path leads to in a JSON answer. */
function pathPart(ask: Ask, pages: Page[], room: Room): { part: Part | null } | null {
  for (const page of pages) {
    const json = page.source.json();
    if (json === undefined) continue;
    for (const path of ask.paths) {
      const reached = followPath(json, path);
      const extract: Extraction = { kind: "json", path };
      const extracted = reached.ok ? extractFrom(page.source, extract) : null;
      if (extracted?.ok !== true) continue;
      const { columns, rows } = extracted.value.table;
      const name = path.split(".").at(-1) ?? path;
      const sheet: Sheet = {
        kind: "json",
        sources: [page.from],
        extract,
        columns,
        rows,
        name,
        pages: [page],
      };
      return { part: run(sheet, readQuery("", columns, rows, []), name, "row", room) };
    }
  }
  return null;
}

/** The pieces of the answer to one ask; null entries are under way. */
export function resolveAsk(ask: Ask, pages: Page[], room: Room): (Part | null)[] {
  const written = pathPart(ask, pages, room);
  if (written !== null) return [written.part];
  const reading = readRecords(ask, pages, room);
  const covered = ask.wants.filter((want) => coveredBy(reading, want));
  const direct = ask.wants.filter((want) => !covered.includes(want) && want.kind !== "records");
  const parts: (Part | null)[] = [];
  const apart =
    pages.length > 1 &&
    (ask.compare ||
      /\bwhich (?:page|site|one|url)\b|\bfor each|\beach (?:page|site)\b|\bper page\b/.test(
        ask.text,
      ));
  for (const want of direct) {
    const list = LISTS[want.kind];
    if (list !== undefined && apart) {
      for (const page of pages) parts.push(listPart(want, list, ask, [page], room));
      continue;
    }
    parts.push(
      list === undefined
        ? textWant(want, pages, room.failures)
        : listPart(want, list, ask, pages, room),
    );
  }
  if (direct.length > 0 && covered.length === 0 && !alsoRecords(reading, direct)) return parts;
  if (reading === null || !meant(reading)) {
    if (direct.length > 0) return parts;
    return ask.request !== null && !/[a-z0-9]/.test(ask.text)
      ? [textWant({ kind: "response" }, pages, room.failures)]
      : [fallback(ask, pages, reading, room)];
  }
  const label = reading.sheet.kind === "prices" ? "prices" : "table";
  if (reading.query.missing.length > 0) parts.push(missingPart(reading, label));
  else parts.push(run(reading.sheet, reading.query, label, rowNoun(ask.text), room));
  return parts;
}

/** What one row is called: the word after "how many", else "row". */
function rowNoun(text: string): string {
  const plural =
    /\b(?:how many|number of|count(?: of)?(?: all)?(?: the)?) (?:different |unique |distinct |of the )?([a-z]{3,20}s|people|children)\b/.exec(
      text,
    )?.[1];
  if (plural === undefined || /^(?:rows|times|does|is|has|this|items)$/.test(plural)) return "row";
  return plural === "people" ? "person" : plural === "children" ? "child" : singular(plural);
}

/** Whether, beside direct wants, the ask speaks of records too: "the title and the table of …". */
function alsoRecords(reading: Reading | null, direct: Want[]): boolean {
  if (reading === null || reading.query.missing.length > 0) return false;
  const { query, sheet } = reading;
  const own = direct.flatMap((want) => COLUMN_OF[want.kind] ?? []);
  const foreign = query.select.filter(
    (column) => !own.some((family) => findColumn(family, [column]) !== null),
  );
  return foreign.length > 0 && (sheet.kind === "table" || sheet.kind === "json");
}
