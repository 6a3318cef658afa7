import type { JsonObject } from "../../../contract/json.ts";
import { rowsOfJson } from "./json.ts";
import { headingOf, linksIn, plainText, withoutBullet } from "./markdown.ts";
import { joinedLines, PRICE, pairOf, type Tell } from "./pairs.ts";
import type { Source } from "./source.ts";
import type { Extracted } from "./table.ts";

/** Reading the lines of a page as cards costs the most of all extractions. */
const MAX_LINES = 20_000;

/** What one card says: its name first. */
type Card = Record<string, string>;

const DATE =
  /\b\d{4}-\d\d-\d\d\b|\b\d{1,2} [A-Z][a-z]{2,8},? \d{4}\b|\b[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}\b/;

const TELLS: readonly Tell[] = [
  PRICE,
  {
    column: "rating",
    unless: /rating|stars|score/i,
    pattern: /\b\d(?:\.\d{1,2})?(?=\s?(?:\/\s?5\b|out of 5\b|stars?\b))/i,
  },
  {
    column: "availability",
    unless: /stock|availab/i,
    pattern: /\b(?:in stock|out of stock|sold out|(?:un)?available)\b/i,
  },
  { column: "email", unless: /mail/i, pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/ },
  { column: "date", unless: /date|posted|published|updated|created/i, pattern: DATE },
];

/** A span of days: "12 March 2026 to 30 August 2026". */
const SPAN = new RegExp(`^(${DATE.source}) (?:to|until|till|[-–—]) (${DATE.source})$`);

/**
 * Extracts the things that a page shows one after another without a table, as product or team pages do:
 * read off its repeated headings, its list items or its linked paragraphs, whichever tell the most. The
 * links are those of the things, if each has one.
 */
export function extractCards({ text }: Source): Extracted & { links: string[] } {
  const all = joinedLines(text);
  const lines = all.slice(0, MAX_LINES);
  const [cards = []] = [sections(lines), items(lines), paragraphs(lines)]
    .filter((blocks) => !areDefinitions(blocks))
    .map((blocks) => blocks.map(cardOf).filter(isNamed))
    .map((named) => ({ named, telling: named.filter(tells) }))
    .filter(({ named, telling }) => telling.length >= 2 && telling.length * 2 >= named.length)
    .map(({ telling }) => telling)
    .toSorted((left, right) => right.length - left.length);
  const links = cards.flatMap(({ url }) => url ?? []);
  const rows = cards.map(({ url: _, ...card }): JsonObject => card);
  const extracted = rowsOfJson([rows]);
  return {
    ...extracted,
    cut: extracted.cut || all.length > MAX_LINES,
    links: links.length === cards.length ? links : [],
  };
}

/**
 * Whether blocks are terms with their definitions, which say several things of one. Terms whose
 * definitions are all of one kind, such as dishes and prices, are things of their own.
 */
function areDefinitions(blocks: readonly string[][]): boolean {
  const pairs = blocks.flatMap(([first = "", second]) =>
    second === undefined ? (pairOf(first) ?? []) : [],
  );
  if (pairs.length === 0 || pairs.length < blocks.length) return false;
  return !TELLS.some(({ pattern }) => pairs.every(({ value }) => pattern.test(value)));
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
  const headings = lines.map((line) => headingOf(withoutBullet(line)));
  const levels = headings.flatMap((heading) => heading?.level ?? []);
  const repeated = [1, 2, 3, 4, 5, 6].filter(
    (level) => levels.filter((one) => one === level).length > 1,
  );
  const deepest = Math.max(0, ...repeated);
  const found: string[][] = [];
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const { level } = headings[index] ?? { level: 7 };
    if (level <= deepest) {
      isOpen = level === deepest;
      if (isOpen) found.push([withoutBullet(line).replace(/^#+\s+/, "")]);
    } else if (isOpen) found.at(-1)?.push(line);
  }
  // The last section runs on into the rest of the page: it gets as many lines as the longest of the others.
  const last = found.length > 1 ? found.pop() : undefined;
  const longest = found.reduce((most, { length }) => Math.max(most, length), 0);
  return last === undefined ? found : [...found, last.slice(0, longest)];
}

/** Returns the items of lists, each with the lines that belong to it. */
function items(lines: readonly string[]): string[][] {
  const found: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const item = withoutBullet(line);
    if (item !== line) found.push([item]);
    else if (isOpen && /^\s+\S/.test(line)) found.at(-1)?.push(line.trim());
    isOpen = item !== line || (isOpen && /^\s+\S|^$/.test(line));
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
  const loose: string[] = [];
  for (const line of [plainText(first).replace(name, " "), ...rest.map(plainText)]) {
    const text = line.trim();
    const [, from, to] = SPAN.exec(text) ?? [];
    const pair = from === undefined ? pairOf(text) : null;
    if (from !== undefined && to !== undefined) Object.assign(card, { from, to });
    else if (pair !== null && pair.label.toLowerCase() !== "name") card[pair.label] ??= pair.value;
    else if (text !== "") loose.push(text);
  }
  const all = loose.join("\n");
  for (const { column, unless, pattern } of TELLS) {
    // An address may stand behind a link.
    const value = pattern.exec(column === "email" ? rest.join("\n") + all : all)?.[0];
    const isKnown = Object.keys(card).some((key) => unless.test(key));
    if (value !== undefined && !isKnown) card[column] = value;
  }
  const text = loose.filter((part) => !TELLS.some(({ pattern }) => pattern.test(part))).join(" ");
  if (text !== "" && text.length <= 300) card.text = text;
  const url = linksIn([first, ...rest].join("\n")).find((link) => /^https?:/.test(link.url))?.url;
  return url === undefined ? card : { ...card, url };
}

/** Returns the link that the line begins with, else the words before the first price or separator. */
function nameOf(line: string): string {
  const link = /^[\s–—:|·-]*\[/.test(line) ? linksIn(line)[0]?.text : undefined;
  if (link !== undefined && !/^https?:/.test(link)) return link;
  const text = plainText(line);
  const end = text.search(/\s?[–—:|(]\s|\s-\s|:\s?(?=[$€£\d])|\s*[$€£¥]\s?\d/);
  return (end > 0 ? text.slice(0, end) : text).trim();
}
