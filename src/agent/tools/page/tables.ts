import type { PageContent } from "../../../contract/tools/web.ts";
import { uniqueNames } from "../process-data/table.ts";
import { type Element, elementsOf, textOf } from "./tree.ts";

export type PageTable = PageContent["tables"][number];

/** A cell; one that spans several places is in each of them. */
export interface Cell {
  element: Element;
  text: string;
}

/** A table's grid: every row has one cell or null per column. */
export interface TableGrid {
  caption: string | null;
  /** The first row if it is one cell over all columns: the table's title. */
  title: string | null;
  columns: string[];
  rows: (Cell | null)[][];
}

/** Cells left for all tables of a page: spans can request billions. */
export interface CellBudget {
  cells: number;
}

interface WrittenRow {
  cells: Element[];
  /** The row's thead, tbody, tfoot or table: no cell spans beyond it. */
  section: Element;
}

interface GridRow {
  cells: (Cell | null)[];
  inHead: boolean;
}

interface Parts {
  caption: Element | null;
  rows: WrittenRow[];
}

const SECTIONS = new Set(["thead", "tbody", "tfoot"]);
const MAX_COLUMNS = 200;
const MAX_TEXT = 2_000;

/**
 * Returns the grid of a data table, or null for a layout table. Tables nested in its cells are not part
 * of it. If the budget runs out, the rest of the table is left out.
 */
export function readTable(table: Element, budget: CellBudget): TableGrid | null {
  const parts: Parts = { caption: null, rows: [] };
  collectRows(table, table, parts);
  if (!holdsData(table, parts)) return null;
  const rows = fillGrid(parts.rows, budget);
  const title = takeTitle(rows);
  const headRows = countHeadRows(rows);
  const width = rows[0]?.cells.length ?? 0;
  const caption = parts.caption && textOf(parts.caption, { max: MAX_TEXT });
  return {
    caption: caption || title,
    title,
    columns: nameColumns(rows.slice(0, headRows), width),
    rows: rows.slice(headRows).map(({ cells }) => cells),
  };
}

function collectRows(parent: Element, section: Element, parts: Parts): void {
  /** The row of cells outside of any row element. */
  let loose: WrittenRow | null = null;
  for (const node of elementsOf(parent.children)) {
    if (node.name === "table") continue;
    if (isCell(node) && loose) loose.cells.push(node);
    else if (isCell(node)) {
      loose = { cells: [node], section };
      parts.rows.push(loose);
    } else {
      loose = null;
      if (node.name === "tr") {
        parts.rows.push({ cells: elementsOf(node.children).filter(isCell), section });
      } else if (node.name === "caption") parts.caption ??= node;
      else collectRows(node, SECTIONS.has(node.name) ? node : section, parts);
    }
  }
}

function isCell({ name }: Element): boolean {
  return name === "td" || name === "th";
}

/** Whether a table holds data: it has headers, a caption, or rows and columns. Others are layout. */
function holdsData(table: Element, { caption, rows }: Parts): boolean {
  if (/^(presentation|none)$/.test(table.attributes.role ?? "")) return false;
  const cells = rows.flatMap((row) => row.cells);
  if (cells.length === 0) return false;
  if (caption || rows.some(isInHead) || cells.some(isHeader)) return true;
  const nested = cells.some((cell) => cell.hasTable);
  return !nested && rows.filter((row) => row.cells.length > 1).length > 1;
}

function isInHead(row: WrittenRow | undefined): boolean {
  return row?.section.name === "thead";
}

function isHeader({ name }: Element): boolean {
  return name === "th";
}

/** Fills every row to the full width and drops empty rows. */
function fillGrid(written: WrittenRow[], budget: CellBudget): GridRow[] {
  const grid = expandSpans(written, budget);
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const rows = grid.map((row, index) => ({
    cells: Array.from({ length: width }, (_, column) => row[column] ?? null),
    inHead: isInHead(written[index]),
  }));
  return rows.filter((row) => row.cells.some((cell) => cell?.text));
}

/** Forms a table by the HTML standard's algorithm, with bounded spans. Rows may have holes. */
function expandSpans(written: WrittenRow[], budget: CellBudget): Cell[][] {
  const grid: Cell[][] = written.map(() => []);
  for (const [top, { cells }] of written.entries()) {
    let left = 0;
    for (const element of cells) {
      while (grid[top]?.[left]) left++;
      const span = Number.parseInt(element.attributes.colspan ?? "1", 10) || 1;
      const across = Math.min(Math.max(1, span), MAX_COLUMNS - left);
      const down = rowsInSection(written, top, rowSpan(element));
      if (across * down > budget.cells) {
        budget.cells = 0;
        return grid.slice(0, top);
      }
      budget.cells -= across * down;
      const cell = { element, text: textOf(element, { max: MAX_TEXT, withTables: false }) };
      for (const row of grid.slice(top, top + down)) {
        for (let column = left; column < left + across; column++) row[column] ??= cell;
      }
    }
  }
  return grid;
}

/** Returns the row span; 0 reaches to the end of the section. */
function rowSpan({ attributes }: Element): number {
  const rows = Number.parseInt(attributes.rowspan ?? "1", 10);
  return rows === 0 ? Number.POSITIVE_INFINITY : rows || 1;
}

/** Returns how many of the `wanted` rows from `top` are in one section. */
function rowsInSection(written: WrittenRow[], top: number, wanted: number): number {
  const section = written[top]?.section;
  let rows = 1;
  while (rows < wanted && section && written[top + rows]?.section === section) rows++;
  return rows;
}

/** Removes the title row and returns its text. */
function takeTitle(rows: GridRow[]): string | null {
  const [first] = rows;
  const [title, ...others] = first?.cells ?? [];
  const spansAll = others.length > 0 && others.every((cell) => cell === title);
  if (!title || !spansAll || rows.length < 2) return null;
  rows.shift();
  return title.text;
}

/** Counts the rows of the thead, else the leading rows of headers; of a table of headers, the first. */
function countHeadRows(rows: GridRow[]): number {
  const inHead = rows.findIndex((row) => !row.inHead);
  if (inHead > 0) return inHead;
  const isHead = (cell: Cell) => isHeader(cell.element) || cell.text === "";
  const withData = rows.findIndex(({ cells }) => !cells.every((cell) => !cell || isHead(cell)));
  return withData >= 0 ? withData : Math.min(rows.length, 1);
}

/** Names each column distinctly by the header cells above it. */
function nameColumns(head: GridRow[], width: number): string[] {
  const names = Array.from({ length: width }, (_, column) => {
    const words = new Set(head.map(({ cells }) => cells[column]?.text ?? "").filter(Boolean));
    return [...words].join(" ");
  });
  return uniqueNames(names);
}
