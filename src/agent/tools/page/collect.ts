import type { PageContent } from "../../../contract/tools/browse.ts";
import { type LinkBase, linkText, targetOf } from "./links.ts";
import { layOut, type TableGrid } from "./tables.ts";
import { textOf } from "./text.ts";
import { type Element, elementsOf, type Node } from "./tree.ts";

/** What a page holds besides its text, in document order. */
export interface Collected {
  headings: PageContent["headings"];
  links: PageContent["links"];
  /** The tables that hold data, by their element. */
  tables: Map<Element, TableGrid>;
  /** There were more table cells than are laid out. */
  cut: boolean;
}

const MAX_CELLS = 50_000;
const MAX_HEADING = 1_000;

/** Gathers the headings, links and tables of a page. */
export function collect(root: Element, base: LinkBase): Collected {
  const budget = { cells: MAX_CELLS };
  const found: Collected = { headings: [], links: [], tables: new Map(), cut: false };
  visit(root.children, { link: false, heading: false });
  return { ...found, links: distinct(found.links), cut: budget.cells === 0 };

  /** A link inside of a link is part of it, as is a heading inside of a heading. */
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
    const url = targetOf(node.attributes.href, base);
    if (url) found.links.push({ text: linkText(node), url });
  }

  function addTable(node: Element): void {
    const grid = layOut(node, budget);
    if (!grid) return;
    const caption = grid.caption ?? found.headings.at(-1)?.text ?? null;
    found.tables.set(node, { ...grid, caption });
  }
}

/**
 * The same words with the same target once. One target under several words stays several links:
 * "2" and "Next" may lead to one page, and the reader looks for either. A link without words is
 * dropped when its target has words elsewhere.
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
