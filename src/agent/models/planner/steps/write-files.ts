import type { Json } from "../../../../contract/json.ts";
import { spreadsheetContent } from "../../../../contract/tools/write-spreadsheet.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { fileName, rowsOf, sheetNames, slug, titleOf } from "../answer/file-parts.ts";
import type { Part } from "../answer/parts.ts";
import { counted, listed } from "../answer/words.ts";
import type { Desk } from "../desk.ts";
import type { WorkbookOrder } from "../plan/workbook.ts";
import type { Page } from "../view/pages.ts";
import { layOut } from "./lay-out.ts";

/** What became of the rows that were to be written somewhere. */
export interface Written {
  waiting: boolean;
  /** The calls that made files. */
  files: string[];
  filename: string | null;
  said: string[];
  notes: string[];
  /** What was to be written and was not. */
  undone: string[];
}

/** As it is before anything was written. */
export const NOTHING_WRITTEN: Written = {
  waiting: false,
  files: [],
  filename: null,
  said: [],
  notes: [],
  undone: [],
};
const NO_TOOL = "needs the tool write_spreadsheet, which is not among the tools of this run.";
const MAX_SHEETS = 20;

/** Writes the pieces that were found to the file or the sheet that was asked for. */
export function writeFiles(
  order: WorkbookOrder,
  parts: readonly Part[],
  pages: readonly Page[],
  desk: Desk,
): Written {
  const found = parts.filter(({ status }) => status === "found").slice(0, MAX_SHEETS);
  const what = order.format === "google_sheet" ? "row was appended" : "file was written";
  if (found.length === 0) {
    return { ...NOTHING_WRITTEN, undone: [`No ${what}, because nothing was found to put there.`] };
  }
  if (!desk.has("write_spreadsheet")) {
    return { ...NOTHING_WRITTEN, undone: [`No ${what}: that ${NO_TOOL}`] };
  }
  switch (order.format) {
    case "xlsx":
      return asWorkbook(order, found, pages, desk);
    case "csv":
      return asCsv(order, found, pages, desk);
    case "google_sheet":
      return toGoogle(order, found, desk);
  }
}

function asWorkbook(
  order: WorkbookOrder,
  parts: readonly Part[],
  pages: readonly Page[],
  desk: Desk,
): Written {
  const { sheets, notes } = layOut(order, parts, pages);
  const own = sheets.length === 1 ? slug(sheets[0]?.name ?? "data") : "results";
  const filename = fileName(order.filename ?? own, "xlsx");
  const done = written(desk, { format: "xlsx", filename, sheets }, filename);
  return { ...done, notes: [...done.notes, ...notes] };
}

function asCsv(
  order: WorkbookOrder,
  parts: readonly Part[],
  pages: readonly Page[],
  desk: Desk,
): Written {
  const names = sheetNames(parts.map((part) => titleOf(part, pages)));
  const all = parts.map((part, at) => {
    const own = slug(part.label.startsWith("http") ? (names[at] ?? "data") : part.label);
    const base = order.filename?.replace(/\.csv$/i, "") ?? null;
    const wanted = base === null ? own : parts.length === 1 ? base : `${base}-${own}`;
    const filename = fileName(wanted, "csv");
    return written(desk, { format: "csv", filename, ...rowsOf(part) }, filename);
  });
  return {
    waiting: all.some(({ waiting }) => waiting),
    files: all.flatMap(({ files }) => files),
    filename: all[0]?.filename ?? null,
    said: all.flatMap(({ said }) => said),
    notes: all.flatMap(({ notes }) => notes),
    undone: all.flatMap(({ undone }) => undone),
  };
}

function written(desk: Desk, input: Json, filename: string): Written {
  const done = desk.get("write_spreadsheet", input);
  if (done === null) return { ...NOTHING_WRITTEN, waiting: true };
  if (!done.answer.ok) {
    return {
      ...NOTHING_WRITTEN,
      undone: [`${filename} was not written: ${done.answer.error.message}`],
    };
  }
  const content = spreadsheetContent.safeParse(done.answer.content);
  const { sheets = [], notes = [], filename: made = filename } = content.data ?? {};
  const rows = sheets.map(({ name, rows }) => `${name} (${counted(rows, "row")})`);
  const holding = rows.length === 0 ? "" : ` with ${listed(rows)}`;
  return {
    waiting: false,
    files: [done.callId],
    filename: made,
    undone: [],
    said: [`Wrote ${made}${/csv$/.test(made) ? "" : holding}.`],
    notes: notes.slice(0, 5),
  };
}

/** Appending changes the sheet: what was sent is never sent again, whatever came back. */
function toGoogle(order: WorkbookOrder, parts: readonly Part[], desk: Desk): Written {
  const tables = parts.filter(({ output, records }) => output !== null || records.length > 0);
  const target = {
    ...(order.spreadsheetId === null ? {} : { spreadsheetId: order.spreadsheetId }),
    ...(order.tab === null ? {} : { sheet: order.tab }),
  };
  const means = (input: Json): boolean =>
    isObject(input) &&
    input.format === "google_sheet" &&
    (input.spreadsheetId ?? null) === order.spreadsheetId &&
    (input.sheet ?? null) === order.tab;
  const all = tables.map((part, place): Written => {
    const input = JSON.parse(
      JSON.stringify({ format: "google_sheet", ...target, ...rowsOf(part) }),
    );
    const done = desk.once("write_spreadsheet", input, order.message, means, place);
    if (done === null) return { ...NOTHING_WRITTEN, waiting: true };
    if (!done.answer.ok) return { ...NOTHING_WRITTEN, undone: [notAppended(done.answer.error)] };
    const content = spreadsheetContent.safeParse(done.answer.content);
    const count = content.data?.sheets[0]?.rows ?? 0;
    const range = content.data?.updatedRange;
    const where = range === undefined ? "" : ` at ${range}`;
    return {
      ...NOTHING_WRITTEN,
      said: [`Appended ${counted(count, "row")} to the Google Sheet${where}.`],
    };
  });
  return {
    ...NOTHING_WRITTEN,
    waiting: all.some(({ waiting }) => waiting),
    said: all.flatMap(({ said }) => said),
    notes: all.flatMap(({ notes }) => notes),
    undone: all.flatMap(({ undone }) => undone),
  };
}

function notAppended({ code, message }: { code: string; message: string }): string {
  if (code === "denied") return "Nothing was appended to the Google Sheet: you did not allow it.";
  if (code === "uncertain" || code === "interrupted") {
    return `Whether the rows were appended to the Google Sheet is not known: ${message} They are not appended again.`;
  }
  return `Nothing was appended to the Google Sheet: ${message}`;
}
