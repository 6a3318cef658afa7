import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import type { Hop } from "../program.ts";
import type { ReadPage } from "./view.ts";

interface Link {
  text: string;
  url: string;
}

/** Texts of the links around a page; "each link" means those of its content. */
const FRAME =
  /^(?:home|start|log ?in|sign (?:in|up)|register|privacy(?: policy)?|terms(?: of \w+)?|imprint|cookies?|contact(?: us)?|about(?: us)?|prev(?:ious)?|back(?: to .*)?|cart|basket|search|help|faq|rss|skip to .*|menu|top|[«»‹›→←<>\d]+|(?:next|previous|older|newer)(?: .*)?)$/i;
const NEXT =
  /^(?:next(?: page)?|older(?: posts| entries)?|(?:load |show )?more(?: results)?)?\s*[›»→>]*$/i;

/** Returns the addresses to which a hop leads from a page, or why it leads nowhere. */
export function hopTargets(
  hop: Hop,
  page: ReadPage,
): { ok: true; urls: string[] } | { ok: false; message: string } {
  const links = linksOf(page);
  const where = page.url ?? "the data";
  if (hop.which === "each") {
    const named = eachLink(links, hop.words).map(({ url }) => url);
    const urls = [...new Set(named.length > 0 ? named : rowLinks(page, links))];
    if (urls.length > 0) return { ok: true, urls };
    const which = hop.words === "" ? "" : ` "${hop.words}"`;
    return { ok: false, message: `There are no links${which} on ${where}.` };
  }
  const link = namedLink(links, hop.words);
  if (link !== null) return { ok: true, urls: [link.url] };
  const texts = links.map(({ text }) => text).filter(Boolean);
  const shown = texts.slice(0, 10).join(", ") || "none";
  return {
    ok: false,
    message: `There is no link "${hop.words}" on ${where}. Its links are: ${shown}.`,
  };
}

/** Returns the links of a page to other pages. */
function linksOf(page: ReadPage): Link[] {
  const own = withoutHash(page.url ?? "");
  return page.links.flatMap(({ text, url }) => {
    const target = URL.parse(url, page.url ?? undefined);
    if (target === null || !/^https?:$/.test(target.protocol)) return [];
    const address = withoutHash(target.href);
    return address === own ? [] : [{ text: text.trim(), url: address }];
  });
}

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}

/** Returns the words of a text in lower case, plurals without their s. */
function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word));
}

function hasWords(text: string, words: string): boolean {
  const stems = new Set(stemsOf(text));
  const wanted = stemsOf(words);
  return wanted.length > 0 && wanted.every((stem) => stems.has(stem));
}

function pathOf({ url }: Link): string {
  return decodeURI(new URL(url).pathname.replace(/%(?![\da-f]{2})/gi, "%25"));
}

function eachLink(links: readonly Link[], words: string): Link[] {
  const content = links.filter(({ text }) => text !== "" && !FRAME.test(text));
  if (words === "") return content;
  const named = links.filter(({ text }) => hasWords(text, words));
  return named.length > 0 ? named : content.filter((link) => hasWords(pathOf(link), words));
}

/** Returns the links of the things that a page lists: one link for each card, or for each row of a table. */
function rowLinks(page: ReadPage, links: readonly Link[]): string[] {
  const cards = page.tables.find(({ kind }) => kind === "cards");
  if (cards?.links !== undefined) return cards.links;
  const known = new Map(links.map((link) => [link.text, link.url]));
  const rows = page.text.split("\n").filter((line) => /^\|.*\]\(/.test(line));
  const ofRows = rows.flatMap((line) => {
    const [, text = "", ...others] = /\[([^\]]+)\]\([^)]*\)/g.exec(line) ?? [];
    return others.length === 0 && known.has(text) ? (known.get(text) ?? []) : [];
  });
  const tables = page.tables.filter(({ kind }) => kind === "table");
  return tables.length === 1 && ofRows.length === tables[0]?.rows.length ? ofRows : [];
}

/** Returns the link of this text, else the only one that has its words in its text or address. */
function namedLink(links: readonly Link[], words: string): Link | null {
  const wanted = words.toLowerCase().trim();
  const tests: ((link: Link) => boolean)[] = [
    ({ text }) => text.toLowerCase() === wanted,
    ({ text }) => hasWords(text, words),
    (link) => hasWords(pathOf(link), words),
  ];
  for (const test of tests) {
    const found = links.filter(test);
    const [first] = found;
    if (first !== undefined && found.every(({ url }) => url === first.url)) return first;
    // Several links of these words: none is meant for certain.
    if (first !== undefined) return null;
  }
  return null;
}

/** The further pages of a list, as far as one of its pages links to them. */
export interface Further {
  /** Addresses by page number. */
  numbered: Map<number, string>;
  next: string | null;
}

/** Finds the further pages of a list: links of numbers, and the next page of a page or a JSON document. */
export function furtherPages(page: ReadPage): Further {
  const numbered = new Map<number, string>();
  const links = linksOf(page);
  const origin = URL.parse(page.url ?? "")?.origin;
  for (const { text, url } of links) {
    const isPage = /^\d{1,3}$/.test(text) && new URL(url).origin === origin;
    if (isPage && !numbered.has(Number(text))) numbered.set(Number(text), url);
  }
  const named = links.find(({ text }) => text !== "" && NEXT.test(text))?.url;
  const inJson = page.json === undefined ? null : nextInJson(page.json);
  const next = inJson === null ? named : URL.parse(inJson, page.url ?? undefined)?.href;
  return { numbered, next: next ?? null };
}

/** Returns the number of a page by its address; 1 if it names none. */
export function pageNumber(url: string | null): number {
  const number = /(?:[?&](?:page|p)=|\/page\/)(\d{1,4})(?=$|[/&#])/.exec(url ?? "")?.[1];
  return Number(number ?? 1);
}

const NEXT_KEYS = ["next", "next_page", "nextPage", "next_url", "nextUrl", "next_page_url"];
const HOLDERS = ["links", "_links", "paging", "pagination", "meta"];

/** Returns the address of the next page that a JSON document names. */
function nextInJson(value: Json): string | null {
  if (!isObject(value)) return null;
  for (const key of NEXT_KEYS) {
    const next = value[key];
    if (typeof next === "string" && /^(?:https?:|\/|\?)/.test(next)) return next;
  }
  for (const key of HOLDERS) {
    const inner = nextInJson(value[key] ?? null);
    if (inner !== null) return inner;
  }
  return null;
}
