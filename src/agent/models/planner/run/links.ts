import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { failure, type Result, success } from "../../../tools/source-content.ts";
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
export function hopTargets({ which, words }: Hop, page: ReadPage): Result<string[]> {
  const links = linksOf(page);
  const where = page.url ?? "the data";
  if (which === "each") {
    const named = eachLink(links, words).map(({ url }) => url);
    const cards = page.tables.find(({ kind }) => kind === "cards")?.links ?? [];
    const urls = named.length > 0 ? named : cards;
    if (urls.length > 0) return success(urls);
    return failure(`There are no links${words === "" ? "" : ` "${words}"`} on ${where}.`);
  }
  const url = namedLink(links, words);
  if (url !== null) return success([url]);
  const texts = links.map(({ text }) => text).filter(Boolean);
  const shown = texts.slice(0, 10).join(", ") || "none";
  return failure(`There is no link "${words}" on ${where}. Its links are: ${shown}.`);
}

/** Returns the links of a page to other pages. */
function linksOf({ url: own, links }: ReadPage): Link[] {
  const here = withoutHash(own ?? "");
  return links.flatMap(({ text, url }) => {
    const target = URL.parse(url, own ?? undefined);
    if (target === null || !/^https?:$/.test(target.protocol)) return [];
    const address = withoutHash(target.href);
    return address === here ? [] : [{ text: text.trim(), url: address }];
  });
}

function withoutHash(url: string): string {
  return url.replace(/#.*/s, "");
}

/** Returns the words of a text in lower case, plurals without their s. */
function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=...)s$/, ""));
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

/** Returns the link of this text, else the only one that has its words in its text or address. */
function namedLink(links: readonly Link[], words: string): string | null {
  const wanted = words.toLowerCase().trim();
  const tests: ((link: Link) => boolean)[] = [
    ({ text }) => text.toLowerCase() === wanted,
    ({ text }) => hasWords(text, words),
    (link) => hasWords(pathOf(link), words),
    // "the Data Analyst job": the words say more than the link's own text.
    ({ text }) => !FRAME.test(text) && hasWords(words, text),
  ];
  for (const test of tests) {
    const [first, ...others] = new Set(links.filter(test).map(({ url }) => url));
    // Of several links of these words, none is meant for certain.
    if (first !== undefined) return others.length === 0 ? first : null;
  }
  return null;
}

/**
 * Returns the addresses of the pages after page `number` of a list, as far as this page links to them:
 * links of the numbers that follow, else the next page of a page or a JSON document.
 */
export function pagesAfter(page: ReadPage, number: number): string[] {
  const links = linksOf(page);
  const origin = URL.parse(page.url ?? "")?.origin;
  const numbered = links.filter(
    ({ text, url }) => /^\d{1,3}$/.test(text) && new URL(url).origin === origin,
  );
  const urls: string[] = [];
  for (let next = number + 1; ; next += 1) {
    const link = numbered.find(({ text }) => Number(text) === next);
    if (link === undefined) break;
    urls.push(link.url);
  }
  if (urls.length > 0) return urls;
  const inJson = page.json === undefined ? null : nextInJson(page.json);
  const named = links.find(({ text }) => text !== "" && NEXT.test(text))?.url;
  const next = inJson === null ? named : URL.parse(inJson, page.url ?? undefined)?.href;
  return next === undefined ? [] : [next];
}

/** Returns the number of a page by its address; 1 if it names none. */
export function pageNumber(url: string | null): number {
  return Number(/(?:[?&](?:page|p)=|\/page\/)(\d{1,4})(?=$|[/&#])/.exec(url ?? "")?.[1] ?? 1);
}

const NEXT_KEY = /^next(?:_?page)?(?:_?url)?$/i;
const HOLDER = /^(?:_?links|paging|pagination|meta)$/;

/** Returns the address of the next page that a JSON document names. */
function nextInJson(value: Json): string | null {
  if (!isObject(value)) return null;
  for (const [key, each] of Object.entries(value)) {
    if (!NEXT_KEY.test(key) || typeof each !== "string") continue;
    if (/^(?:https?:|\/|\?)/.test(each)) return each;
  }
  for (const [key, each] of Object.entries(value)) {
    const next = HOLDER.test(key) ? nextInJson(each ?? null) : null;
    if (next !== null) return next;
  }
  return null;
}
