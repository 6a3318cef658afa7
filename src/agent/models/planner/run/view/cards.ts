import type { JsonObject } from "../../../../../contract/json.ts";
import { headingOf, linksIn, plainText } from "../../../../tools/process-data/markdown.ts";
import type { MaterialTable } from "../../program.ts";
import { inlineRows } from "./json-tables.ts";
import { pairOf } from "./record.ts";

const MAX_LINES = 5_000;
const MAX_CARDS = 500;

/** What one card says: its name first. */
type Card = Record<string, string>;

/** A pattern of a value that a card tells without a label, and the column that it fills. */
interface Tell {
  column: string;
  /** Labels that mean the same. */
  unless: RegExp;
  pattern: RegExp;
}

const DATE =
  /\b\d{4}-\d\d-\d\d\b|\b\d{1,2} [A-Z][a-z]{2,8},? \d{4}\b|\b[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}\b/;

const TELLS: readonly Tell[] = [
  {
    column: "price",
    unless: /price|cost/i,
    pattern: /[$€£¥]\s?\d[\d.,]*\d|[$€£¥]\s?\d|\d[\d.,]*\s?(?:€|EUR|USD|GBP|CHF)(?![a-z])/,
  },
  {
    column: "rating",
    unless: /rating|stars|score/i,
    pattern: /\b\d(?:\.\d{1,2})?(?=\s?(?:\/\s?5\b|out of 5\b|stars?\b))/i,
  },
  {
    column: "availability",
    unless: /stock|availab/i,
    pattern:
      /\b(?:in stock|out of stock|sold out|unavailable|available|coming soon|only \d{1,4} left)\b/i,
  },
  {
    column: "email",
    unless: /mail/i,
    pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/,
  },
  {
    column: "date",
    unless: /date|posted|published|updated|created/i,
    pattern: DATE,
  },
];

/** A span of days: "12 March 2026 to 30 August 2026". */
const SPAN = new RegExp(`^(${DATE.source}) (?:to|until|till|[-–—]) (${DATE.source})$`);

/**
 * Returns the things that a page shows one after another without a table, as product or team pages do:
 * read off its repeated headings, its list items or its linked paragraphs, whichever tell the most.
 */
export function cardTables(markdown: string): MaterialTable[] {
  const lines = markdown.split("\n").slice(0, MAX_LINES);
  const ways = [sections(lines), items(lines), paragraphs(lines)];
  const best = ways
    .filter((blocks) => !areDefinitions(blocks))
    .map((blocks) => blocks.slice(0, MAX_CARDS).map(cardOf).filter(isNamed))
    .filter((cards) => {
      const telling = cards.filter(tells).length;
      return telling >= 2 && telling * 2 >= cards.length;
    })
    .map((cards) => cards.filter(tells))
    .toSorted((left, right) => right.length - left.length)[0];
  if (best === undefined) return [];
  const names = [...new Set(best.flatMap((card) => Object.keys(card)))];
  // A question about links means those of the page, so addresses get no column.
  const columns = names.filter((name) => name !== "url");
  const links = best.flatMap(({ url }) => url ?? []);
  const records = best.map(
    (card): JsonObject => Object.fromEntries(columns.map((name) => [name, card[name] ?? null])),
  );
  const isLinked = links.length === best.length;
  return [{ kind: "cards", caption: null, ...inlineRows(records), ...(isLinked ? { links } : {}) }];
}

/**
 * Whether blocks are terms with their definitions, which say several things of one. Terms whose
 * definitions are all of one kind, such as dishes and prices, are things of their own.
 */
function areDefinitions(blocks: readonly string[][]): boolean {
  const areShort = blocks.length > 0 && blocks.every(({ length }) => length === 2);
  if (!areShort) return false;
  return !TELLS.some(({ pattern }) => blocks.every(([, below = ""]) => pattern.test(below)));
}

function isNamed({ name = "" }: Card): boolean {
  return name !== "" && name.length <= 200;
}

/** Whether a card says more of its thing than a name, a text and a link. */
function tells(card: Card): boolean {
  return Object.keys(card).some((key) => key !== "name" && key !== "text" && key !== "url");
}

/** Returns the sections under the deepest level of headings that comes at least twice. */
function sections(lines: readonly string[]): string[][] {
  const headings = lines.map((line) => headingOf(line.replace(/^\s*[-*+]\s+/, "")));
  const levels = headings.flatMap((heading) => heading?.level ?? []);
  const deepest = Math.max(0, ...levels.filter((level, index) => levels.indexOf(level) !== index));
  const found: string[][] = [];
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const heading = headings[index] ?? null;
    if (heading !== null && heading.level <= deepest) {
      isOpen = heading.level === deepest;
      if (isOpen) found.push([line.replace(/^\s*[-*+]\s+/, "").replace(/^#{1,6}\s+/, "")]);
    } else if (isOpen) found.at(-1)?.push(line);
  }
  return withoutFooter(found);
}

/** Cuts the last section, which runs on into the rest of the page, to the longest of the others. */
function withoutFooter(found: readonly string[][]): string[][] {
  const longest = Math.max(0, ...found.slice(0, -1).map((lines) => lines.length));
  return found.map((lines, index) =>
    index === found.length - 1 && index > 0 ? lines.slice(0, longest) : lines,
  );
}

/** Returns the items of lists, each with the lines that belong to it. */
function items(lines: readonly string[]): string[][] {
  const found: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const bullet = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$/.exec(line)?.[1];
    if (bullet !== undefined) {
      found.push([bullet]);
      isOpen = true;
    } else if (isOpen && /^\s+\S/.test(line)) found.at(-1)?.push(line.trim());
    else if (line.trim() !== "") isOpen = false;
  }
  return found;
}

/** Returns the paragraphs that begin with a link: "[Oak Desk](/p/1)$199.00In stock". */
function paragraphs(lines: readonly string[]): string[][] {
  return lines
    .filter((line) => /^\[[^\]]{1,200}\]\([^)\s]{1,2000}\).*\S/.test(line))
    .map((line) => [line]);
}

function cardOf([first = "", ...rest]: readonly string[]): Card {
  const name = nameOf(first);
  const card: Card = { name };
  const texts = [plainText(first).replace(name, " "), ...withDefinitions(rest).map(plainText)];
  const loose: string[] = [];
  for (const text of texts.map((each) => each.trim()).filter(Boolean)) {
    const [, from, to] = SPAN.exec(text) ?? [];
    if (from !== undefined && to !== undefined) Object.assign(card, { from, to });
    const pair = from === undefined ? pairOf(text) : null;
    if (pair !== null && pair.label.toLowerCase() !== "name") card[pair.label] ??= pair.value;
    else if (from === undefined) loose.push(text);
  }
  const all = loose.join("\n");
  for (const { column, unless, pattern } of TELLS) {
    const value = pattern.exec(column === "email" ? rest.join("\n") + all : all)?.[0];
    if (value !== undefined && !Object.keys(card).some((key) => unless.test(key)))
      card[column] = value;
  }
  const text = loose.filter((part) => !TELLS.some(({ pattern }) => pattern.test(part))).join(" ");
  if (text !== "" && text.length <= 300) card.text = text;
  const url = linksIn([first, ...rest].join("\n")).find((link) => /^https?:/.test(link.url))?.url;
  if (url !== undefined) card.url = url;
  return card;
}

/** Writes terms and definitions ("- Salary" over "  $9") in one line each. */
function withDefinitions(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const isTerm = /^- [^\n#:[]{1,40}$/;
    const below = /^ {2}(\S.*)$/.exec(lines[index + 1] ?? "")?.[1];
    if (isTerm.test(line) && below !== undefined) return [`${line.slice(2)}: ${below}`];
    const isDefinition = /^ {2}\S/.test(line) && isTerm.test(lines[index - 1] ?? "");
    return isDefinition ? [] : [line];
  });
}

/** Returns the link that the line begins with, else the words before the first price or separator. */
function nameOf(line: string): string {
  const link = /^[\s–—:|·-]*\[/.test(line) ? linksIn(line)[0]?.text : undefined;
  if (link !== undefined && !/^https?:/.test(link)) return link;
  const text = plainText(line);
  const end = text.search(/\s?[–—:|(]\s|\s-\s|:\s?(?=[$€£\d])|\s*[$€£¥]\s?\d/);
  return (end > 0 ? text.slice(0, end) : text).trim();
}
