import type { NodeType } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import { cellQuantity } from "../../../tools/process-data/values/cells.ts";
import type { Answer, Part, Query } from "../program.ts";
import { compareRows } from "./compare.ts";
import type { Desk } from "./desk.ts";
import { pageResult } from "./page-answers.ts";
import { type Rows, runQuery, type Step } from "./rows.ts";
import type { ReadPage } from "./view.ts";
import { counted, listed, recordsOf, sentence, shown, tableText } from "./words.ts";

/** What a part came to. All of it comes from the tools' answers, or from the prompt itself. */
export interface Result {
  part: Part;
  /** Whether anything was found; a count of nothing and a "no" are found. */
  isFound: boolean;
  columns: string[];
  rows: Json[][];
  data: Json;
  /** The answer in a sentence. */
  sentence: string;
  /** The answer in full, as a mail or a text file tells it. */
  text: string;
  /** How the result is output. */
  output: "table" | "json" | "text";
  /** The kind of output, if it is the content of a page, a response or code itself. */
  nodeType?: NodeType;
  /** The call whose answer holds the rows as they are. */
  callId: string | null;
  /** The calls that the result is based on. */
  sources: string[];
  notes: string[];
  /** The same rows with all their columns, for a schema that asks for more than the prompt. */
  wide?: { columns: string[]; rows: Json[][] };
}

/** What the results need besides the program. */
export interface Room {
  desk: Desk;
  pages: ReadonlyMap<string, readonly ReadPage[]>;
  /** Whether a schema is to be filled. */
  hasSchema: boolean;
}

/** Computes the result of a part from the answers of the tools. */
export function resultOf(part: Part, room: Room): Step<Result> {
  const { answer } = part;
  switch (answer.kind) {
    case "compare":
      return compared(part, answer, room);
    case "figures":
      return figures(part, answer, room);
    case "every":
      return every(part, answer, room);
    case "page":
    case "json":
      return pageResult(part, answer, room.pages);
    case "literal":
      return done(literal(part, answer));
    default: {
      const rows = runQuery(answer.query, part.clean, room.desk);
      const wide = room.hasSchema ? wideRows(answer, part, room.desk) : null;
      if (rows.kind !== "done") return rows;
      if (wide?.kind === "waiting") return wide;
      const result = ofRows(part, answer, rows.value);
      if (result.kind !== "done" || wide?.kind !== "done") return result;
      return done({ ...result.value, wide: wide.value });
    }
  }
}

/** Runs a query without the choice of columns at its end; null if it has none. */
function wideRows({ query }: OfRows, part: Part, desk: Desk): Step<Rows> | null {
  const last = query.operations.at(-1);
  if (last?.op !== "select") return null;
  const operations = query.operations.slice(0, -1);
  return runQuery({ ...query, operations }, part.clean, desk);
}

function done(value: Result): Step<Result> {
  return { kind: "done", value };
}

function literal(part: Part, { text, data }: Extract<Answer, { kind: "literal" }>): Result {
  const output = data === undefined || typeof data === "string" ? "text" : "json";
  return {
    part,
    isFound: true,
    columns: [part.label],
    rows: [[data ?? text]],
    data: data ?? text,
    sentence: text,
    text,
    output,
    callId: null,
    sources: [],
    notes: [],
  };
}

type OfRows = Extract<Answer, { kind: "table" | "list" | "value" | "count" | "exists" }>;

/** A figure of rows of which some are missing, or of amounts in several currencies, would be wrong. */
function flaw({ kind }: OfRows, rows: Rows, part: Part): string | null {
  if (kind === "table" || kind === "list") return null;
  if (rows.cut) return `The data of "${part.label}" is too long to be read as a whole.`;
  return rows.notes.find((note) => note.includes("different units")) ?? null;
}

function ofRows(part: Part, answer: OfRows, rows: Rows): Step<Result> {
  const reason = flaw(answer, rows, part);
  if (reason !== null) return { kind: "failed", message: reason };
  const { label } = part;
  const { callId, columns, rows: cells, notes } = rows;
  const records = recordsOf(columns, cells);
  const base = { part, columns, rows: cells, callId, sources: [callId], notes };
  const isEmpty = cells.length === 0;
  switch (answer.kind) {
    case "table": {
      const said = isEmpty
        ? sentence(`${label}: no row matches`)
        : sentence(`${label}: ${counted(cells.length, "row")}`);
      return done({
        ...base,
        isFound: !isEmpty,
        data: records,
        sentence: isEmpty ? said : `${said}${rowLines(cells)}`,
        text: isEmpty ? said : `${said}\n\n${tableText(columns, cells)}`,
        output: "table",
      });
    }
    case "list": {
      const values = cells.map((row) => row[0] ?? null);
      const isShort = values.length <= MAX_SHOWN;
      const first = values.slice(0, MAX_SHOWN).map(shown).join(", ");
      const more = isShort ? "" : ` and ${values.length - MAX_SHOWN} more`;
      return done({
        ...base,
        isFound: !isEmpty,
        data: values,
        sentence: sentence(`${label}: ${isEmpty ? "none" : first}${more}`),
        text: isEmpty
          ? sentence(`${label}: none`)
          : `${label}:\n${values.map((value) => `- ${shown(value)}`).join("\n")}`,
        output: "json",
      });
    }
    case "value":
      return done(valueResult(base, label));
    case "count": {
      // An aggregate has counted already; other rows are counted here.
      const count = countOf(rows);
      const said = sentence(`${label}: ${count}`);
      return done({
        ...base,
        columns: [label],
        rows: [[count]],
        isFound: true,
        data: count,
        sentence: said,
        text: said,
        output: "json",
        callId: null,
      });
    }
    case "exists": {
      const said = isEmpty
        ? sentence(`${label}: no`)
        : sentence(`${label}: yes, ${counted(cells.length, "row")}`);
      return done({
        ...base,
        isFound: !isEmpty,
        data: !isEmpty,
        sentence: `${said}${rowLines(cells)}`,
        text: isEmpty ? said : `${said}\n\n${tableText(columns, cells)}`,
        output: "json",
        callId: isEmpty ? null : callId,
      });
    }
  }
}

function countOf({ columns, rows }: Rows): number {
  const [only, ...others] = rows;
  const value = only?.[0];
  const isCounted = columns.length === 1 && /^count\b/.test(columns[0] ?? "");
  return isCounted && others.length === 0 && typeof value === "number" ? value : rows.length;
}

type Base = Pick<Result, "part" | "columns" | "rows" | "callId" | "sources" | "notes">;

function valueResult(base: Base, label: string): Result {
  const values = base.rows.map((row) => row[0] ?? null);
  const [only = null, ...others] = values;
  const isFound = values.length > 0 && only !== null && only !== "";
  const ties = base.rows.map((row) => row.map(shown).join(" · "));
  const said = sentence(`${label}: ${isFound ? listed(ties) : "nothing was found"}`);
  return {
    ...base,
    isFound,
    data: others.length > 0 ? values : only,
    sentence: said,
    text: said,
    output: "json",
  };
}

/** The most values or rows of a sentence. */
const MAX_SHOWN = 20;

/** Writes the first rows below a sentence. */
function rowLines(rows: readonly Json[][]): string {
  if (rows.length === 0) return "";
  const lines = rows.slice(0, MAX_SHOWN).map((row) => `- ${row.map(shown).join(" · ")}`);
  const more = rows.length - MAX_SHOWN;
  return ["", ...lines, ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

/** Runs the two queries of an answer. */
function both(queries: readonly [Query, Query], part: Part, desk: Desk): Step<[Rows, Rows]> {
  const left = runQuery(queries[0], part.clean, desk);
  const right = runQuery(queries[1], part.clean, desk);
  if (left.kind === "failed") return left;
  if (right.kind === "failed") return right;
  if (left.kind === "waiting" || right.kind === "waiting") return { kind: "waiting" };
  const cut = left.value.cut || right.value.cut;
  if (cut) return { kind: "failed", message: `The data of "${part.label}" is too long.` };
  return { kind: "done", value: [left.value, right.value] };
}

function figures(
  part: Part,
  { operator, queries, labels }: Extract<Answer, { kind: "figures" }>,
  { desk }: Room,
): Step<Result> {
  const rows = both(queries, part, desk);
  if (rows.kind !== "done") return rows;
  const [left, right] = rows.value.map(figureOf);
  if (typeof left !== "number" || typeof right !== "number") {
    return { kind: "failed", message: `There is no figure for "${part.label}".` };
  }
  const value = operator === "difference" ? left - right : (left / right) * 100;
  if (!Number.isFinite(value)) {
    return { kind: "failed", message: `"${part.label}" divides by zero.` };
  }
  const exact = Number(value.toFixed(10));
  const unit = operator === "percent" ? " %" : "";
  const beside = `${labels[0]}: ${shown(left)}, ${labels[1]}: ${shown(right)}`;
  const said = sentence(`${part.label}: ${shown(exact)}${unit} (${beside})`);
  return done({
    part,
    isFound: true,
    columns: [part.label, ...labels],
    rows: [[exact, left, right]],
    data: exact,
    sentence: said,
    text: said,
    output: "json",
    callId: null,
    sources: rows.value.map(({ callId }) => callId),
    notes: rows.value.flatMap(({ notes }) => notes),
  });
}

/** Returns the only number of rows: an aggregate, or the number of the rows themselves. */
function figureOf(rows: Rows): number | null {
  const [only, ...others] = rows.rows;
  const value = only?.length === 1 && others.length === 0 ? only[0] : undefined;
  return cellQuantity(value ?? null)?.value ?? null;
}

function every(
  part: Part,
  { query, all }: Extract<Answer, { kind: "every" }>,
  { desk }: Room,
): Step<Result> {
  const rows = both([query, all], part, desk);
  if (rows.kind !== "done") return rows;
  const [passing, total] = rows.value;
  const holds = total.rows.length > 0 && passing.rows.length === total.rows.length;
  const [count, whole] = [passing.rows.length, total.rows.length];
  const said = sentence(`${part.label}: ${holds ? "yes" : "no"}, ${count} of ${whole}`);
  return done({
    part,
    isFound: holds,
    columns: [part.label],
    rows: [[holds]],
    data: holds,
    sentence: said,
    text: said,
    output: "json",
    callId: null,
    sources: rows.value.map(({ callId }) => callId),
    notes: rows.value.flatMap(({ notes }) => notes),
  });
}

function compared(
  part: Part,
  answer: Extract<Answer, { kind: "compare" }>,
  { desk, pages }: Room,
): Step<Result> {
  const rows = both([answer.before, answer.after], part, desk);
  if (rows.kind !== "done") return rows;
  const sides = sideNames(answer, [...pages.values()].flat());
  const table = compareRows(rows.value, { ...answer, sides });
  if (table === null) {
    const message = `The rows cannot be compared by ${answer.key}: its values are not unique.`;
    return { kind: "failed", message };
  }
  const count = counted(table.rows.length, "row");
  const said = sentence(`${part.label}: ${table.rows.length === 0 ? "none" : count}`);
  return done({
    part,
    isFound: table.rows.length > 0,
    ...table,
    data: recordsOf(table.columns, table.rows),
    sentence: `${said}${rowLines(table.rows)}`,
    text: `${said}\n\n${tableText(table.columns, table.rows)}`,
    output: "table",
    callId: null,
    sources: rows.value.map(({ callId }) => callId),
    notes: rows.value.flatMap(({ notes }) => notes),
  });
}

/** Names the two sides by the titles of their pages, if these tell them apart. */
function sideNames(
  { before, after }: Extract<Answer, { kind: "compare" }>,
  pages: readonly ReadPage[],
): [string, string] {
  const [left = "", right = ""] = [before, after].map(({ tables }) => {
    const url = tables[0]?.url ?? null;
    const page = pages.find((one) => one.url === url);
    return page?.headings.find(({ level }) => level === 1)?.text ?? page?.title ?? "";
  });
  return left !== "" && right !== "" && left !== right ? [left, right] : ["before", "after"];
}
