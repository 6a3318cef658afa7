import type { PageContent } from "../../../contract/tools/browse.ts";
import { collect } from "./collect.ts";
import {
  type Fitted,
  fitItems,
  fitText,
  PAGE_LIMITS,
  type PageLimits,
  storedBytes,
} from "./limits.ts";
import { linkBase } from "./links.ts";
import { toMarkdown } from "./markdown.ts";
import type { PageTable, TableGrid } from "./tables.ts";
import { oneLine, textOf, visible } from "./text.ts";
import { parseTree, type Tree } from "./tree.ts";

const MAX_TITLE = 1_000;
const MAX_DESCRIPTION = 4_000;

/**
 * Reads a page as its readers see it: scripts, comments and hidden elements are left out. `url` is
 * the page's own address, against which its links are resolved. Never throws; what is over the
 * limits is cut, and `cut` says so.
 */
export function readPage(html: string, url: string, limits: PageLimits = PAGE_LIMITS): PageContent {
  const tree = parseTree(html.slice(0, limits.html));
  const base = linkBase(url, tree.base);
  const found = collect(tree.root, base);
  const markdown = toMarkdown(tree.root, { base, tables: found.tables, max: limits.text });
  const text = fitText(markdown, limits.text);
  const headings = fitItems(found.headings, limits.headings);
  const links = fitItems(found.links, limits.links);
  const tables = fitTables(found.tables.values(), limits.tables);
  const cut =
    html.length > limits.html ||
    tree.cut ||
    found.cut ||
    [text, headings, links, tables].some((part) => part.cut);
  return {
    url,
    mediaType: "text/html",
    title: titleOf(tree) || (found.headings.find(({ level }) => level === 1)?.text ?? ""),
    ...descriptionOf(tree),
    text: text.kept,
    headings: headings.kept,
    links: links.kept,
    tables: tables.kept,
    cut,
  };
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

/** Whole tables while they fit, then as many rows of the next one as do. */
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
