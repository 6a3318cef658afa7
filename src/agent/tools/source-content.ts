import type { Json, JsonObject } from "../../contract/json.ts";
import { type Table, table } from "../../contract/outputs.ts";
import { mcpToolContent, type ToolAnswer } from "../../contract/tools/call.ts";
import { codeContent, dataContent } from "../../contract/tools/data.ts";
import {
  type HttpResponseContent,
  httpResponseContent,
  type PageContent,
  pageContent,
  pagePart,
  searchContent,
} from "../../contract/tools/web.ts";
import { isObject } from "../../lib/json-values.ts";
import { tableHead, tableLine } from "./page/markdown.ts";
import { rowsOfJson } from "./process-data/json.ts";
import { isHtml } from "./response-body.ts";
import { fail, type ToolContext } from "./tool.ts";

/** The content of an output or a file, by its origin. */
export type SourceContent =
  | { from: "value"; value: Json }
  | { from: "data"; table: Table }
  | { from: "page"; page: PageContent }
  | { from: "response"; response: HttpResponseContent }
  /** The value returned by code. */
  | { from: "code"; value: Json }
  /** The answer of an MCP tool: its JSON, or its text. */
  | { from: "remote"; value: Json };

/** Without `json`, so that a large body is not validated again: a stored answer is JSON. */
const responseHead = httpResponseContent.omit({ json: true });

/** The content of a tool's answer, and whether its tool left out a part. */
export type AnswerContent = SourceContent & { cut: boolean };

/** Reads an answer. Tools share no shape, so the first schema that fits decides; null if none does. */
export function readAnswerContent(content: Json): AnswerContent | null {
  if (!isObject(content)) return null;
  const data = dataContent.safeParse(content).data;
  if (data)
    return { from: "data", table: { columns: data.columns, rows: data.rows }, cut: data.cut };
  const page = pageContent.safeParse(content).data;
  if (page) return { from: "page", page, cut: page.cut };
  const code = codeContent.safeParse(content).data;
  if (code) return { from: "code", value: code.value, cut: false };
  const search = searchContent.safeParse(content).data;
  if (search) return { from: "data", table: rowsOfJson(search.results).table, cut: false };
  const remote = mcpToolContent.safeParse(content).data;
  if (remote) {
    return { from: "remote", value: remote.json ?? remote.text ?? "", cut: remote.cut };
  }
  const head = responseHead.safeParse(content).data;
  if (!head) return null;
  const { json } = content;
  const response = json === undefined ? head : { ...head, json };
  return { from: "response", response, cut: head.cut };
}

/**
 * Returns the complete answer of an earlier call, or null. The answer of a call that read on in a page
 * is the page.
 */
export function completeAnswer(callId: string, context: ToolContext): ToolAnswer | null {
  const answer = context.answer(callId);
  if (!answer?.ok) return answer;
  const part = pagePart.safeParse(answer.content);
  return part.success ? context.answer(part.data.page) : answer;
}

/** Fails if one of the calls was not made before. */
export function requireCalls(
  callIds: readonly string[],
  { answer }: Pick<ToolContext, "answer">,
): void {
  const unknown = callIds.find((callId) => answer(callId) === null);
  if (unknown !== undefined) fail(`There is no earlier call ${unknown}.`, "unknown_call");
}

/** Returns the content of an earlier call's answer. */
export function contentOfCall(callId: string, context: ToolContext): AnswerContent {
  requireCalls([callId], context);
  const answer = completeAnswer(callId, context);
  if (!answer?.ok) return fail(`The call ${callId} failed, so it has no content.`);
  return (
    readAnswerContent(answer.content) ??
    fail(`The answer of call ${callId} cannot be used as content.`)
  );
}

/** A text with its media type. */
export interface TypedText {
  text: string;
  mediaType: string;
}

/** Converts content to text: a page or a table to Markdown, others to their text or JSON. */
export function toText(content: SourceContent): TypedText {
  switch (content.from) {
    case "page": {
      const { text, mediaType } = content.page;
      return { text, mediaType: isHtml(mediaType) ? "text/markdown" : mediaType };
    }
    case "data":
      return tableText(content.table);
    case "response": {
      const { json, text, mediaType } = content.response;
      return json === undefined ? { text: text ?? "", mediaType } : jsonText(json);
    }
    case "value":
    case "code":
    case "remote":
      return typeof content.value === "string"
        ? { text: content.value, mediaType: "text/plain" }
        : jsonText(content.value);
  }
}

/** Converts content to JSON: rows become objects by column. */
export function toJson(content: SourceContent): Json {
  switch (content.from) {
    case "page":
      return content.page;
    case "data":
      return records(content.table);
    case "response":
      if (content.response.json !== undefined) return content.response.json;
      return fail("The answer is not JSON. Use the type text.");
    case "value":
    case "code":
    case "remote":
      return content.value;
  }
}

/** Converts content to a table with a value for each column in every row. */
export function toTable(content: SourceContent): Table {
  switch (content.from) {
    case "data":
      return content.table;
    case "page": {
      const { tables } = content.page;
      const [first, ...others] = tables;
      if (first && others.length === 0) return { columns: first.columns, rows: first.rows };
      return fail(`The page has ${tables.length} tables. Select one with process_data first.`);
    }
    case "code":
      return tableOfCode(content.value);
    case "value":
      return parseTable(content.value);
    case "response":
    case "remote":
      return fail("Convert the answer to rows with process_data first.");
  }
}

/** Returns each row as an object under the names of the columns. */
export function records({ columns, rows }: Table): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  );
}

/** Converts one column to lines and several to a Markdown table. */
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

/** Parses a table with a value for each column in every row. */
function parseTable(value: Json): Table {
  const parsed = table.safeParse(value);
  if (!parsed.success) return fail("A table must be {columns: [names], rows: [[values]]}.");
  const { columns, rows } = parsed.data;
  const uneven = rows.findIndex((row) => row.length !== columns.length);
  if (uneven === -1) return parsed.data;
  return fail(
    `Row ${uneven + 1} has ${rows[uneven]?.length} values for ${columns.length} columns.`,
  );
}

/** Converts the value of `run_code` to a table: {columns, rows}, or a list of rows. */
function tableOfCode(value: Json): Table {
  if (!Array.isArray(value)) {
    if (table.safeParse(value).success) return parseTable(value);
    return fail(
      "The code must return a list of objects, or {columns, rows}, to be used as a table.",
    );
  }
  if (value.length === 0) {
    fail("The code returned an empty list. Return {columns, rows: []} for an empty table.");
  }
  // Wrapped in a list, so that each element is a row.
  const { table: rows, cut } = rowsOfJson([value]);
  return cut ? fail("The code returned more columns or cells than a table has.") : rows;
}
