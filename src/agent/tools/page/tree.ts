import { Parser } from "htmlparser2";
import { cutAt, oneLine, visible } from "../text.ts";

/** A visible element. Its children are elements and texts, in document order. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  /** A descendant is a block, so the element is not part of a line of text. */
  hasBlock: boolean;
  hasTable: boolean;
}

export type Node = Element | string;

/** The visible content of a page and the data of its head. */
export interface Tree {
  root: Element;
  title: Element | null;
  /** The content of each `<meta>` with a name or a property; the first one counts. */
  meta: Map<string, string>;
  /** Whether it has scripts, which are code and not data. */
  hasCode: boolean;
  /** What readers without JavaScript see besides the root. */
  noscript: Element;
  /** The target of the first `<base>`, as written. */
  base: string | null;
  /** Where it sends its readers on to, and the sources of its frames, as written. */
  leads: string[];
  /** True if the page was nested too deeply and its rest is left out. */
  cut: boolean;
}

/** Elements whose content readers do not see. */
const DROPPED = new Set([
  "script",
  "style",
  "template",
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

/** What a page says of where its readers go next. */
const REFRESH = /url\s*=\s*["']?([^"'\s]+)/i;
/** The types of scripts that are code. */
const CODE = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i;

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

/** The parents of rows and cells, even if elements between them were left open. */
const HOMES: Record<string, string[] | undefined> = {
  td: ["tr"],
  th: ["tr"],
  tr: ["tbody", "thead", "tfoot", "table"],
};
const HOME_SEARCH = 64;

/**
 * Deeper elements add their content to the element at this depth, as browsers do at 512. It bounds the
 * recursion over the tree.
 */
const MAX_DEPTH = 256;

/** The parser's work per tag grows with the number of open tags, so a page that opens more is cut. */
export const MAX_OPEN = 5_200;

/** Whether an element is displayed as a block. */
export function isBlock({ name }: Element): boolean {
  return BLOCKS.has(name);
}

/** Returns the elements among nodes. */
export function elementsOf(nodes: Node[]): Element[] {
  return nodes.filter((node) => typeof node !== "string");
}

/**
 * Parses HTML, even if malformed, into the tree of its visible content. Linear in the page's length:
 * unlike the HTML standard's algorithm it never copies formatting elements, by which a page of kilobytes
 * can grow to gigabytes.
 */
export function parseTree(html: string): Tree {
  const root = element("body", {});
  const tree: Tree = {
    root,
    title: null,
    meta: new Map(),
    hasCode: false,
    // Marked already, so that its blocks do not mark the elements around it.
    noscript: { ...element("noscript", {}), hasBlock: true, hasTable: true },
    base: null,
    leads: [],
    cut: false,
  };
  /** One entry per open tag; null inside of hidden elements. */
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

/** Returns the entry of an opened tag and adds it to the tree if it is visible. */
function enter(
  name: string,
  attributes: Record<string, string>,
  open: (Element | null)[],
  tree: Tree,
): Element | null {
  const parent = homeOf(name, open);
  if (!parent || isHidden(name, attributes)) return null;
  const isFrame = /^i?frame$/.test(name) && !open.includes(tree.noscript);
  if (isFrame && attributes.src) tree.leads.push(attributes.src);
  if (DROPPED.has(name)) return null;
  if (name === "noscript") return tree.noscript;
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

/** Marks ancestors up to the first marked one: all above it are marked, so a page is linear. */
function markAncestors(open: (Element | null)[], mark: "hasBlock" | "hasTable"): void {
  for (const ancestor of open.toReversed()) {
    if (!ancestor || ancestor[mark]) return;
    ancestor[mark] = true;
  }
}

function readHead(name: string, attributes: Record<string, string>, tree: Tree): void {
  if (name === "base") tree.base ??= attributes.href ?? null;
  if (name === "script" && CODE.test(attributes.type?.trim() ?? "")) tree.hasCode = true;
  if (name !== "meta") return;
  const isRefresh = attributes["http-equiv"]?.toLowerCase() === "refresh";
  if (isRefresh) tree.leads.push(...(REFRESH.exec(attributes.content ?? "")?.slice(1) ?? []));
  const key = (attributes.name ?? attributes.property)?.toLowerCase();
  if (key && attributes.content && !tree.meta.has(key)) tree.meta.set(key, attributes.content);
}

function element(name: string, attributes: Record<string, string>): Element {
  return { name, attributes, children: [], hasBlock: false, hasTable: false };
}

/**
 * Whether an element's own markup hides it. Hidden text is a way to smuggle instructions to an agent
 * into pages. Style sheets are not applied, so a class can still hide text; the page must be treated as
 * data in any case.
 */
function isHidden(name: string, attributes: Record<string, string>): boolean {
  if (attributes.hidden !== undefined || attributes["aria-hidden"] === "true") return true;
  if (name === "dialog") return attributes.open === undefined;
  return attributes.style !== undefined && hides(attributes.style);
}

/** Longer style attributes are only read up to this length. */
const MAX_STYLE_LENGTH = 4_000;

const HIDING: Record<string, (value: string, style: Map<string, string>) => boolean> = {
  display: (value) => value === "none",
  visibility: (value) => value === "hidden" || value === "collapse",
  "content-visibility": (value) => value === "hidden",
  opacity: (value) => Number.parseFloat(value) < 0.1,
  "font-size": (value) => Number.parseFloat(value) < 2 && /^[\d.]+(px|pt)?$/.test(value),
  height: isCollapsed,
  "max-height": isCollapsed,
  width: isCollapsed,
  "max-width": isCollapsed,
  "text-indent": isOffScreen,
  left: isOffScreen,
  right: isOffScreen,
  top: isOffScreen,
  "margin-left": isOffScreen,
  "margin-top": isOffScreen,
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

function isCollapsed(value: string, style: Map<string, string>): boolean {
  return Number.parseFloat(value) <= 1 && style.get("overflow") === "hidden";
}

function isOffScreen(value: string): boolean {
  return Number.parseFloat(value) <= -500;
}

export interface TextOptions {
  /** The most characters, so that nested elements cannot repeat a page many times. */
  max: number;
  withTables?: boolean;
}

/** Returns the text of an element on one line, with the words of blocks separated. */
export function textOf(element: Element, options: TextOptions): string {
  const parts: string[] = [];
  gather(element.children, options.max, options.withTables ?? true, parts);
  return cutAt(oneLine(parts.join("")), options.max);
}

/** Adds the text of `nodes` to `parts` and returns how many more characters fit. */
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
