import type { Extraction } from "../../../contract/tools/data.ts";
import { unescapedOrNull } from "../../../lib/encoding.ts";
import { fitText, storedBytes } from "../text.ts";
import { fail } from "../tool.ts";
import { followPath, rowsOfJson } from "./json.ts";
import { headingOf, listItem } from "./markdown.ts";
import type { NamedTable, Source } from "./source.ts";
import {
  type Extracted,
  MAX_RESULT_BYTES,
  normalizeName,
  quoteNames,
  tableOfGrid,
} from "./table.ts";
import { isEmpty } from "./values.ts";

/** Extracts data from one source. */
export function extractFrom(source: Source, extraction: Extraction): Extracted {
  switch (extraction.kind) {
    case "table":
      return extractTable(source, extraction);
    case "json":
      return extractJson(source, extraction.path);
    case "emails":
      return extractEmails(source);
    case "links":
      return tableOfGrid(
        ["text", "url"],
        source.links().map(({ text, url }) => [text, url]),
      );
    case "headings":
      return tableOfGrid(
        ["level", "text"],
        source.headings().map(({ level, text }) => [level, text]),
      );
    case "lists":
      return extractLists(source, extraction.heading);
    case "text":
      return extractText(source);
  }
}

type Choice = Extract<Extraction, { kind: "table" }>;

/** Selects a table by index or caption words, else the fullest one. */
export function extractTable(source: Source, { index, caption = "" }: Choice): NamedTable {
  const tables = source.tables();
  if (tables.length === 0) fail("The source has no table.", "nothing_found");
  if (index !== undefined) {
    const message = `There is no table ${index}. The source has ${tables.length}, counted from 0.`;
    return tables[index] ?? fail(message, "nothing_found");
  }
  const captioned = withCaption(tables, caption);
  if (captioned.length === 0) {
    const captions = quoteNames(tables.flatMap((table) => table.caption ?? [])) || "none";
    fail(`No table has the caption "${caption}". Captions: ${captions}.`, "nothing_found");
  }
  return captioned.reduce((best, next) => (filled(next) > filled(best) ? next : best));
}

function withCaption(tables: readonly NamedTable[], caption: string): NamedTable[] {
  const words = caption.split(/\s+/).map(normalizeName);
  return tables.filter((table) => {
    const name = normalizeName(table.caption ?? "");
    return words.every((word) => name.includes(word));
  });
}

/** Returns how many cells of a table are not empty. */
function filled({ table }: NamedTable): number {
  return table.rows.reduce((sum, row) => sum + row.filter((cell) => !isEmpty(cell)).length, 0);
}

/** Extracts the values at a path as rows. */
function extractJson(source: Source, path: string): Extracted {
  const root = source.json();
  if (root === undefined) return fail("The source is not JSON.", "nothing_found");
  const { values, missed } = followPath(root, path);
  const rows = rowsOfJson(values);
  if (missed === 0) return rows;
  const note = `${missed} elements have no value at "${path}" and were left out.`;
  return { ...rows, notes: [...rows.notes, note] };
}

/**
 * Common addresses only: RFC 5321 lengths, no quoted local part, a dotted host with a name as its last
 * label. All repetitions are bounded and a match starts only at a word's start, so the time is linear.
 */
const ADDRESS =
  /(?<![\p{L}\p{N}._%+'@-])[\p{L}\p{N}_+'-]{1,64}(?:\.[\p{L}\p{N}_+'-]{1,64}){0,8}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}@-])/giu;

/** `logo@2x.png` is the file of a picture for dense screens. */
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|map|json|html?)$/;

/** Extracts e-mail addresses from the text and from `mailto:` links, in lower case, each once. */
export function extractEmails(source: Source): Extracted {
  const mailto = source.links().flatMap(({ url }) => (/^mailto:/i.test(url) ? [decoded(url)] : []));
  const addresses = new Set<string>();
  for (const text of [...source.passages(), ...mailto]) {
    for (const [match] of text.matchAll(ADDRESS)) {
      const address = match.replace(/^'+/, "").toLowerCase();
      const at = address.indexOf("@");
      if (at > 0 && at <= 64 && !FILE_NAME.test(address)) addresses.add(address);
    }
  }
  return tableOfGrid(
    ["email"],
    [...addresses].map((address) => [address]),
  );
}

/** Returns the recipients of a `mailto:` address (RFC 6068); malformed encoding is kept. */
function decoded(url: string): string {
  const recipients = url.slice("mailto:".length).split("?")[0] ?? "";
  return unescapedOrNull(recipients) ?? recipients;
}

/**
 * Extracts the items of bulleted and numbered lists, including nested ones; if a heading is given, those
 * right behind it, such as ingredients or steps.
 */
export function extractLists({ text }: Source, heading?: string): Extracted {
  let isMeant = heading === undefined;
  const items = text.split("\n").flatMap((line) => {
    const before = heading === undefined ? undefined : headingOf(line)?.text;
    if (before !== undefined) isMeant = before === heading;
    const item = isMeant && before === undefined ? listItem(line) : null;
    return item === null ? [] : [[item]];
  });
  return tableOfGrid([heading ?? "item"], items);
}

const TEXT_COLUMNS = ["url", "title", "text"];

/** Extracts the text as one cell, as much of it as fits an answer. */
export function extractText({ url, title, text }: Source): Extracted {
  // Brackets, commas and quotes take less than a hundred bytes.
  const room = MAX_RESULT_BYTES - storedBytes([...TEXT_COLUMNS, url, title]) - 100;
  const { kept, cut } = fitText(text, room);
  return { ...tableOfGrid(TEXT_COLUMNS, [[url, title, kept]]), cut };
}
