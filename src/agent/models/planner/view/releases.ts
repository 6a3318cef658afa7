import type { Json } from "../../../../contract/json.ts";
import { headingOf, listItem, plainText } from "../../../tools/process-data/markdown.ts";
import { cellDate } from "../../../tools/process-data/values/cells.ts";
import type { Page } from "./pages.ts";

/** A heading such as "3.2.0 (18 February 2026)", "v2.1 – 2026-03-01" or "Version 1.4, 2 May 2025". */
const RELEASE =
  /^(?:(?:version|release|v)\.?\s?)?(\d{1,4}(?:\.\d{1,5}){1,3}(?:[-+][\w.]{1,20})?)[\s,:([–—-]+(?:released )?(?:on )?([^()[\]]{6,30}?)[)\]]?$/i;
const MAX_LINES = 5_000;

/** What a page tells of the versions of one thing: a row for each, with its day as yyyy-mm-dd. */
export interface Releases {
  columns: string[];
  rows: Json[][];
}

/** The versions that headings name with their dates; null where there are not two of them. */
export function releasesOf(page: Page): Releases | null {
  const rows: { version: string; date: string; changes: string[] }[] = [];
  let open = false;
  for (const line of page.source.text.split("\n").slice(0, MAX_LINES)) {
    const heading = headingOf(line);
    if (heading === null) {
      const item = open ? listItem(line) : null;
      if (item !== null) rows.at(-1)?.changes.push(plainText(item));
      continue;
    }
    const [, version = "", written = ""] = RELEASE.exec(plainText(heading.text)) ?? [];
    const date = cellDate(written);
    open = version !== "" && date !== null;
    if (version === "" || date === null) continue;
    rows.push({ version, date: new Date(date).toISOString().slice(0, 10), changes: [] });
  }
  if (rows.length < 2) return null;
  return {
    columns: ["Version", "Release date", "Changes"],
    rows: rows.map(({ version, date, changes }) => [version, date, changes.join("; ")]),
  };
}
