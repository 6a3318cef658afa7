import type { ToolCall } from "../../../contract/conversation.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { toText } from "../../tools/source-content.ts";
import { cutAt } from "../../tools/text.ts";
import type { Calls } from "./calls.ts";
import type { ActionOf } from "./program.ts";
import { dataOf, type Result } from "./result.ts";

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
