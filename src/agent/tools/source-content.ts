import Papa from "papaparse";
import { type Table, table } from "../../contract/execution.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import { type PageContent, pageContent } from "../../contract/tools/browse.ts";
import {
  type HttpResponseContent,
  httpResponseContent,
} from "../../contract/tools/http-request.ts";
import { mcpToolContent } from "../../contract/tools/mcp.ts";
import { dataContent } from "../../contract/tools/process-data.ts";
import { codeContent } from "../../contract/tools/run-code.ts";
import { tableHead, tableLine } from "./page/markdown.ts";
import { rowsOfJson } from "./process-data/json.ts";
import type { ToolContext } from "./tool.ts";

/** A value that could be made, or a sentence that says why not and what to do instead. */
export type Result<T> = { ok: true; value: T } | { ok: false; message: string };

export function success<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failure(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

/** What an output or a file is made from, by where it comes from. */
export type SourceContent =
  | { from: "value"; value: Json }
  | { from: "data"; table: Table }
  | { from: "page"; page: PageContent }
  | { from: "response"; response: HttpResponseContent }
  /** What code returned. */
  | { from: "code"; value: Json }
  /** What a tool of an MCP server answered: its JSON, or its text. */
  | { from: "remote"; value: Json };

/** What an earlier call answered, as material. */
export function contentOfCall(callId: string, context: ToolContext): Result<SourceContent> {
  const answer = context.answer(callId);
  if (!answer) return failure(`There is no earlier call ${callId}.`);
  if (!answer.ok) return failure(`The call ${callId} failed, so it has nothing to hand over.`);
  const data = dataContent.safeParse(answer.content);
  if (data.success) {
    const { columns, rows } = data.data;
    return success({ from: "data", table: { columns, rows } });
  }
  const response = httpResponseContent.safeParse(answer.content);
  if (response.success) return success({ from: "response", response: response.data });
  const page = pageContent.safeParse(answer.content);
  if (page.success) return success({ from: "page", page: page.data });
  const code = codeContent.safeParse(answer.content);
  if (code.success) return success({ from: "code", value: code.data.value });
  const remote = mcpToolContent.safeParse(answer.content);
  if (remote.success) {
    return success({ from: "remote", value: remote.data.json ?? remote.data.text ?? "" });
  }
  return failure(`The call ${callId} has no content that can be handed over.`);
}

/** A text and what kind of text it is. */
export interface TypedText {
  text: string;
  mediaType: string;
}

/** The material as text: Markdown of a page and of a table, the words or the JSON of the others. */
export function toText(material: SourceContent): TypedText {
  switch (material.from) {
    case "page":
      return { text: material.page.text, mediaType: markdownOr(material.page.mediaType) };
    case "data":
      return tableText(material.table);
    case "response": {
      const { json, text, mediaType } = material.response;
      return json === undefined ? { text: text ?? "", mediaType } : jsonText(json);
    }
    case "value":
    case "code":
    case "remote":
      return typeof material.value === "string"
        ? { text: material.value, mediaType: "text/plain" }
        : jsonText(material.value);
  }
}

/** The material as JSON: of data a list of objects by column. */
export function toJson(material: SourceContent): Result<Json> {
  switch (material.from) {
    case "page":
      return success(material.page);
    case "data":
      return success(records(material.table));
    case "response":
      return material.response.json === undefined
        ? failure("That answer is not JSON; use type text.")
        : success(material.response.json);
    case "value":
    case "code":
    case "remote":
      return success(material.value);
  }
}

/** The material as a table, every row having a value for each column. */
export function toTable(material: SourceContent): Result<Table> {
  if (material.from === "data") return success(material.table);
  if (material.from === "code") return tableOfCode(material.value);
  if (material.from === "page") {
    const [first, ...others] = material.page.tables;
    if (first && others.length === 0) return success({ columns: first.columns, rows: first.rows });
    return failure(
      `The page has ${material.page.tables.length} tables; choose one with process_data first.`,
    );
  }
  if (material.from === "response" || material.from === "remote") {
    return failure("Make rows of that answer with process_data first.");
  }
  return parseTable(material.value);
}

/**
 * A text that a spreadsheet would run as a formula, line breaks and all; a negative number is none.
 * See OWASP, "CSV injection".
 */
const FORMULA = /^(?!-\d[\d.,]*%?$)[=+\-@\t\r]/;

/** The table as CSV by RFC 4180. */
export function toCsv({ columns, rows }: Table): string {
  const data = rows.map((row) => row.map(csvCell));
  return Papa.unparse({ fields: columns, data }, { escapeFormulae: FORMULA });
}

function csvCell(value: Json): string | number | boolean | null {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function records({ columns, rows }: Table): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  );
}

/** One figure as it is, one column as lines, more as a Markdown table. */
function tableText({ columns, rows }: Table): TypedText {
  const cells = rows.map((row) => row.map(cellText));
  if (columns.length === 1) return { text: cells.flat().join("\n"), mediaType: "text/plain" };
  const lines = [...tableHead(columns), ...cells.map(tableLine)];
  return { text: lines.join("\n"), mediaType: "text/markdown" };
}

function cellText(value: Json): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function jsonText(value: Json): TypedText {
  return { text: JSON.stringify(value, null, 2), mediaType: "application/json" };
}

/** The text of an HTML page is kept as Markdown, any other as it came. */
function markdownOr(mediaType: string): string {
  return /^(text\/html|application\/xhtml\+xml)$/.test(mediaType) ? "text/markdown" : mediaType;
}

/** The table that a value is, every row having a value for each column. */
export function parseTable(value: Json): Result<Table> {
  const parsed = table.safeParse(value);
  if (!parsed.success) return failure("A table's value is {columns: [names], rows: [[values]]}.");
  const { columns, rows } = parsed.data;
  const uneven = rows.findIndex((row) => row.length !== columns.length);
  if (uneven === -1) return success(parsed.data);
  return failure(
    `Row ${uneven + 1} has ${rows[uneven]?.length} values for ${columns.length} columns.`,
  );
}

/** The table of what code returned: rows under columns, or a list of rows. */
export function tableOfCode(value: Json): Result<Table> {
  if (!Array.isArray(value)) {
    if (table.safeParse(value).success) return parseTable(value);
    return failure("Code makes a table by returning a list of objects, or {columns, rows}.");
  }
  if (value.length === 0) {
    return failure("The code returned an empty list; {columns, rows: []} is an empty table.");
  }
  // In a list, so that each element is a row and not what is in it.
  const { table: rows, cut } = rowsOfJson([value]);
  return cut ? failure("The code returned more columns or cells than a table has.") : success(rows);
}
