import type { DataOperation, Extraction } from "../../../contract/tools/data.ts";
import { extractFrom } from "../../tools/process-data/extract.ts";
import { loadSource, type Source } from "../../tools/process-data/source.ts";
import { normalizeName, quoteNames } from "../../tools/process-data/table.ts";
import { CallFailure, fail } from "../../tools/tool.ts";
import type { Query } from "./program.ts";

/** Rows that a source has. */
interface Candidate {
  caption: string;
  columns: string[];
  extract: Extraction;
}

/**
 * Returns a query as `process_data` takes it: what it extracts of a source, and the operations on that. Which
 * table is meant must be certain: one alone has all columns that the query names, case and blanks aside.
 */
export function bindQuery(
  query: Query,
  source: Source,
): { extract: Extraction; operations: DataOperation[] } {
  return { extract: extractionOf(query, source), operations: operationsOf(query) };
}

function extractionOf(query: Query, source: Source): Extraction {
  const { select } = query;
  if (select.kind === "columns" || select.part === "rows") return tableFor(query, source).extract;
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

/** Selects the table that has all columns of a query; which one it is must be certain. */
function tableFor(query: Query, source: Source): Candidate {
  const all = candidatesIn(source);
  const { table } = query;
  const named = all.filter(({ caption }) => table === null || columnIn([caption], table) !== null);
  const fitting = named.filter((candidate) => missingIn(query, candidate).length === 0);
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const place = source.url || "The data";
  if (all.length === 0) return fail(`${place} has no table.`);
  const captions = `Its tables: ${quoteNames(all.map(({ caption }) => caption))}.`;
  if (named.length === 0) return fail(`${place} has no table "${table}". ${captions}`);
  if (only !== undefined) {
    return fail(`${place} has ${fitting.length} tables that fit; name one. ${captions}`);
  }
  const nearest = named.reduce((best, next) =>
    missingIn(query, next).length < missingIn(query, best).length ? next : best,
  );
  const missing = quoteNames(missingIn(query, nearest));
  return fail(`${place} has no column ${missing}. Columns: ${quoteNames(nearest.columns)}.`);
}

/** Returns the names in a query that are no column. The order of figures is another matter. */
function missingIn({ select, where, per, sort, figure }: Query, { columns }: Candidate): string[] {
  const selected = select.kind === "columns" ? select.columns : [];
  const sorted = sort !== null && figure === null ? [sort.column] : [];
  const names = [...selected, ...where.map(({ column }) => column), ...per, ...sorted];
  return names.filter((name) => columnIn(columns, name) === null);
}

function operationsOf(query: Query): DataOperation[] {
  const { select, where, per: by, sort, figure, limit, distinct } = query;
  const operations: DataOperation[] = where.map(({ value, ...test }) => {
    return { op: "filter", ...test, ...(value !== null && { value }) };
  });
  const named = select.kind === "columns" ? select.columns : [];
  const isShortened = select.kind === "part" && /^(?:headings|text)$/.test(select.part);
  const shown = isShortened ? ["text"] : named;
  const unique: DataOperation[] = [
    ...(shown.length > 0 ? [{ op: "select" as const, columns: [...by, ...shown] }] : []),
    ...(distinct ? [{ op: "distinct" as const }] : []),
  ];
  const sorted = (name: string): DataOperation[] =>
    sort === null ? [] : [{ op: "sort", by: name, direction: sort.direction }];
  if (figure === null) {
    const limited =
      limit === null ? [] : [{ op: "limit" as const, count: limit, from: "start" as const }];
    return [...operations, ...sorted(sort?.column ?? ""), ...limited, ...unique];
  }
  const [only] = named;
  const aggregate = only === undefined ? { fn: figure } : { fn: figure, column: only };
  // The figure of a column is sorted by the column's name as well.
  const isFigure = only !== undefined && columnIn([only], sort?.column ?? "") !== null;
  return [
    ...operations,
    ...(distinct ? unique : []),
    { op: "aggregate", by, aggregates: [aggregate] },
    ...sorted(isFigure ? `${figure} of ${only}` : (sort?.column ?? "")),
  ];
}

/** Returns the column of this name, case and blanks aside, or null. */
function columnIn(columns: readonly string[], name: string): string | null {
  if (columns.includes(name)) return name;
  return columns.find((column) => normalizeName(column) === normalizeName(name)) ?? null;
}
