import { oneLine, textOf, visible } from "./text.ts";
import type { Element } from "./tree.ts";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);
const MAX_TEXT = 500;

/** Where the links of a page start from. */
export interface LinkBase {
  /** The page's own address. */
  page: string;
  /** What relative links are resolved against: the page, or what its `<base>` says. */
  base: string;
}

/** The base of a page's links; a `<base>` that is not http or https is ignored. */
export function linkBase(page: string, written: string | null): LinkBase {
  const base = written === null ? null : URL.parse(written.trim(), page);
  return { page, base: base && /^https?:$/.test(base.protocol) ? base.href : page };
}

/** The absolute target of a link to read or to write to; null for anchors, scripts and the like. */
export function targetOf(written: string | undefined, { page, base }: LinkBase): string | null {
  if (written === undefined) return null;
  const url = URL.parse(written.trim(), base);
  if (!url || !SCHEMES.has(url.protocol)) return null;
  return url.hash && withoutHash(url.href) === withoutHash(page) ? null : url.href;
}

/** The words of a link on one line. */
export function linkText(link: Element): string {
  return wordsOf(link, textOf(link, { max: MAX_TEXT }));
}

/** What a link shows, if it has letters or digits, else its label: an arrow says nothing. */
export function wordsOf(link: Element, shown: string): string {
  return /[\p{L}\p{N}]/u.test(shown) ? shown : labelOf(link) || shown;
}

/** What an element without readable words of its own is called. */
export function labelOf({ attributes, children }: Element): string {
  const own = attributes["aria-label"] ?? attributes.title ?? attributes.alt;
  if (own) return oneLine(visible(own)).slice(0, MAX_TEXT);
  for (const child of children) {
    const label = typeof child === "string" ? "" : labelOf(child);
    if (label) return label;
  }
  return "";
}

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}
