import type { PageContent } from "../../../contract/tools/web.ts";
import { binarySize } from "../../../lib/text.ts";
import {
  type Fitted,
  fitItems,
  fitText,
  MAX_SOURCE_BYTES,
  oneLine,
  storedBytes,
  visible,
} from "../text.ts";
import { type LinkBase, linkBase, linkText, resolveLink } from "./links.ts";
import { toMarkdown } from "./markdown.ts";
import { type PageTable, readTable, type TableGrid } from "./tables.ts";
import {
  type Element,
  elementsOf,
  MAX_OPEN,
  type Node,
  parseTree,
  type Tree,
  textOf,
} from "./tree.ts";

/**
 * The most bytes of each part of a page, as stored JSON in UTF-8, and the characters of HTML that are read: of
 * a page that is read whole, hardly any part is cut.
 */
const MOST = {
  text: MAX_SOURCE_BYTES,
  headings: 64 * 1024,
  links: 512 * 1024,
  tables: MAX_SOURCE_BYTES,
  html: MAX_SOURCE_BYTES,
};

const MAX_TITLE = 1_000;
const MAX_DESCRIPTION = 4_000;
const MAX_LEADS = 5;

/**
 * Reads the visible content of a page: scripts, comments and hidden elements are left out. `url` is the
 * page's address, the base of its links. Never throws; content over the limits is cut, which sets `cut`.
 * `needsScripts` says that the page is probably incomplete without JavaScript.
 */
export function readPage(html: string, url: string): { page: PageContent; needsScripts: boolean } {
  const tree = parseTree(html.slice(0, MOST.html));
  const page = contentOf(tree, html, url);
  return { page, needsScripts: needsScripts(tree, page) };
}

function contentOf(tree: Tree, html: string, url: string): PageContent {
  const base = linkBase(url, tree.base);
  const found = collectElements(tree.root, base);
  const markdown = toMarkdown(tree.root, { base, tables: found.tables, max: MOST.text });
  const text = fitText(markdown, MOST.text);
  const headings = fitItems(found.headings, MOST.headings);
  const links = fitItems(found.links, MOST.links);
  const tables = fitTables(found.tables.values(), MOST.tables);
  const cuts = [
    ...(html.length > MOST.html ? [`${binarySize(MOST.html)} of HTML`] : []),
    ...(tree.cut ? [`${MAX_OPEN} open elements`] : []),
    ...(found.cut ? [`${MAX_CELLS} table cells`] : []),
    ...(text.cut ? [`${binarySize(MOST.text)} of text`] : []),
    ...(headings.cut ? [`${binarySize(MOST.headings)} of headings`] : []),
    ...(links.cut ? [`${binarySize(MOST.links)} of links`] : []),
    ...(tables.cut ? [`${binarySize(MOST.tables)} of tables`] : []),
  ];
  return {
    url,
    mediaType: "text/html",
    title: titleOf(tree) || (found.headings.find(({ level }) => level === 1)?.text ?? ""),
    ...descriptionOf(tree),
    text: text.kept,
    headings: headings.kept,
    links: links.kept,
    tables: tables.kept,
    cut: cuts.length > 0,
    ...(cuts[0] !== undefined && { cutAt: cuts[0] }),
    ...leadsNote(tree, base),
  };
}

/** Notes where readers of the page are sent on to, or see frames of: an empty page may be only that. */
function leadsNote({ leads }: Tree, base: LinkBase): Pick<PageContent, "notes"> {
  const targets = leads.flatMap((written) => resolveLink(written, base) ?? []);
  const others = [...new Set(targets)].filter((target) => target !== base.page).slice(0, MAX_LEADS);
  if (others.length === 0) return {};
  return { notes: [`Its readers are sent on to, or see in frames: ${others.join(" ")}`] };
}

function titleOf({ title, meta }: Tree): string {
  const written = title ? textOf(title, { max: MAX_TITLE }) : "";
  return written || metaText(meta.get("og:title"), MAX_TITLE);
}

function descriptionOf({ meta }: Tree): { description?: string } {
  const written = meta.get("description") ?? meta.get("og:description");
  const description = metaText(written, MAX_DESCRIPTION);
  return description ? { description } : {};
}

function metaText(written: string | undefined, max: number): string {
  return oneLine(visible(written ?? "")).slice(0, max);
}

/** Keeps the tables that fit, then the rows of the next one that fit. */
function fitTables(grids: Iterable<TableGrid>, bytes: number): Fitted<PageTable[]> {
  const kept: PageTable[] = [];
  let left = bytes;
  for (const { caption, columns, rows } of grids) {
    left -= storedBytes({ caption, columns });
    if (left < 0) return { kept, cut: true };
    const texts = rows.map((row) => row.map((cell) => cell?.text ?? ""));
    const fitted = fitItems(texts, left);
    kept.push({ caption, columns, rows: fitted.kept });
    if (fitted.cut) return { kept, cut: true };
    left -= storedBytes(fitted.kept);
  }
  return { kept, cut: false };
}

/** The headings, links and tables of a page, in document order. */
interface PageElements {
  headings: PageContent["headings"];
  links: PageContent["links"];
  /** The data tables, by element. */
  tables: Map<Element, TableGrid>;
  /** True if the page has more table cells than are read. */
  cut: boolean;
}

const MAX_CELLS = 150_000;
const MAX_HEADING = 1_000;

/** Collects the headings, links and tables of a page. */
function collectElements(root: Element, base: LinkBase): PageElements {
  const budget = { cells: MAX_CELLS };
  const found: PageElements = { headings: [], links: [], tables: new Map(), cut: false };
  visit(root.children, { link: false, heading: false });
  return { ...found, links: distinct(found.links), cut: budget.cells === 0 };

  /** Visits nodes; a link in a link is part of it, as is a heading in a heading. */
  function visit(nodes: Node[], within: { link: boolean; heading: boolean }): void {
    for (const node of elementsOf(nodes)) {
      const link = node.name === "a" || node.name === "area";
      const heading = /^h[1-6]$/.test(node.name);
      if (heading && !within.heading) addHeading(node);
      if (link && !within.link) addLink(node);
      if (node.name === "table") addTable(node);
      visit(node.children, { link: link || within.link, heading: heading || within.heading });
    }
  }

  function addHeading(node: Element): void {
    const text = textOf(node, { max: MAX_HEADING });
    if (text) found.headings.push({ level: Number(node.name.slice(1)), text });
  }

  function addLink(node: Element): void {
    const url = resolveLink(node.attributes.href, base);
    if (url) found.links.push({ text: linkText(node), url });
  }

  function addTable(node: Element): void {
    const grid = readTable(node, budget);
    if (!grid) return;
    const caption = grid.caption ?? found.headings.at(-1)?.text ?? null;
    found.tables.set(node, { ...grid, caption });
  }
}

/**
 * Keeps each pair of words and target once. One target under several words stays several links: "2" and
 * "Next" may lead to one page. A link without words is dropped if its target has words elsewhere.
 */
function distinct(links: PageContent["links"]): PageContent["links"] {
  const named = new Set(links.filter(({ text }) => text).map(({ url }) => url));
  const seen = new Set<string>();
  return links.filter(({ text, url }) => {
    const key = `${url} ${text}`;
    if (seen.has(key) || (!text && named.has(url))) return false;
    seen.add(key);
    return true;
  });
}

/** A page with fewer characters is probably empty without its scripts. */
const LITTLE = 60;
/** A page with fewer characters that asks for JavaScript or has an empty root is only a frame. */
const FRAME = 600;
const MAX_NOSCRIPT = 10_000;
/** The ids of the elements that common frameworks render into. */
const ROOTS = /^(root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root|react-root|q-app)$/i;
const ASKS =
  /(java\s?script|JS)\b.{0,80}\b(enabled?|required?|disabled|turn(ed)? on|activ\w*|needed|aktiv\w*|erforderlich|activé|activer)|\b(enable|turn on|activate|requires?|needs?|without|aktiviere\w*|activer|activez)\b.{0,60}java\s?script/is;

/**
 * Whether a page is probably incomplete without JavaScript: it has code, and hardly any text, or asks
 * for JavaScript, or has an empty element where a framework renders.
 */
function needsScripts({ root, hasCode, noscript }: Tree, { text, tables }: PageContent): boolean {
  if (!hasCode) return false;
  // An address ends at the next bracket of either kind, so that unclosed ones stay linear.
  const letters = text.replace(/\]\([^()]*\)|[\s#*|_`>-]+/g, "").length;
  if (letters < LITTLE && tables.length === 0) return true;
  return (
    letters < FRAME &&
    (hasEmptyRoot(root.children) || ASKS.test(textOf(noscript, { max: MAX_NOSCRIPT })))
  );
}

/** Whether an element where a framework renders shows nothing. */
function hasEmptyRoot(nodes: Node[]): boolean {
  return elementsOf(nodes).some((node) => {
    const isRoot = node.name === "app-root" || ROOTS.test(node.attributes.id ?? "");
    return (isRoot && textOf(node, { max: 1 }) === "") || hasEmptyRoot(node.children);
  });
}
