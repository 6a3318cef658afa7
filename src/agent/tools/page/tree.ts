import { Parser } from "htmlparser2";
import { cutAt, oneLine, visible } from "../text.ts";

/** A visible element. Its children are elements and runs of text, in document order. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  /** Some descendant is a block, so that the element is not part of a line of text. */
  hasBlock: boolean;
  hasTable: boolean;
}

export type Node = Element | string;

/** What a page says to its readers, and what its head says of it. */
export interface Tree {
  root: Element;
  title: Element | null;
  /** The content of each `<meta>` with a name or a property; the first one counts. */
  meta: Map<string, string>;
  /** The target of the first `<base>`, as written. */
  base: string | null;
  /** The page was nested so deeply that its rest was left out. */
  cut: boolean;
}

/** Elements whose content is not text for readers. */
const DROPPED = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "noframes",
  "svg",
  "iframe",
  "object",
  "embed",
  "canvas",
  "audio",
  "video",
  "datalist",
]);

const BLOCKS = new Set([
  ..."address article aside blockquote body caption center dd details dialog div dl dt".split(" "),
  ..."fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend".split(
    " ",
  ),
  ..."li main menu nav ol optgroup option p pre search section select summary table tbody".split(
    " ",
  ),
  ..."td textarea tfoot th thead tr ul xmp".split(" "),
]);

/** What rows and cells are children of, also when elements between were left open. */
const HOMES: Record<string, string[] | undefined> = {
  td: ["tr"],
  th: ["tr"],
  tr: ["tbody", "thead", "tfoot", "table"],
};
const HOME_SEARCH = 64;

/**
 * Deeper elements add their content to the one at this depth. Browsers do the same, at 512; it
 * bounds the recursion of everyone who walks the tree.
 */
const MAX_DEPTH = 256;

/** The parser's work per tag grows with the open ones, so a page that opens more is cut. */
export const MAX_OPEN = 5_200;

/** Whether an element stands on lines of its own. */
export function isBlock({ name }: Element): boolean {
  return BLOCKS.has(name);
}

/** The elements among nodes. */
export function elementsOf(nodes: Node[]): Element[] {
  return nodes.filter((node) => typeof node !== "string");
}

/**
 * Parses HTML, however broken, into the tree of what its readers see. Linear in the page's length:
 * unlike the HTML standard's algorithm it never copies formatting elements, which lets a page of
 * kilobytes grow to gigabytes.
 */
export function parseTree(html: string): Tree {
  const root = element("body", {});
  const tree: Tree = { root, title: null, meta: new Map(), base: null, cut: false };
  /** One entry per open tag; null inside of what is not shown. */
  const open: (Element | null)[] = [root];
  const parser = new Parser({
    onopentag(name, attributes) {
      readHead(name, attributes, tree);
      open.push(enter(name, attributes, open, tree));
      if (open.length > MAX_OPEN) {
        tree.cut = true;
        parser.pause();
      }
    },
    ontext(text) {
      open.at(-1)?.children.push(visible(text));
    },
    onclosetag() {
      open.pop();
    },
  });
  parser.write(html);
  if (!tree.cut) parser.end();
  return tree;
}

/** The entry for a tag just opened, attached to the tree if it is to be seen. */
function enter(
  name: string,
  attributes: Record<string, string>,
  open: (Element | null)[],
  tree: Tree,
): Element | null {
  const parent = homeOf(name, open);
  if (!parent || DROPPED.has(name) || isHidden(name, attributes)) return null;
  if (name === "title") {
    const title = element(name, attributes);
    tree.title ??= title;
    return title;
  }
  if (open.length > MAX_DEPTH) return parent;
  const child = element(name, attributes);
  parent.children.push(child);
  if (isBlock(child)) markAncestors(open, "hasBlock");
  if (name === "table") markAncestors(open, "hasTable");
  return child;
}

function homeOf(name: string, open: (Element | null)[]): Element | null {
  const nearest = open.at(-1) ?? null;
  const homes = HOMES[name];
  if (!homes) return nearest;
  for (const ancestor of open.slice(-HOME_SEARCH).reverse()) {
    if (!ancestor) return null;
    if (homes.includes(ancestor.name)) return ancestor;
    if (ancestor.name === "table") break;
  }
  return nearest;
}

/** Stops at the first that is marked: all above it are, so the whole page is linear. */
function markAncestors(open: (Element | null)[], mark: "hasBlock" | "hasTable"): void {
  for (const ancestor of open.toReversed()) {
    if (!ancestor || ancestor[mark]) return;
    ancestor[mark] = true;
  }
}

function readHead(name: string, attributes: Record<string, string>, tree: Tree): void {
  if (name === "base") tree.base ??= attributes.href ?? null;
  if (name !== "meta") return;
  const key = (attributes.name ?? attributes.property)?.toLowerCase();
  if (key && attributes.content && !tree.meta.has(key)) tree.meta.set(key, attributes.content);
}

function element(name: string, attributes: Record<string, string>): Element {
  return { name, attributes, children: [], hasBlock: false, hasTable: false };
}

/**
 * Whether an element is not shown, as far as its own markup tells. Text that people cannot see is
 * how instructions to an agent are smuggled into pages. Rules of style sheets are not applied, so
 * a class can still hide; what reads the page must treat all of it as data in any case.
 */
export function isHidden(name: string, attributes: Record<string, string>): boolean {
  if (attributes.hidden !== undefined || attributes["aria-hidden"] === "true") return true;
  if (name === "dialog") return attributes.open === undefined;
  return attributes.style !== undefined && hides(attributes.style);
}

/** Longer ones are not looked at: nobody writes them by hand. */
const MAX_STYLE_LENGTH = 4_000;

const HIDING: Record<string, (value: string, style: Map<string, string>) => boolean> = {
  display: (value) => value === "none",
  visibility: (value) => value === "hidden" || value === "collapse",
  "content-visibility": (value) => value === "hidden",
  opacity: (value) => Number.parseFloat(value) < 0.1,
  "font-size": (value) => Number.parseFloat(value) < 2 && /^[\d.]+(px|pt)?$/.test(value),
  height: hasNoRoom,
  "max-height": hasNoRoom,
  width: hasNoRoom,
  "max-width": hasNoRoom,
  "text-indent": isFarAway,
  left: isFarAway,
  right: isFarAway,
  top: isFarAway,
  "margin-left": isFarAway,
  "margin-top": isFarAway,
  clip: (value) => /^rect\(\s*(0|1px)/.test(value),
  "clip-path": (value) => /^(inset\((50|100)%|circle\(0)/.test(value),
  transform: (value) => /\bscale[xy]?\(\s*0\s*[,)]/.test(value),
  color: (value, style) =>
    value === "transparent" ||
    value === style.get("background-color") ||
    value === style.get("background"),
};

function hides(text: string): boolean {
  const style = parseStyle(text.slice(0, MAX_STYLE_LENGTH));
  for (const [property, value] of style) {
    if (HIDING[property]?.(value, style)) return true;
  }
  return false;
}

function parseStyle(text: string): Map<string, string> {
  const style = new Map<string, string>();
  for (const declaration of text.toLowerCase().split(";")) {
    const [property = "", ...value] = declaration.split(":");
    style.set(property.trim(), value.join(":").replace("!important", "").trim());
  }
  return style;
}

function hasNoRoom(value: string, style: Map<string, string>): boolean {
  return Number.parseFloat(value) <= 1 && style.get("overflow") === "hidden";
}

function isFarAway(value: string): boolean {
  return Number.parseFloat(value) <= -500;
}

export interface TextOptions {
  /** Characters collected at most, so that nested elements cannot repeat a page many times over. */
  max: number;
  withTables?: boolean;
}

/** The text of an element on one line, words of separate blocks kept apart. */
export function textOf(element: Element, options: TextOptions): string {
  const parts: string[] = [];
  gather(element.children, options.max, options.withTables ?? true, parts);
  return cutAt(oneLine(parts.join("")), options.max);
}

/** Adds the text of `nodes` to `parts` and returns how many more characters may follow. */
function gather(nodes: Node[], room: number, withTables: boolean, parts: string[]): number {
  let left = room;
  for (const node of nodes) {
    if (left <= 0) return left;
    if (typeof node === "string") {
      parts.push(node);
      left -= node.length;
      continue;
    }
    if (node.name === "table" && !withTables) continue;
    const apart = isBlock(node) || node.name === "br" ? " " : "";
    parts.push(apart);
    left = gather(node.children, left, withTables, parts);
    parts.push(apart);
  }
  return left;
}
