import type { ToolCall, Turn } from "../../contract/conversation.ts";
import type { Json } from "../../contract/json.ts";
import type { ToolAnswer } from "../../contract/tools/call.ts";
import { httpResponseContent } from "../../contract/tools/web.ts";
import { canonicalJson } from "../../lib/json-values.ts";
import type { PendingCall } from "./state.ts";

/** Failures in a row of the same call from which on its answer has a warning, and with which the execution ends. */
const WARNED_FROM = 3;
const MOST = 5;

const httpError = httpResponseContent.pick({ status: true });

/** Returns what an answer says of a call. A server may have done it before an error of its own (5xx). */
export function outcomeOf(tool: string, answer: ToolAnswer): "confirmed" | "failed" | "uncertain" {
  if (!answer.ok) return answer.error.code === "uncertain" ? "uncertain" : "failed";
  if (tool !== "http_request") return "confirmed";
  const { status = 0 } = httpError.safeParse(answer.content).data ?? {};
  if (status >= 500) return "uncertain";
  // These redirects ask to send the call again, elsewhere.
  return status >= 400 || [301, 307, 308].includes(status) ? "failed" : "confirmed";
}

/**
 * Counts the latest steps in a row that made a call of the same tool and input, and in which it failed. A
 * message of the user begins a new row: the user may ask for another try.
 */
export function failuresInRow(
  turns: readonly Turn[],
  { tool, input }: Pick<ToolCall, "tool" | "input">,
  withDefaults: (tool: string, input: Json) => Json,
): number {
  const keyOf = (given: Json) => canonicalJson(withDefaults(tool, given));
  const wanted = keyOf(input);
  const answers = new Map<string, Turn & { role: "tool" }>();
  let count = 0;
  for (const turn of turns.toReversed()) {
    if (turn.role === "user" || count === MOST) break;
    if (turn.role === "tool") {
      answers.set(turn.callId, turn);
      continue;
    }
    // A discarded reply is no step.
    if (turn.calls.length === 0) continue;
    const same = turn.calls.filter((call) => call.tool === tool && keyOf(call.input) === wanted);
    const failed = same.every(({ callId }) => {
      const answered = answers.get(callId);
      return answered !== undefined && outcomeOf(tool, answered.answer) !== "confirmed";
    });
    if (same.length === 0 || !failed) break;
    count += 1;
  }
  return count;
}

/** Returns what a model reads behind the answer of a call that keeps failing, or null. */
export function repeatWarning({ failedInRow = 0 }: PendingCall): string | null {
  if (failedInRow < WARNED_FROM || failedInRow >= MOST) return null;
  return `This call failed ${failedInRow} times in a row with the same input. Change the input, use another tool, or finish with what you have: the execution ends when the same call fails ${MOST} times in a row.`;
}

/** Returns the call that failed too often in a row, or null. */
export function repeatedCall(calls: readonly PendingCall[]): PendingCall | null {
  return calls.find(({ failedInRow = 0 }) => failedInRow >= MOST) ?? null;
}
