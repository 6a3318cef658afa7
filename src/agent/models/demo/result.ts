import type { ToolCall } from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import type { DataSource } from "../../../contract/tools/data.ts";
import { isObject, mapMembers } from "../../../lib/json-values.ts";
import { counted } from "../../../lib/text.ts";
import { schemaViolations } from "../../schema-check.ts";
import { uniqueNames } from "../../tools/process-data/table.ts";
import { readQuantity } from "../../tools/process-data/values.ts";
import { records, type SourceContent, toText } from "../../tools/source-content.ts";
import { cutAt } from "../../tools/text.ts";
import type { Calls } from "./calls.ts";
import type { ActionOf } from "./program.ts";

/** What a command came to. */
export interface Result {
  label: string;
  /** Whether it is one figure or text, not a list. */
  isValue: boolean;
  content: SourceContent;
  /** What `process_data` takes for it. */
  from: DataSource;
  /** The call that gave it, or null for a text of the prompt. */
  callId: string | null;
  notes: string[];
}

/** Rows that a summary shows, if they are short and no more. */
const ROWS_SHOWN = 5;
const CHARACTERS_SHOWN = 400;

/** Returns a result as JSON: rows as objects, one column as a list, a figure as itself. */
export function dataOf({ content, isValue }: Result): Json {
  switch (content.from) {
    case "data": {
      if (content.table.columns.length !== 1) return records(content.table);
      const cells = content.table.rows.flat();
      return isValue ? (cells[0] ?? null) : cells;
    }
    case "page":
      return content.page.text;
    case "response":
      return content.response.json ?? content.response.text ?? null;
    default:
      return content.value;
  }
}

/** Returns all results as JSON, several under their labels; undefined if there is none. */
export function dataOfAll(results: readonly Result[]): Json | undefined {
  const [only, ...others] = results;
  if (only === undefined || others.length === 0) return only && dataOf(only);
  const names = uniqueNames(results.map(({ label }) => label));
  return Object.fromEntries(results.map((result, at) => [names[at] ?? "", dataOf(result)]));
}

/** Says what came out, in a sentence for people. */
export function sentenceOf({ label, content, notes, isValue }: Result): string {
  const text = toText(content).text.slice(0, CHARACTERS_SHOWN);
  if (content.from === "value") return text;
  if (content.from !== "data") return `${label}: ${/^[[{]/.test(text) ? "JSON" : text || "empty"}.`;
  const { rows } = content.table;
  const listed = rows.map((row) => row.map((cell) => String(cell ?? "")).join(", ")).join("; ");
  const count = rows.length === 0 ? "no rows" : counted(rows.length, "row");
  const isShort = rows.length > 0 && rows.length <= ROWS_SHOWN && listed.length <= CHARACTERS_SHOWN;
  const said = isValue ? listed : isShort ? `${count}: ${listed}` : count;
  return [`${label}: ${said}.`, ...notes].join(" ");
}

/**
 * Returns the data in the shape of a schema: as it is, as rows, as the only row, or under the schema's
 * properties in order; with texts as numbers if need be. Undefined if no shape matches.
 */
export function dataInShape(results: readonly Result[], schema: JsonObject): Json | undefined {
  const names = Object.keys(isObject(schema.properties) ? schema.properties : {});
  const rows = results.map((result) => {
    return result.content.from === "data" ? records(result.content.table) : dataOf(result);
  });
  const named = (values: readonly Json[]) =>
    Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
  const [first] = rows;
  const one = Array.isArray(first) && first.length === 1 ? first[0] : undefined;
  const shapes = [dataOfAll(results), first, one, named(results.map(dataOf)), named(rows)];
  return shapes
    .flatMap((shape) => (shape === undefined ? [] : [shape, withNumbers(shape)]))
    .find((shape) => schemaViolations(schema, shape).length === 0);
}

/** Returns a value in which texts that are numbers are numbers. */
function withNumbers(value: Json): Json {
  if (typeof value === "string") return readQuantity(value)?.value ?? value;
  if (Array.isArray(value)) return value.map(withNumbers);
  return isObject(value) ? mapMembers(value, withNumbers) : value;
}

const MAX_MAIL_TEXT = 90_000;

/** Returns the call that writes the answer of an earlier one to a file. */
export function fileCall(
  filename: string,
  format: ActionOf<"save">["format"],
  from: string,
): { tool: string; input: JsonObject } {
  const sources = [from];
  if (format === "xlsx") {
    const name = filename
      .replace(/\.xlsx$/i, "")
      .replace(/[\\/?*[\]:']/g, " ")
      .slice(0, 31);
    const sheets = [{ name: name.trim() || "Rows", from }];
    return { tool: "write_spreadsheet", input: { format, filename, sheets, sources } };
  }
  if (format === "csv")
    return { tool: "write_spreadsheet", input: { format, filename, from, sources } };
  const input = {
    type: "file",
    label: filename,
    filename,
    mediaType: "application/json",
    from,
    sources,
  };
  return { tool: "emit_output", input };
}

/** Returns the input of the e-mail with a result; `attachments` are calls that wrote files. */
export function mailCall(
  to: string[],
  subject: string | null,
  { label, content, callId, notes }: Result,
  attachments: string[],
): JsonObject {
  const text = toText(content).text || `${label}: no rows.`;
  const rest = text.length > MAX_MAIL_TEXT ? ["The text is longer; the rest is left out."] : [];
  return {
    to,
    subject: subject ?? label,
    text: [cutAt(text, MAX_MAIL_TEXT), ...rest, ...notes].join("\n\n"),
    attachments,
    ...(callId !== null && { sources: [callId] }),
  };
}

/**
 * Returns the calls that output the results. A single value without any other output needs none: the
 * service outputs the answer of an execution that has no other.
 */
export function outputCalls(
  results: readonly Result[],
  delivered: ReadonlySet<Result>,
  calls: Calls,
): ToolCall[] {
  const open = results.filter((result) => {
    const isEmpty = result.content.from === "data" && result.content.table.rows.length === 0;
    return !isEmpty && !delivered.has(result);
  });
  const [only, ...others] = open;
  const isBare = others.length === 0 && delivered.size === 0;
  if (isBare && only?.isValue && only.content.from !== "code") return [];
  return open.flatMap((result) => {
    const callId = `out${results.indexOf(result)}`;
    const isMade = calls.answer(callId) !== null;
    return isMade ? [] : [{ callId, tool: "emit_output", input: outputOf(result) }];
  });
}

function outputOf(result: Result): JsonObject {
  const { label, content, callId } = result;
  if (callId !== null && content.from === "code") return { label, type: "json", from: callId };
  if (callId === null || result.isValue) {
    const value = dataOf(result);
    const type = typeof value === "string" ? "text" : "json";
    return { label, type, value, ...(callId !== null && { sources: [callId] }) };
  }
  if (content.from === "data") return { label, type: "table", from: callId };
  const isJson = content.from === "response" && content.response.json !== undefined;
  return { label, type: isJson ? "json" : "text", from: callId };
}
