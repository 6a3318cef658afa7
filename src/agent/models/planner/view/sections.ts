import { headingOf, listItem, withoutBullet } from "../../../tools/process-data/markdown.ts";
import { pairOf } from "./facts.ts";
import type { Page } from "./pages.ts";

/** A heading with the items of the lists right under it. */
export interface Section {
  heading: string;
  items: string[];
}

const MAX_LINES = 5_000;
const MAX_ITEMS = 1_000;

/** The item that a line is; a heading inside a list opens a card and is none. */
function itemOf(line: string): string | null {
  if (headingOf(withoutBullet(line)) !== null) return null;
  return listItem(line);
}

/** Whether most items are labels with their values: facts of one thing rather than a list of many. */
function isFacts({ items }: Section): boolean {
  return items.filter((item) => pairOf(item) !== null).length * 2 >= items.length;
}

/** The lists of a page by the headings that they stand under: ingredients, steps, opening hours. */
export function sectionsOf(page: Page): Section[] {
  const sections: Section[] = [];
  let open: Section | null = null;
  const lines = page.source.text.split("\n").slice(0, MAX_LINES);
  for (const [at, line] of lines.entries()) {
    const heading = headingOf(line);
    if (heading !== null) {
      open = { heading: heading.text, items: [] };
      sections.push(open);
      continue;
    }
    // A term with its definition below is a fact.
    const defined = line.length <= 42 && /^ {2}\S/.test(lines[at + 1] ?? "");
    const item = defined ? null : itemOf(line);
    if (item !== null && open !== null && open.items.length < MAX_ITEMS) open.items.push(item);
  }
  return sections.filter((section) => section.items.length > 0 && !isFacts(section));
}
