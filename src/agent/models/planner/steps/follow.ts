import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { isIdle } from "../bind/idle.ts";
import { singular } from "../language/normalize.ts";
import type { Hop } from "../plan/types.ts";
import type { Page } from "../view/pages.ts";

interface Link {
  text: string;
  url: string;
}

/** Links of the frame around a page; "each link" means those of its content. */
const FRAME =
  /^(?:home|start|login|log in|sign in|sign up|register|privacy(?: policy)?|terms(?: of \w+)?|imprint|impressum|cookies?|contact(?: us)?|about(?: us)?|next|previous|prev|back|cart|basket|search|help|faq|rss|skip to .*|menu|top|back to .*|[«»‹›→←<>\d]+|(?:next|previous|older|newer) .*)$/i;
const NEXT =
  /^(?:next(?: page)?|older(?: posts| entries)?|load more|show more|more|more results|continue|forward)?\s*[›»→>⟩]*$/i;

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}

/** The links of a page that lead to other pages, each once. */
function linksOf(page: Page, once = true): Link[] {
  const seen = new Set([withoutHash(page.url)]);
  return page.source.links().flatMap((link) => {
    const absolute = URL.canParse(link.url, page.url || undefined)
      ? new URL(link.url, page.url || undefined)
      : null;
    if (absolute === null || !/^https?:$/.test(absolute.protocol)) return [];
    const url = withoutHash(absolute.href);
    if (seen.has(url)) return [];
    if (once) seen.add(url);
    return [{ text: link.text, url }];
  });
}

function stems(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(singular);
}

/** The links that "each product page" or "every link that mentions docs" stands for. */
function eachLink(page: Page, { about, containing }: Extract<Hop, { kind: "each" }>): Link[] {
  const links = linksOf(page);
  const content = links.filter((link) => !FRAME.test(link.text.trim()));
  const all = content.length > 0 ? content : links;
  if (containing !== undefined) {
    const part = containing.toLowerCase();
    return all.filter((link) => `${link.text} ${link.url}`.toLowerCase().includes(part));
  }
  if (about === null) return all;
  const wanted = stems(about);
  const named = all.filter((link) => {
    const words = stems(`${link.text} ${decodePath(link.url)}`);
    return wanted.some((word) => words.includes(word));
  });
  // "Each product" may be any thing of the page; "each tea" only what is called so.
  const general = wanted.every((word) => isIdle(word, true));
  return named.length === 0 && general ? all : named;
}

/** The link that is called so: by its text, then by a part of it, then by its address. */
function namedLink(page: Page, name: string): Link | null {
  const links = linksOf(page, false);
  const wanted = name.toLowerCase().trim();
  const words = stems(name);
  const tests: ((link: Link) => boolean)[] = [
    (link) => link.text.toLowerCase().trim() === wanted,
    (link) => link.text.toLowerCase().startsWith(wanted),
    (link) => words.length > 0 && words.every((word) => stems(link.text).includes(word)),
    (link) => link.text.toLowerCase().includes(wanted),
    (link) => words.length > 0 && words.every((word) => stems(decodePath(link.url)).includes(word)),
  ];
  for (const test of tests) {
    const found = links.find(test);
    if (found !== undefined) return found;
  }
  return null;
}

function decodePath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** The address of the next page that a JSON answer names. */
function nextInJson(value: Json | undefined): string | null {
  if (value === undefined || !isObject(value)) return null;
  for (const key of ["next", "next_page", "nextPage", "next_url", "nextUrl", "next_page_url"]) {
    const next = value[key];
    if (typeof next === "string" && next !== "") return next;
  }
  for (const key of ["links", "_links", "paging", "pagination", "meta"]) {
    const inner = nextInJson(value[key]);
    if (inner !== null) return inner;
  }
  return null;
}

/** The further pages of a list that a page links to: numbered ones and the next. */
function furtherPages(page: Page): string[] {
  const json = nextInJson(page.source.json());
  if (json !== null) return URL.canParse(json, page.url) ? [new URL(json, page.url).href] : [];
  const here = URL.canParse(page.url) ? new URL(page.url) : null;
  const links = linksOf(page);
  const numbered = links.filter(
    (link) =>
      /^\d{1,3}$/.test(link.text.trim()) &&
      here !== null &&
      new URL(link.url).origin === here.origin,
  );
  const next = links.filter((link) => link.text.trim() !== "" && NEXT.test(link.text.trim()));
  return [...new Set([...numbered, ...next].map((link) => link.url))];
}

/** Where a hop leads from a page, or why it leads nowhere. */
export function targetsOf(hop: Hop, page: Page): { urls: string[]; failure: string | null } {
  const where = page.url || "the page";
  switch (hop.kind) {
    case "pages":
      return { urls: furtherPages(page), failure: null };
    case "each": {
      const urls = eachLink(page, hop).map((link) => link.url);
      const about = hop.containing ?? hop.about;
      const which = about === null ? "" : ` about "${about}"`;
      const failure =
        urls.length === 0 ? `There are no links${which} to follow on ${where}.` : null;
      return { urls: hop.limit === null ? urls : urls.slice(0, hop.limit), failure };
    }
    case "link": {
      const link = namedLink(page, hop.text);
      if (link !== null) return { urls: [link.url], failure: null };
      const next = /^next\b/i.test(hop.text) ? furtherPages(page).slice(0, 1) : [];
      if (next.length > 0) return { urls: next, failure: null };
      const there = linksOf(page)
        .map((one) => one.text)
        .filter(Boolean)
        .slice(0, 10)
        .join(", ");
      return {
        urls: [],
        failure: `There is no link called "${hop.text}" on ${where}; its links are: ${there || "none"}.`,
      };
    }
    case "position": {
      const link =
        linksOf(page)
          .filter((one) => !FRAME.test(one.text.trim()))
          .at(hop.index) ?? linksOf(page).at(hop.index);
      return link === undefined
        ? { urls: [], failure: `There is no such link on ${where}.` }
        : { urls: [link.url], failure: null };
    }
  }
}
