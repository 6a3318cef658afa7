import type { DataOperation, Extraction } from "../../../contract/tools/process-data.ts";
import { extractFrom } from "../../tools/process-data/extract.ts";
import { loadSource, type Source } from "../../tools/process-data/source.ts";
import { normalizeName, quoteNames } from "../../tools/process-data/table.ts";
import { CallFailure, fail } from "../../tools/tool.ts";
import type { Query } from "./program.ts";

/** A query bound to the columns that its source has, as `process_data` takes it. */
export interface BoundQuery {
  extract: Extraction;
  operations: DataOperation[];
}

/** Rows that a source has. */
interface Candidate {
  caption: string;
  columns: string[];
  extract: Extraction;
}

/** Binds a query to a source: every name must be a column of one table, case and blanks aside. */
export function bindQuery(query: Query, source: Source): BoundQuery {
  const { select } = query;
  if (select.kind === "columns" || select.part === "rows") {
    return operationsFor(query, tableFor(query, source));
  }
  const headings = source.headings().map(({ text }) => text);
  const heading = select.under === null ? undefined : columnIn(headings, select.under);
  if (heading === null) {
    return fail(`There is no heading "${select.under}". Headings: ${quoteNames(headings)}.`);
  }
  const kind = select.part === "items" ? "lists" : select.part;
  const extract: Extraction = heading === undefined ? { kind } : { kind: "lists", heading };
  const { columns } = extractFrom(source, extract).table;
  return operationsFor(query, { caption: "", columns, extract });
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

function operationsFor(query: Query, candidate: Candidate): BoundQuery {
  const { columns, extract } = candidate;
  const { select, where, per, sort, figure, limit, distinct } = query;
  const [missing] = missingIn(query, candidate);
  if (missing !== undefined) {
    return fail(`There is no column "${missing}". Columns: ${quoteNames(columns)}.`);
  }
  const real = (name: string) => columnIn(columns, name) ?? name;
  const operations: DataOperation[] = where.map(({ column, test, value }) => {
    return { op: "filter", column: real(column), test, ...(value !== null && { value }) };
  });
  const by = per.map(real);
  const named = select.kind === "columns" ? select.columns.map(real) : [];
  const [only] = named;
  const isShortened = select.kind === "part" && /^(?:headings|text)$/.test(select.part);
  const shown = isShortened ? ["text"] : named;
  const unique: DataOperation[] = [
    ...(shown.length > 0 ? [{ op: "select" as const, columns: [...by, ...shown] }] : []),
    ...(distinct ? [{ op: "distinct" as const }] : []),
  ];
  if (figure === null) {
    if (sort) operations.push({ op: "sort", by: real(sort.column), direction: sort.direction });
    if (limit !== null) operations.push({ op: "limit", count: limit, from: "start" });
    return { extract, operations: [...operations, ...unique] };
  }
  if (distinct) operations.push(...unique);
  const aggregate = only === undefined ? { fn: figure } : { fn: figure, column: only };
  operations.push({ op: "aggregate", by, aggregates: [aggregate] });
  if (sort === null) return { extract, operations };
  const name = only === undefined ? figure : `${figure} of ${only}`;
  const sorted = columnIn([...by, name, ...named], sort.column);
  if (sorted === null) {
    return fail(`"${sort.column}" is no column of the result: ${quoteNames([...by, name])}.`);
  }
  const key = sorted === only ? name : sorted;
  operations.push({ op: "sort", by: key, direction: sort.direction });
  return { extract, operations };
}

/** Returns the column of this name, case and blanks aside, or null. */
function columnIn(columns: readonly string[], name: string): string | null {
  if (columns.includes(name)) return name;
  return columns.find((column) => normalizeName(column) === normalizeName(name)) ?? null;
}
