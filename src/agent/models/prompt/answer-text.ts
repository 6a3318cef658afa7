import type { ToolName } from "../../../contract/tools/names.ts";
import { dataPart } from "./data-part.ts";
import { byteLength, head } from "./shorten.ts";

/** Tools whose answers process_data can read again by the call's id. */
const READABLE: ReadonlySet<string> = new Set<ToolName>(["browse", "http_request", "process_data"]);

/**
 * A tool's answer as a language model sees it: marked as data, with at most `limit` bytes of its
 * JSON. What was cut is told outside of the mark, where the data cannot forge it.
 */
export function answerText(
  answer: { callId: string; tool: string; json: string },
  limit: number,
  canProcess: boolean,
): string {
  const { callId, tool, json } = answer;
  const attributes = { source: tool, call_id: callId };
  if (json.length <= limit && byteLength(json) <= limit) return dataPart(attributes, json);
  const shown = head(json, limit);
  const note = `Cut: these are the first ${shown.length} of ${json.length} characters.`;
  const way = `process_data reads the whole, with {"callId": ${JSON.stringify(callId)}} as a source.`;
  const hint = canProcess && READABLE.has(tool) ? `${note} ${way}` : note;
  return `${dataPart(attributes, shown)}\n${hint}`;
}
