import {
  codeLines,
  inlineLines,
  inlineText,
  type LinkBase,
  markdownLink,
  resolveLink,
} from "./links.ts";
import type { Cell, TableGrid } from "./tables.ts";
import { type Element, elementsOf, isBlock, type Node } from "./tree.ts";

export interface MarkdownOptions {
  base: LinkBase;
  /** The grids of the data tables; all other tables are layout. */
  tables: Map<Element, TableGrid>;
  /** The length after which the rest is left out. */
  max: number;
}

/** The position of a block. */
interface BlockContext {
  margin: Margin;
  /** The number of the list's next item, or null if items have bullets. */
  list: { next: number } | null;
  /** The target of the link around the block. */
  href: string | null;
}

const MAX_CELL = 2_000;

/**
 * Renders a page as Markdown with its headings, paragraphs, lists, tables, quotes, code and links.
 * Emphasis is dropped and punctuation is not escaped: both would break up prices, names and addresses.
 */
export function toMarkdown(root: Element, options: MarkdownOptions): string {
  const page = new PageWriter(options);
  page.writeBlocks(root.children, { margin: pageMargin(), list: null, href: null });
  return page.toString();
}

class PageWriter {
  readonly #base: LinkBase;
  readonly #tables: Map<Element, TableGrid>;
  readonly #out: Writer;
  /** A cell that spans many places is rendered once. */
  readonly #cells = new Map<Element, string>();

  constructor({ base, tables, max }: MarkdownOptions) {
    this.#base = base;
    this.#tables = tables;
    this.#out = new Writer(max);
  }

  toString(): string {
    return this.#out.toString();
  }

  /** Writes inline nodes as paragraphs and blocks separately. */
  writeBlocks(nodes: Node[], place: BlockContext): void {
    let row: Node[] = [];
    for (const node of nodes) {
      if (this.#out.isFull) return;
      if (typeof node === "string" || !(isBlock(node) || node.hasBlock)) {
        row.push(node);
        continue;
      }
      this.#writeParagraph(row, place);
      row = [];
      this.#writeBlock(node, place);
    }
    this.#writeParagraph(row, place);
  }

  #writeBlock(node: Element, place: BlockContext): void {
    const { name, children } = node;
    const { margin } = place;
    if (/^h[1-6]$/.test(name)) this.#writeHeading(node, place);
    else if (name === "ol") this.#writeList(children, { next: startOf(node) }, place);
    else if (name === "ul" || name === "menu" || name === "dl") {
      this.#writeList(children, null, place);
    } else if (name === "li" || name === "dt") this.#writeItem(children, place);
    else if (name === "dd") this.#writeInside(children, place, { next: "  ", rest: "  " });
    else if (name === "blockquote") this.#writeInside(children, place, { next: "> ", rest: "> " });
    else if (name === "pre" || name === "xmp") this.#out.block(codeLines(node), margin);
    else if (name === "hr") this.#out.block(["---"], margin);
    else if (name === "table") this.#writeTable(node, place);
    else this.writeBlocks(children, { ...place, href: this.#hrefOf(node) ?? place.href });
  }

  #hrefOf({ name, attributes }: Element): string | null {
    return name === "a" ? resolveLink(attributes.href, this.#base) : null;
  }

  #writeParagraph(nodes: Node[], { margin, href }: BlockContext): void {
    const lines = inlineLines(nodes, this.#base);
    if (lines.length === 0) return;
    this.#out.block(href ? [markdownLink(lines.join(" "), href)] : lines, margin);
  }

  #writeHeading({ name, children }: Element, { margin, href }: BlockContext): void {
    const text = inlineText(children, this.#base);
    const marks = "#".repeat(Number(name.slice(1)));
    if (text) this.#out.block([`${marks} ${href ? markdownLink(text, href) : text}`], margin);
  }

  /** Writes a list: no blank lines between its items, one around it. */
  #writeList(children: Node[], list: BlockContext["list"], place: BlockContext): void {
    const margin = nestedMargin(place.margin, { next: "", rest: "", gaps: false });
    this.writeBlocks(children, { ...place, margin, list });
  }

  #writeItem(children: Node[], place: BlockContext): void {
    const marker = place.list ? `${place.list.next++}. ` : "- ";
    this.#writeInside(children, place, { next: marker, rest: " ".repeat(marker.length) });
  }

  #writeInside(children: Node[], place: BlockContext, inner: { next: string; rest: string }): void {
    const margin = nestedMargin(place.margin, { ...inner, gaps: true });
    this.writeBlocks(children, { ...place, margin, list: null });
  }

  #writeTable(node: Element, place: BlockContext): void {
    const grid = this.#tables.get(node);
    if (!grid) {
      this.writeBlocks(node.children, place);
      return;
    }
    const caption = elementsOf(node.children).find(({ name }) => name === "caption");
    if (caption) this.writeBlocks([caption], place);
    if (grid.title) this.#out.block([grid.title], place.margin);
    const margin = nestedMargin(place.margin, { next: "", rest: "", gaps: false });
    this.#out.block(tableHead(grid.columns), margin);
    for (const row of grid.rows) {
      if (this.#out.isFull) return;
      this.#out.block([tableLine(row.map((cell) => this.#cellText(cell)))], margin);
    }
    for (const inner of node.hasTable ? innerTables(node.children) : []) {
      this.#writeTable(inner, place);
    }
  }

  #cellText(cell: Cell | null): string {
    if (!cell) return "";
    const known = this.#cells.get(cell.element);
    if (known !== undefined) return known;
    const text = inlineText(cell.element.children, this.#base);
    // A cut would break a link, so a long cell keeps only its words.
    const kept = text.length > MAX_CELL ? cell.text : text;
    this.#cells.set(cell.element, kept);
    return kept;
  }
}

function startOf({ attributes }: Element): number {
  const start = Number.parseInt(attributes.start ?? "1", 10);
  return Number.isSafeInteger(start) ? start : 1;
}

/** Returns the tables in a table's cells, without those nested in them. */
function innerTables(nodes: Node[]): Element[] {
  return elementsOf(nodes).flatMap((node) =>
    node.name === "table" ? [node] : innerTables(node.children),
  );
}

/** Returns the first two lines of a Markdown table. */
export function tableHead(columns: string[]): string[] {
  return [tableLine(columns), tableLine(columns.map(() => "---"))];
}

/** Returns one line of a Markdown table. Pipes are escaped and line breaks become spaces. */
export function tableLine(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}

/**
 * The prefix of a block's lines: `next` for the next line, `rest` for those after it. A list item's first
 * line has its marker, the others its indentation.
 */
interface Margin {
  next: string;
  rest: string;
  /** The line before the next block, and before those after it; null for none. */
  gap: string | null;
  restGap: string | null;
}

/** Returns the margin of a document. */
function pageMargin(): Margin {
  return { next: "", rest: "", gap: "", restGap: "" };
}

/** Returns a margin inside another, whose `next` is used up by the line that they share. */
function nestedMargin(outer: Margin, inner: { next: string; rest: string; gaps: boolean }): Margin {
  const rest = outer.rest + inner.rest;
  const restGap = inner.gaps && outer.restGap !== null ? rest : null;
  const margin = { next: outer.next + inner.next, rest, gap: outer.gap, restGap };
  useUp(outer);
  return margin;
}

function useUp(margin: Margin): void {
  margin.next = margin.rest;
  margin.gap = margin.restGap;
}

/** Joins blocks of lines until the maximum length is reached. */
class Writer {
  readonly #max: number;
  readonly #lines: string[] = [];
  #length = 0;

  /** `max` is the length after which blocks are ignored. */
  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#length > this.#max;
  }

  block(lines: string[], margin: Margin): void {
    if (this.isFull) return;
    if (margin.gap !== null && this.#lines.length > 0) this.#add(margin.gap);
    for (const line of lines) {
      this.#add(margin.next + line);
      useUp(margin);
    }
  }

  toString(): string {
    return this.#lines.join("\n");
  }

  #add(line: string): void {
    this.#lines.push(line.trimEnd());
    this.#length += line.length + 1;
  }
}
