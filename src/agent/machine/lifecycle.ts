import type { ExecutionSeed } from "../../contract/session.ts";
import { deadlineOf, type MachineState } from "./state.ts";
import type { Transition } from "./transition.ts";

/** Records the beginning: the log opens with the status, the conversation with the prompt. */
export function startExecution(t: Transition, seed: ExecutionSeed): void {
  t.event("status", { status: "active", statusDetail: "queued" });
  t.turn({ role: "user", text: seed.prompt });
}

/** Ends an execution because the user said so. */
export function stopByUser(t: Transition, reason: string | null): void {
  t.end({
    status: "stopped",
    detail: "user_request",
    summary: reason === null ? "Stopped by request." : `Stopped by request: ${reason}`,
  });
}

/** When the user's time to answer is over, or null when nothing is asked. */
export function inputDeadlineOf(state: MachineState, inputTimeoutSeconds: number): number | null {
  if (state.question === null) return null;
  return Date.parse(state.question.askedAt) + inputTimeoutSeconds * 1_000;
}

/**
 * Ends an execution whose time is over: the time for activity, or the user's time to answer.
 * Returns whether it ended.
 */
export function expire(t: Transition, seed: ExecutionSeed): boolean {
  const active = deadlineOf(t.state, seed.timeoutSeconds);
  if (active !== null && active <= t.now) {
    t.end({
      status: "failed",
      detail: "timed_out",
      summary: `The time limit of ${seed.timeoutSeconds} seconds was reached.`,
    });
    return true;
  }
  const input = inputDeadlineOf(t.state, seed.inputTimeoutSeconds);
  if (input === null || input > t.now) return false;
  t.end({
    status: "failed",
    detail: "input_timeout",
    summary: `No answer came within ${seed.inputTimeoutSeconds} seconds.`,
  });
  return true;
}
