import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { capital, type FileRows, rowsOf, sheetNames, titleOf } from "../answer/file-parts.ts";
import type { Part } from "../answer/parts.ts";
import { wordsOf } from "../language/normalize.ts";
import type { WorkbookOrder } from "../plan/workbook.ts";
import type { Page } from "../view/pages.ts";

const MAX_SHEETS = 20;

/** The sheets of a workbook, and what of their order could not be done. */
export interface Laid {
  sheets: ({ name: string } & FileRows)[];
  notes: string[];
}

/** The rows of a piece by the values of a column; null where it has no such column. */
function splitBy({ records }: Part, by: string): Map<string, Record<string, Json>[]> | null {
  const columns = Object.keys(records[0] ?? {});
  const [wanted = ""] = wordsOf(by);
  const column =
    columns.find((name) => wordsOf(name).join(" ") === wanted) ??
    columns.find((name) => wordsOf(name).includes(wanted));
  if (column === undefined) return null;
  const groups = new Map<string, Record<string, Json>[]>();
  for (const record of records) {
    const value = cellText(record[column] ?? null).trim() || "Without";
    groups.set(value, [...(groups.get(value) ?? []), record]);
  }
  return groups;
}

function rowsFrom(records: readonly Record<string, Json>[]): FileRows {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return {
    columns: columns.map((name) => ({ name })),
    rows: records.map((record) => columns.map((name) => record[name] ?? null)),
  };
}

/** Lays the pieces on sheets: each on its own, or its rows by the values of a column. */
export function layOut(
  { filename, sheets: { by, names }, perPage }: WorkbookOrder,
  parts: readonly Part[],
  pages: readonly Page[],
): Laid {
  const [only, ...others] = parts;
  if (by !== null && only !== undefined) {
    const groups = others.length === 0 ? splitBy(only, by) : null;
    if (groups !== null && groups.size <= MAX_SHEETS) {
      const titles = sheetNames([...groups.keys()]);
      const laid = [...groups.values()].map((records, at) => ({
        name: titles[at] ?? "Sheet",
        ...rowsFrom(records),
      }));
      return { sheets: laid, notes: [] };
    }
    const why = groups === null ? `there is no column "${by}"` : "there are too many of them";
    const note = `There is not one sheet for each ${by}: ${why}. The rows are on one sheet.`;
    return { sheets: onePerPart(parts, pages, filename, names), notes: [note] };
  }
  const single = perPage && parts.length === 1;
  const note = "The rows are on one sheet: only one list of them was found.";
  return { sheets: onePerPart(parts, pages, filename, names), notes: single ? [note] : [] };
}

function onePerPart(
  parts: readonly Part[],
  pages: readonly Page[],
  filename: string | null,
  given: WorkbookOrder["sheets"]["names"],
): Laid["sheets"] {
  const named = filename?.replace(/\.\w+$/, "") ?? null;
  const titles = parts.map((part) => {
    const name = given.find(({ url }) => url === part.label)?.name;
    if (name !== undefined) return name;
    // Rows put together from several pages have no name but the file's.
    return part.label === "table" && parts.length === 1 && pages.length > 1 && named !== null
      ? capital(named)
      : titleOf(part, pages);
  });
  const names = sheetNames(titles);
  return parts.map((part, at) => ({ name: names[at] ?? "Sheet", ...rowsOf(part) }));
}
