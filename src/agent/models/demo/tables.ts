import type { Extraction } from "../../../contract/tools/data.ts";
import { extractFrom } from "../../tools/process-data/extract.ts";
import { loadSource, type Source } from "../../tools/process-data/source.ts";
import { normalizeName, quoteNames } from "../../tools/process-data/table.ts";
import { CallFailure, fail } from "../../tools/tool.ts";
import type { Selection } from "./program.ts";

/** Rows that a source has. */
interface Candidate {
  caption: string;
  columns: string[];
  extract: Extraction;
}

/** Returns what `process_data` extracts of a source. Which table is meant must be certain. */
export function extractionOf(select: Selection, source: Source): Extraction {
  if (select.part === "rows") return tableFor(select, source).extract;
  if (select.part !== "items") return { kind: select.part };
  if (select.under === null) return { kind: "lists" };
  const headings = source.headings().map(({ text }) => text);
  const heading = columnIn(headings, select.under);
  if (heading !== null) return { kind: "lists", heading };
  return fail(`There is no heading "${select.under}". Headings: ${quoteNames(headings)}.`);
}

/** Returns the names of all columns that a text has. */
export function columnsIn(data: string): string[] {
  try {
    const source = loadSource({ data, format: "auto" }, () => null);
    return candidatesIn(source).flatMap(({ columns }) => columns);
  } catch (error) {
    if (error instanceof CallFailure) return [];
    throw error;
  }
}

/** Returns the tables of a source; JSON without a list of objects is one row or one column. */
function candidatesIn(source: Source): Candidate[] {
  const tables = source.tables().map(({ caption, table: { columns } }, index) => {
    const extract: Extraction = { kind: "table", index };
    return { caption: caption ?? "", columns, extract };
  });
  if (tables.length > 0 || source.json() === undefined) return tables;
  const extract: Extraction = { kind: "json", path: "" };
  return [{ caption: "", columns: extractFrom(source, extract).table.columns, extract }];
}

/** Selects the one table that has all of these columns, case and blanks aside. */
function tableFor(
  { caption: wanted, columns }: Extract<Selection, { part: "rows" }>,
  source: Source,
): Candidate {
  const all = candidatesIn(source);
  const named = all.filter(
    ({ caption }) => wanted === null || columnIn([caption], wanted) !== null,
  );
  const missingIn = (candidate: Candidate) =>
    columns.filter((name) => columnIn(candidate.columns, name) === null);
  const fitting = named.filter((candidate) => missingIn(candidate).length === 0);
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const place = source.url || "The data";
  if (all.length === 0) return fail(`${place} has no table.`);
  const captions = `Its tables: ${quoteNames(all.map(({ caption }) => caption))}.`;
  if (named.length === 0) return fail(`${place} has no table "${wanted}". ${captions}`);
  if (only !== undefined) {
    return fail(`${place} has ${fitting.length} tables that fit; name one. ${captions}`);
  }
  const nearest = named.reduce((best, next) =>
    missingIn(next).length < missingIn(best).length ? next : best,
  );
  const there = quoteNames(nearest.columns) || "none";
  return fail(`${place} has no column ${quoteNames(missingIn(nearest))}. Columns: ${there}.`);
}

/** Returns the column of this name, case and blanks aside, or null. */
export function columnIn(columns: readonly string[], name: string): string | null {
  if (columns.includes(name)) return name;
  return columns.find((column) => normalizeName(column) === normalizeName(name)) ?? null;
}
