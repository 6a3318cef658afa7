import type { Turn } from "../../../contract/conversation.ts";
import type { ToolAnswer } from "../../../contract/tools/call.ts";
import type { ToolName } from "../../../contract/tools/names.ts";
import { MAX_SHORT_BYTES } from "./budget.ts";
import { byteLength, escapeMarks, truncateToBytes, untrustedData } from "./text.ts";

/** Tools whose answers process_data can read by the call's id. */
const READABLE: ReadonlySet<string> = new Set<ToolName>([
  "browse",
  "search_web",
  "http_request",
  "process_data",
]);

/** The JSON of a tool's answer, without data marks, as far as each prompt needs it. */
export interface SerializedAnswer {
  /** Its length in UTF-8. */
  bytes: number;
  characters: number;
  /** The start of it, as long as an older step may show. */
  start: string;
  /** Serializes all of it again. */
  whole(): string;
}

/**
 * Caches the measures of earlier answers. The prompt of each step contains all of them, together more
 * than the memory may hold, so each is serialized once, and again only to show more than its start.
 */
const known = new WeakMap<Turn, SerializedAnswer>();

/** Returns the JSON of a turn's answer. */
export function serializeAnswer(turn: Turn & { role: "tool" }): SerializedAnswer {
  const found = known.get(turn);
  if (found !== undefined) return found;
  const measured = measure(() => jsonOf(turn.answer));
  known.set(turn, measured);
  return measured;
}

const NOT_RUN: ToolAnswer = {
  ok: false,
  error: { code: "not_run", message: "The call was abandoned before it had an answer." },
};

/** The answer of a call that has none. */
export const MISSING_ANSWER: SerializedAnswer = measure(() => jsonOf(NOT_RUN));

function jsonOf(answer: ToolAnswer): string {
  return escapeMarks(JSON.stringify(answer.ok ? answer.content : { error: answer.error }));
}

function measure(whole: () => string): SerializedAnswer {
  const json = whole();
  const start = truncateToBytes(json, MAX_SHORT_BYTES);
  return { bytes: byteLength(json), characters: json.length, start, whole };
}

/**
 * Renders a tool's answer for a language model: marked as data, with at most `limit` bytes of its JSON.
 * A cut is noted outside of the mark, where the data cannot forge it.
 */
export function renderAnswer(
  answer: { callId: string; tool: string; json: SerializedAnswer },
  limit: number,
  canProcess: boolean,
): string {
  const { callId, tool, json } = answer;
  const attributes = { source: tool, call_id: callId };
  const least = Math.min(json.bytes, limit);
  const shown = truncateToBytes(least <= MAX_SHORT_BYTES ? json.start : json.whole(), least);
  if (json.bytes <= limit) return untrustedData(attributes, shown);
  const note = `Cut: only the first ${shown.length} of ${json.characters} characters are shown.`;
  const way = `process_data reads the whole, with {"callId": ${JSON.stringify(callId)}} as a source.`;
  const hint = canProcess && READABLE.has(tool) ? `${note} ${way}` : note;
  return `${untrustedData(attributes, shown)}\n${hint}`;
}
