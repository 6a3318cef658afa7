import { headingOf, listItem, withoutBullet } from "../../../../tools/process-data/markdown.ts";
import type { MaterialTable } from "../../program.ts";
import { inlineRows } from "./json-tables.ts";
import { pairOf } from "./lines.ts";

const MAX_ITEMS = 1_000;

/** Returns the lists under headings, such as ingredients or steps, each as a column of the heading's name. */
export function listTables(lines: readonly string[]): MaterialTable[] {
  const sections: { heading: string; items: string[] }[] = [];
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading !== null) sections.push({ heading: heading.text, items: [] });
    // A heading inside a list opens a card and is no item.
    const item = headingOf(withoutBullet(line)) === null ? listItem(line) : null;
    if (item !== null) sections.at(-1)?.items.push(item);
  }
  return sections
    .filter(({ items }) => {
      const facts = items.filter((item) => pairOf(item) !== null);
      return facts.length * 2 < items.length;
    })
    .map(({ heading, items }) => ({
      kind: "list",
      caption: heading,
      ...inlineRows(items.slice(0, MAX_ITEMS).map((item) => ({ [heading]: item }))),
    }));
}
