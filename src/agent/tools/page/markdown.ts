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
  /** How the tables that hold data are laid out; all others only arrange the page. */
  tables: Map<Element, TableGrid>;
  /** Characters after which the rest is left out. */
  max: number;
}

/** Where a block stands. */
interface Place {
  margin: Margin;
  /** The number of the list's next item, or null where items have bullets. */
  list: { next: number } | null;
  /** The target of the link around the block. */
  href: string | null;
}

const MAX_CELL = 2_000;

/**
 * A page's text as Markdown, for reading and for taking data from. Its structure is kept: headings,
 * paragraphs, lists, tables, quotes, code and links. Emphasis is dropped, and punctuation is not
 * escaped, since both would break up prices, names and addresses in the text.
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

  /** What stands in a row becomes a paragraph; blocks stand on their own. */
  writeBlocks(nodes: Node[], place: Place): void {
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

  #writeBlock(node: Element, place: Place): void {
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

  #writeParagraph(nodes: Node[], { margin, href }: Place): void {
    const lines = inlineLines(nodes, this.#base);
    if (lines.length === 0) return;
    this.#out.block(href ? [markdownLink(lines.join(" "), href)] : lines, margin);
  }

  #writeHeading({ name, children }: Element, { margin, href }: Place): void {
    const text = inlineText(children, this.#base);
    const marks = "#".repeat(Number(name.slice(1)));
    if (text) this.#out.block([`${marks} ${href ? markdownLink(text, href) : text}`], margin);
  }

  /** Items stand close to each other; the list keeps its distance. */
  #writeList(children: Node[], list: Place["list"], place: Place): void {
    const margin = nestedMargin(place.margin, { next: "", rest: "", gaps: false });
    this.writeBlocks(children, { ...place, margin, list });
  }

  #writeItem(children: Node[], place: Place): void {
    const marker = place.list ? `${place.list.next++}. ` : "- ";
    this.#writeInside(children, place, { next: marker, rest: " ".repeat(marker.length) });
  }

  #writeInside(children: Node[], place: Place, inner: { next: string; rest: string }): void {
    const margin = nestedMargin(place.margin, { ...inner, gaps: true });
    this.writeBlocks(children, { ...place, margin, list: null });
  }

  #writeTable(node: Element, place: Place): void {
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
    // A link cut in the middle would be none, so a long cell has its words only.
    const kept = text.length > MAX_CELL ? cell.text : text;
    this.#cells.set(cell.element, kept);
    return kept;
  }
}

function startOf({ attributes }: Element): number {
  const start = Number.parseInt(attributes.start ?? "1", 10);
  return Number.isSafeInteger(start) ? start : 1;
}

/** The tables inside of a table's cells, but not those inside of these. */
function innerTables(nodes: Node[]): Element[] {
  return elementsOf(nodes).flatMap((node) =>
    node.name === "table" ? [node] : innerTables(node.children),
  );
}

/** The first two lines of a Markdown table. */
export function tableHead(columns: string[]): string[] {
  return [tableLine(columns), tableLine(columns.map(() => "---"))];
}

/** One line of a Markdown table. A pipe or a line break in a cell would end it, so neither stays. */
export function tableLine(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}

/**
 * What stands before the lines of a block. `next` is for the line to come, `rest` for all after
 * it: a list item's first line has its marker, the others its indentation.
 */
export interface Margin {
  next: string;
  rest: string;
  /** The line that keeps the block to come apart, and those after it; null where they stand close. */
  gap: string | null;
  restGap: string | null;
}

/** The margin of a whole document. */
export function pageMargin(): Margin {
  return { next: "", rest: "", gap: "", restGap: "" };
}

/** A margin inside another, which is used up for the line that they share. */
export function nestedMargin(
  outer: Margin,
  inner: { next: string; rest: string; gaps: boolean },
): Margin {
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

/** Puts blocks of lines one under another, and takes no more once it has enough. */
export class Writer {
  readonly #max: number;
  readonly #lines: string[] = [];
  #length = 0;

  /** `max`: characters after which nothing more is taken. */
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
