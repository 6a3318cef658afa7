import { headingOf, listItem, withoutBullet } from "../../../../tools/process-data/markdown.ts";
import type { MaterialTable } from "../../program.ts";
import { inlineRows } from "./json-tables.ts";
import { pairOf } from "./record.ts";

const MAX_LINES = 5_000;
const MAX_ITEMS = 1_000;

/** Returns the items of all lists of a Markdown text. */
export function itemsOf(markdown: string): string[] {
  return markdown
    .split("\n")
    .slice(0, MAX_LINES)
    .flatMap((line) => listItem(line) ?? []);
}

/** A heading with the items right under it. */
interface Section {
  heading: string;
  items: string[];
}

/** Returns the lists under headings, such as ingredients or steps, each as a column of the heading's name. */
export function listTables(markdown: string): MaterialTable[] {
  return sectionsOf(markdown)
    .filter((section) => section.items.length > 0 && !isFacts(section))
    .map(({ heading, items }) => ({
      kind: "list",
      caption: heading,
      ...inlineRows(items.map((item) => ({ [heading]: item }))),
    }));
}

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  const lines = markdown.split("\n").slice(0, MAX_LINES);
  for (const [index, line] of lines.entries()) {
    const heading = headingOf(line);
    if (heading !== null) sections.push({ heading: heading.text, items: [] });
    // A term with its definition below is a fact.
    const isTerm = line.length <= 42 && /^ {2}\S/.test(lines[index + 1] ?? "");
    const item = isTerm ? null : itemOf(line);
    const open = sections.at(-1);
    if (item !== null && open !== undefined && open.items.length < MAX_ITEMS) open.items.push(item);
  }
  return sections;
}

/** Returns the item of a line; a heading inside a list opens a card and is none. */
function itemOf(line: string): string | null {
  return headingOf(withoutBullet(line)) === null ? listItem(line) : null;
}

/** Whether most items are labels with their values: facts of one thing rather than a list of many. */
function isFacts({ items }: Section): boolean {
  return items.filter((item) => pairOf(item) !== null).length * 2 >= items.length;
}
