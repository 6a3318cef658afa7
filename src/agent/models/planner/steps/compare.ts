import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { labelColumn } from "../bind/columns.ts";
import { chooseRecords } from "../view/choose.ts";
import { nameOf } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";
import { factSheet, inlineSheet, type Sheet } from "../view/sheets.ts";

interface Side {
  page: Page;
  name: string;
  sheet: Sheet;
}

/** Names for the pages that tell them apart: their titles, else their addresses. */
function names(pages: Page[]): string[] {
  const titles = pages.map((page) => nameOf(page));
  const telling = new Set(titles).size === pages.length && titles.every((title) => title !== "");
  return telling ? titles : pages.map((page) => page.url);
}

/** One row for each thing that is on all pages, one column for each page. */
function sideBySide(sides: Side[]): Sheet | null {
  const columns = sides.map(({ sheet }) => {
    const label = labelColumn(sheet.columns, sheet.rows);
    const price = sheet.columns.findIndex(
      (name, at) => at !== label && (/price|cost/i.test(name) || isNumeric(sheet, at)),
    );
    return { label, price };
  });
  if (columns.some(({ price }) => price < 0)) return null;
  const values = sides.map(({ sheet }, at) => {
    const { label = 0, price = 0 } = columns[at] ?? {};
    return new Map(
      sheet.rows.map((row) => [
        cellText(row[label] ?? null).toLowerCase(),
        { name: row[label] ?? null, value: row[price] ?? null },
      ]),
    );
  });
  const shared = [...(values[0]?.keys() ?? [])].filter((key) =>
    values.every((map) => map.has(key)),
  );
  const first = sides[0];
  if (shared.length === 0 || first === undefined) return null;
  const heading = first.sheet.columns[columns[0]?.label ?? 0] ?? "name";
  const rows = shared.map((key): Json[] => [
    values[0]?.get(key)?.name ?? key,
    ...values.map((map) => map.get(key)?.value ?? null),
  ]);
  return inlineSheet(
    "facts",
    [heading, ...sides.map((side) => side.name)],
    rows,
    sides.map((side) => side.page),
  );
}

function isNumeric(sheet: Sheet, at: number): boolean {
  return (
    sheet.rows.length > 0 &&
    sheet.rows.every((row) => parseNumber(cellText(row[at] ?? null)) !== null)
  );
}

/** The records of several pages beside each other, each row saying which page it is from. */
export function compareSheet(
  pages: Page[],
  text: string,
  strings: readonly string[],
): Sheet | null {
  if (pages.length < 2) return null;
  const called = names(pages);
  const sides = pages.flatMap((page, at): Side[] => {
    const reading = chooseRecords(text, [page], strings);
    const idle = reading?.sheet.kind === "section" && reading.query.mentions === 0;
    return reading === null || idle
      ? []
      : [{ page, name: called[at] ?? page.url, sheet: reading.sheet }];
  });
  if (sides.every(({ sheet }) => sheet.rows.length <= 1)) return factSheet(pages);
  if (sides.length < 2) return null;
  const table = /\bwhich\b|\bcheape|\bsum|\baverage|\btotal/.test(text) ? null : sideBySide(sides);
  if (table !== null) return table;
  const columns = [...new Set(sides.flatMap(({ sheet }) => sheet.columns))];
  const rows = sides.flatMap(({ name, sheet }) =>
    sheet.rows.map((row): Json[] => [
      name,
      ...columns.map((column) => row[sheet.columns.indexOf(column)] ?? null),
    ]),
  );
  return inlineSheet("facts", ["page", ...columns], rows, pages);
}
