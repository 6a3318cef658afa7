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
  /** Whether no blank lines separate blocks, as in a list. */
  isTight: boolean;
  /** The width of what stands before each line. */
  margin: number;
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
  const place = { isTight: false, margin: 0, list: null, href: null };
  return new PageWriter(options).linesOf(root.children, place).join("\n");
}

/** Renders blocks as lines, until the maximum length is reached. */
class PageWriter {
  readonly #base: LinkBase;
  readonly #tables: Map<Element, TableGrid>;
  #room: number;
  /** A cell that spans many places is rendered once. */
  readonly #cells = new Map<Element, string>();

  constructor({ base, tables, max }: MarkdownOptions) {
    this.#base = base;
    this.#tables = tables;
    this.#room = max;
  }

  /** Renders inline nodes as paragraphs and blocks separately. */
  linesOf(nodes: Node[], place: BlockContext): string[] {
    const blocks: string[][] = [];
    let row: Node[] = [];
    for (const node of nodes) {
      if (this.#room < 0) break;
      if (typeof node === "string" || !(isBlock(node) || node.hasBlock)) {
        row.push(node);
        continue;
      }
      blocks.push(this.#paragraph(row, place), this.#block(node, place));
      row = [];
    }
    blocks.push(this.#paragraph(row, place));
    return joined(blocks, place);
  }

  #block(node: Element, place: BlockContext): string[] {
    const { name, children } = node;
    if (/^h[1-6]$/.test(name)) return this.#heading(node, place);
    switch (name) {
      case "ol":
        return this.linesOf(children, { ...place, isTight: true, list: { next: startOf(node) } });
      case "ul":
      case "menu":
      case "dl":
        return this.linesOf(children, { ...place, isTight: true, list: null });
      case "li":
      case "dt":
        return this.#inside(children, place, place.list ? `${place.list.next++}. ` : "- ");
      case "dd":
        return this.#inside(children, place, "  ");
      case "blockquote":
        return this.#inside(children, place, "> ", "> ");
      case "pre":
      case "xmp":
        return this.#written(codeLines(node), place);
      case "hr":
        return this.#written(["---"], place);
      case "table":
        return this.#table(node, place);
      default:
        return this.linesOf(children, { ...place, href: this.#hrefOf(node) ?? place.href });
    }
  }

  /** Takes the room of finished lines. */
  #written(lines: string[], { margin }: BlockContext): string[] {
    if (this.#room < 0) return [];
    return lines.map((line) => {
      this.#room -= margin + line.length + 1;
      return line.trimEnd();
    });
  }

  #hrefOf({ name, attributes }: Element): string | null {
    return name === "a" ? resolveLink(attributes.href, this.#base) : null;
  }

  #paragraph(nodes: Node[], place: BlockContext): string[] {
    const { href } = place;
    const lines = inlineLines(nodes, this.#base);
    const isLink = href !== null && lines.length > 0;
    return this.#written(isLink ? [markdownLink(lines.join(" "), href)] : lines, place);
  }

  #heading({ name, children }: Element, place: BlockContext): string[] {
    const { href } = place;
    const text = inlineText(children, this.#base);
    if (!text) return [];
    const marks = "#".repeat(Number(name.slice(1)));
    return this.#written([`${marks} ${href ? markdownLink(text, href) : text}`], place);
  }

  /** Renders nodes with a mark before their first line and `rest` before the others. */
  #inside(
    children: Node[],
    place: BlockContext,
    mark: string,
    rest = " ".repeat(mark.length),
  ): string[] {
    const margin = place.margin + mark.length;
    return this.linesOf(children, { ...place, margin, list: null }).map((line, at) =>
      line === "" ? rest.trimEnd() : (at === 0 ? mark : rest) + line,
    );
  }

  #table(node: Element, place: BlockContext): string[] {
    const grid = this.#tables.get(node);
    if (!grid) return this.linesOf(node.children, place);
    const caption = elementsOf(node.children).filter(({ name }) => name === "caption");
    const blocks = [
      this.linesOf(caption.slice(0, 1), place),
      this.#written(grid.title ? [grid.title] : [], place),
    ];
    const table = this.#written(tableHead(grid.columns), place);
    for (const row of grid.rows) {
      if (this.#room < 0) break;
      const cells = row.map((cell) => this.#cellText(cell));
      table.push(...this.#written([tableLine(cells)], place));
    }
    const inner = node.hasTable ? innerTables(node.children) : [];
    return joined([...blocks, table, ...inner.map((each) => this.#table(each, place))], place);
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

/** Joins the blocks that are not empty, with a blank line between them unless the place is tight. */
function joined(blocks: string[][], { isTight }: BlockContext): string[] {
  const [first = [], ...others] = blocks.filter(({ length }) => length > 0);
  return isTight
    ? [first, ...others].flat()
    : [first, ...others.flatMap((each) => [[""], each])].flat();
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
