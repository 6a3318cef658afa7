import type { ExecutionEvent } from "../contract/events.ts";
import { type ExecutionState, isFinal } from "../contract/execution.ts";
import { startDeadline } from "../lib/async.ts";
import type { ToolCall } from "./tool.ts";

/** Seconds that a tool waits at most: clients give a call up after a minute, some after half of one. */
export const MAX_WAIT_SECONDS = 25;

/** A line on a screen, not the model's whole thoughts. */
const MAX_MESSAGE_LENGTH = 200;

/** Whether nothing more happens by itself: it has ended, or waits for a person. */
export function isSettled({ status }: Pick<ExecutionState, "status">): boolean {
  return isFinal(status) || status === "waiting_for_input";
}

/**
 * Waits until the execution is settled, or the time is over, and tells of what it does meanwhile. It
 * follows the log, which counts as one request however much happens. `version` is the last one seen.
 */
export async function follow(
  { api, signal, progress }: ToolCall,
  executionId: string,
  { version, seconds }: { version: number; seconds: number },
): Promise<void> {
  if (seconds === 0) return;
  const deadline = startDeadline(seconds * 1_000, signal);
  try {
    const stream = api.executions.stream(executionId, { signal: deadline.signal });
    for await (const event of stream) {
      if (event.version <= version) continue;
      if (event.type === "status" && event.data.status === "waiting_for_input") return;
      const message = messageOf(event);
      if (message !== null) await progress(message);
    }
  } catch (error) {
    if (!deadline.expired || signal.aborted) throw error;
  } finally {
    deadline.clear();
  }
}

/** What an entry of the log says in words; null for one that tells nothing new. */
function messageOf({ type, data }: ExecutionEvent): string | null {
  const text = type === "tool.started" ? data.description : type === "log" ? data.message : null;
  return typeof text === "string" ? text.slice(0, MAX_MESSAGE_LENGTH) : null;
}
