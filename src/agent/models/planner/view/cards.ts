import { headingOf, linksIn, plainText } from "../../../tools/process-data/markdown.ts";
import { bylineOf, pairOf } from "./facts.ts";
import type { Page } from "./pages.ts";

/** What one card of a page says: its name first. */
type Card = Record<string, string>;

const MAX_LINES = 5_000;
const MAX_CARDS = 500;
const PRICE = /(?:[$€£¥]\s?\d[\d.,]*\d|[$€£¥]\s?\d|\d[\d.,]*\s?(?:€|EUR|USD|GBP|CHF)(?![a-z]))/;
const STATE =
  /\b(?:in stock|out of stock|sold out|available|unavailable|coming soon|on sale|only \d{1,4} left)\b/i;
const RATING = /\b(\d(?:\.\d{1,2})?)\s?(?:\/\s?5\b|out of 5\b|stars?\b)/i;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/;
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?";
const DATE = new RegExp(
  `\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}(?:st|nd|rd|th)?\\.? ${MONTH},? \\d{4}\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}\\b|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{4}\\b`,
  "i",
);
/** A line of this length may be about its date; a longer one only mentions it. */
const MAX_DATE_LINE = 60;

/** Sections under headings of one level that comes at least twice and has no repeated level below it. */
function sections(lines: string[]): string[][] {
  const levels = lines.flatMap((line) => headingOf(line.replace(/^\s*[-*+]\s+/, ""))?.level ?? []);
  const repeated = [...new Set(levels)].filter(
    (level) => levels.filter((other) => other === level).length > 1,
  );
  const deepest = Math.max(0, ...repeated);
  if (deepest === 0) return [];
  const found: string[][] = [];
  let open = false;
  for (const line of lines) {
    const heading = headingOf(line.replace(/^\s*[-*+]\s+/, ""));
    if (heading !== null && heading.level <= deepest) {
      open = heading.level === deepest;
      if (open) found.push([line.replace(/^\s*[-*+]\s+/, "").replace(/^#{1,6}\s+/, "")]);
    } else if (open) found.at(-1)?.push(line);
  }
  return withoutFooter(found);
}

/** The last section runs on into the rest of the page: it is cut to the length of the longest other. */
function withoutFooter(found: string[][]): string[][] {
  const longest = Math.max(0, ...found.slice(0, -1).map((lines) => lines.length));
  return found.map((lines, at) =>
    at === found.length - 1 && at > 0 ? lines.slice(0, longest) : lines,
  );
}

/** Items of lists, each with the lines that belong to it. */
function items(lines: string[]): string[][] {
  const found: string[][] = [];
  let open = false;
  for (const line of lines) {
    const bullet = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$/.exec(line);
    if (bullet?.[1] !== undefined) {
      found.push([bullet[1]]);
      open = true;
    } else if (/^\s+\S/.test(line) && open) found.at(-1)?.push(line.trim());
    else if (line.trim() !== "") open = false;
  }
  return found;
}

/** Paragraphs that begin with a link: "[Oak Desk](/p/1)$199.00In stock". */
function paragraphs(lines: string[]): string[][] {
  return lines
    .filter((line) => /^\[[^\]]{1,200}\]\([^)\s]{1,2000}\).*\S/.test(line))
    .map((line) => [line]);
}

/** The words before the first price, link target or separator. */
function nameOf(first: string): string {
  const link = linksIn(first)[0]?.text;
  const leads = first
    .replace(DATE, " ")
    .replace(/^[\s–—:|·-]+/, "")
    .startsWith("[");
  if (link !== undefined && leads && !/^https?:/.test(link)) return link;
  const text = plainText(first.replace(/^#{1,6}\s+/, ""));
  const cut = text.search(
    new RegExp(`\\s?[–—:|(]\\s|\\s-\\s|:\\s?(?=[$€£\\d])|\\s*(?=${PRICE.source})`),
  );
  return (cut > 0 ? text.slice(0, cut) : text).trim();
}

/** Terms and definitions as the page reader writes them ("- Salary" over "  $9") in one line each. */
function withDefinitions(lines: string[]): string[] {
  return lines.flatMap((line, at) => {
    const below = /^ {2}(\S.*)$/.exec(lines[at + 1] ?? "")?.[1];
    const term = /^- ([^\n#:[]{1,40})$/.exec(line)?.[1];
    if (term !== undefined && below !== undefined) return [`${term}: ${below}`];
    const defines = /^ {2}\S/.test(line) && /^- [^\n#:[]{1,40}$/.test(lines[at - 1] ?? "");
    return defines ? [] : [line];
  });
}

function cardOf(lines: string[]): Card {
  const [first = "", ...rest] = lines;
  const name = nameOf(first);
  const card: Card = { name };
  const linked = linksIn(lines.join("\n")).find(({ url }) => /^https?:/.test(url));
  const texts = [plainText(first).replace(name, " "), ...withDefinitions(rest).map(plainText)]
    .map((text) => text.trim())
    .filter(Boolean);
  const loose: string[] = [];
  for (const text of texts) {
    const pair = pairOf(text);
    if (pair !== null && pair.label.toLowerCase() !== "name") card[pair.label] ??= pair.value;
    else loose.push(text);
  }
  const all = loose.join("\n");
  const has = (label: RegExp): boolean => Object.keys(card).some((key) => label.test(key));
  const price = PRICE.exec(all)?.[0];
  if (price !== undefined && !has(/price|cost/i)) card.price = price;
  const rating = RATING.exec(all)?.[1];
  if (rating !== undefined && !has(/rating|stars|score/i)) card.rating = rating;
  const state = STATE.exec(all.replace(new RegExp(PRICE, "g"), " "))?.[0];
  if (state !== undefined && !has(/stock|availab/i)) card.availability = state;
  const email = EMAIL.exec(lines.join("\n"))?.[0];
  if (email !== undefined && !has(/mail/i)) card.email = email;
  const dated = loose.find((part) => part.length <= MAX_DATE_LINE && DATE.test(part));
  const date = DATE.exec(dated ?? "")?.[0];
  if (date !== undefined && !has(/date|posted|published|updated|created/i)) card.date = date;
  const author = loose.flatMap((part) => bylineOf(part) ?? [])[0];
  if (author !== undefined && !has(/author|by$/i)) card.author = author;
  const text = loose
    .filter((part) => part !== dated && bylineOf(part) === null)
    .filter((part) => !PRICE.test(part) && !STATE.test(part) && !EMAIL.test(part))
    .join(" ");
  if (text !== "" && text.length <= 300) card.text = text;
  if (linked !== undefined) card.url = linked.url;
  return card;
}

/** Whether a card says more of its thing than a name, a text and a link. */
function tells(card: Card): boolean {
  return Object.keys(card).some((key) => !/^(?:name|text|url)$/.test(key));
}

/**
 * The things that a page shows one after another without a table, as product or team pages do: read
 * off its repeated headings, its list items or its linked paragraphs, whichever tell the most.
 */
export function cardsOf(page: Page): Card[] {
  const lines = page.source.text.split("\n").slice(0, MAX_LINES);
  const ways = [sections(lines), items(lines), paragraphs(lines)];
  const read = ways.map((blocks) =>
    blocks
      .slice(0, MAX_CARDS)
      .map(cardOf)
      .filter((card) => card.name !== undefined && card.name !== "" && card.name.length <= 200),
  );
  const telling = read.filter((cards) => {
    const full = cards.filter(tells).length;
    return full >= 2 && full * 2 >= cards.length;
  });
  const best = telling.sort(
    (left, right) => right.filter(tells).length - left.filter(tells).length,
  )[0];
  return (best ?? []).filter(tells);
}
