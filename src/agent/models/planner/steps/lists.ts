import type { Json } from "../../../../contract/json.ts";
import type { Extraction } from "../../../../contract/tools/process-data.ts";
import { extractFrom } from "../../../tools/process-data/extract.ts";
import { concatTables } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { Part } from "../answer/parts.ts";
import { readQuery } from "../bind/query.ts";
import type { Filter, Query } from "../bind/scan.ts";
import { wordsOf } from "../language/normalize.ts";
import type { Ask, Want } from "../plan/types.ts";
import type { Page } from "../view/pages.ts";
import { inlineSheet, type Sheet } from "../view/sheets.ts";
import { byLength } from "./by-length.ts";
import { type Room, run } from "./process.ts";

interface ListKind {
  label: string;
  noun: string;
  extract: (want: Want) => Extraction;
  /** The want's own nouns: they name the list, not a column of it. */
  nouns: RegExp;
  /** What a reader wants to see of each row. */
  show: string[];
}

/** The wants that process_data extracts as lists. */
export const LISTS: Partial<Record<Want["kind"], ListKind>> = {
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
    nouns: /\b(?:headings?|headlines?|subheadings?|sections?|titles?)\b/g,
    show: ["text"],
  },
  lists: {
    label: "items",
    noun: "list item",
    extract: () => ({ kind: "lists" }),
    nouns: /\b(?:items?|bullets?|points?|lists?|headlines?)\b/g,
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

/** Where a noun of the list is looked for in it: "links about link building". */
const LOOKED_FOR = /\b(?:containing|about|mentioning|matching|for)(?: \w+)?$/;

/** The list's own nouns as "rows", where they are not what is looked for. */
function withRows(text: string, nouns: RegExp): string {
  return text.replace(nouns, (noun, ...rest) => {
    const at = rest.find((one): one is number => typeof one === "number") ?? 0;
    if (LOOKED_FOR.test(text.slice(0, at).trimEnd())) return noun;
    return noun.endsWith("s") ? "rows" : "row";
  });
}

/** Words after "links" that say what they are to contain. */
function listText(text: string, want: Want, pages: Page[]): string {
  if (want.kind !== "links" && want.kind !== "headings") return text;
  const host =
    pages[0] !== undefined && URL.canParse(pages[0].url) ? new URL(pages[0].url).host : "";
  const typed =
    want.kind === "headings"
      ? text
      : text.replace(
          /(?<![\w.-])(pdf|csv|xlsx?|docx|zip|json|xml|png|jpe?g|txt)s?\b(?: (?:files?|documents?|links?|downloads?))?/,
          "url containing .$1 ,",
        );
  return typed
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
      /\b(links?|headings?|urls?|ones)(?: ,)? (?:that |which )?(?:to|about|on|for|pointing (?:to|at)|points? to|leading to|leads? to|that go to|goes? to|related to|regarding|concerning|under|with|matching) (?!col|all|each|every|the page|this|its|their|dates?\b)/g,
      "$1 containing ",
    )
    .replace(
      /\b(containing )(?:an? |the |any |our |their )*([\w-]+(?: [\w-]+)?) (?:pages?|sites?|articles?|sections?)\b/g,
      "$1$2",
    )
    .replace(/\bcontaining (?:an?|the|any|our|their) /g, "containing ");
}

/** "About tea" means no links to the team: where a row has the very word, rows with it inside another go. */
function withWholeWords(sheet: Sheet, filters: Filter[]): Sheet {
  const words = filters.flatMap(({ test, value }) =>
    test === "contains" && typeof value === "string" && /^[\p{L} ]+$/u.test(value) ? [value] : [],
  );
  const has = (row: Json[], word: string): boolean => {
    const own = wordsOf(row.map(cellText).join(" "));
    return wordsOf(word).every((one) => own.includes(one));
  };
  const rows = sheet.rows.filter((row) => words.every((word) => has(row, word)));
  if (words.length === 0 || rows.length === 0 || rows.length === sheet.rows.length) return sheet;
  return inlineSheet(sheet.kind, sheet.columns, rows, sheet.pages) ?? sheet;
}

/** What kind of output a list is; one link that can be opened is handed over as such. */
function asOutput(part: Part, { kind }: Want): Part {
  if (part.output === null) return part;
  if (kind !== "links") return { ...part, nodeType: "DATA_EXTRACTION" };
  const [link, ...others] = part.records;
  const url = link?.url;
  const one = others.length === 0 && typeof url === "string" && /^https?:/i.test(url);
  return { ...part, nodeType: "LINK_EXTRACTION", output: one ? "link" : part.output };
}

/** The piece for a list of one kind; null while it is under way. */
export function listPart(
  want: Want,
  kind: ListKind,
  ask: Ask,
  pages: Page[],
  room: Room,
): Part | null {
  const extract = kind.extract(want);
  const extracted = pages.flatMap((page) => {
    const found = extractFrom(page.source, extract);
    return found.ok ? [found.value.table] : [];
  });
  const { table } = concatTables(extracted);
  const whole: Sheet = {
    kind: "list",
    sources: pages.map((page) => page.from),
    extract,
    ...table,
    name: kind.label,
    pages,
  };
  const { columns } = table;
  const spelled = withRows(listText(ask.text, want, pages), kind.nouns);
  const shown = kind.show[0] ?? columns[0] ?? "";
  const { text, sheet } = byLength(spelled, whole, shown);
  // A heading's level is a column only for those who speak of it.
  const named = /\blevel/.test(text) ? columns : columns.filter((column) => column !== "level");
  const query = readQuery(text, named, [], room.strings);
  const urlsOnly =
    want.kind === "links" &&
    /\burls?\b|\bhrefs?\b/.test(ask.text) &&
    !/\blinks?\b|\btext\b/.test(ask.text);
  const several = pages.length > 1 && want.kind !== "prices" && want.kind !== "lines";
  const quoted =
    query.filters.length === 0 && want.kind === "links" ? [...text.matchAll(/str(\d+)_/g)] : [];
  const about = quoted.map(
    (match): Filter => ({
      op: "filter",
      test: "contains",
      value: room.strings[Number(match[1])] ?? "",
    }),
  );
  const literal = /\b(?:contain|includ|mention|match|start|end)/.test(ask.text);
  const wholly = literal ? sheet : withWholeWords(sheet, query.filters);
  const listed: Query = {
    ...query,
    filters: [...query.filters, ...about],
    missing: [],
    groupBy: [],
    select: urlsOnly ? ["url"] : kind.show,
    distinct: query.distinct ?? (several ? [] : null),
  };
  const part = run(wholly, listed, kind.label, kind.noun, room);
  return part === null ? null : asOutput(part, want);
}
