import type { ToolName } from "../../contract/tools/names.ts";
import { dataPart } from "./data-part.ts";

/** Tools whose answers process_data can read again by the call's id. */
const READABLE: ReadonlySet<string> = new Set<ToolName>(["browse", "http_request", "process_data"]);

/**
 * A tool's answer as a language model sees it: marked as data, with at most `limit` characters of its
 * JSON. What was cut is told outside of the mark, where the data cannot forge it.
 */
export function answerText(
  answer: { callId: string; tool: string; json: string },
  limit: number,
  canProcess: boolean,
): string {
  const { callId, tool, json } = answer;
  const attributes = { source: tool, call_id: callId };
  if (json.length <= limit) return dataPart(attributes, json);
  const shown = head(json, limit);
  const note = `Cut: these are the first ${shown.length} of ${json.length} characters.`;
  const way = `process_data reads the whole, with {"callId": ${JSON.stringify(callId)}} as a source.`;
  const hint = canProcess && READABLE.has(tool) ? `${note} ${way}` : note;
  return `${dataPart(attributes, shown)}\n${hint}`;
}

/** The first characters, without half of a surrogate pair at the end. */
function head(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
