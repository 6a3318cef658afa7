import type { Json } from "../../../../contract/json.ts";
import { linesOf, listItem } from "../markdown.ts";
import type { Source } from "../source/source.ts";
import { type Extracted, tableOf } from "../table.ts";
import { foldedText } from "../values/cells.ts";

/** Links with their text, in order; `containing` is looked for in both, without case. */
export function extractLinks(source: Source, containing = ""): Extracted {
  const rows = source
    .links()
    .filter(({ text, url }) => contains(text, containing) || contains(url, containing))
    .map(({ text, url }) => [text, url]);
  return tableOf(["text", "url"], rows);
}

/** Headings in order, of one level when it is given. */
export function extractHeadings(source: Source, level?: number): Extracted {
  const rows = source
    .headings()
    .filter((heading) => level === undefined || heading.level === level)
    .map((heading): Json[] => [heading.level, heading.text]);
  return tableOf(["level", "text"], rows);
}

/** Items of bulleted and numbered lists, nested ones included. */
export function extractLists(source: Source): Extracted {
  const items = source.text.split("\n").flatMap((line) => listItem(line) ?? []);
  return tableOf(
    ["item"],
    items.map((item) => [item]),
  );
}

/** Lines that are not blank; with `containing`, those that have the text in them, without case. */
export function extractLines(source: Source, containing = ""): Extracted {
  const lines = linesOf(source.text).filter((line) => contains(line, containing));
  return tableOf(
    ["line"],
    lines.map((line) => [line]),
  );
}

/** The whole text as one cell. */
export function extractText(source: Source): Extracted {
  return tableOf(["url", "title", "text"], [[source.url, source.title, source.text]]);
}

function contains(text: string, part: string): boolean {
  return foldedText(text).includes(foldedText(part));
}
