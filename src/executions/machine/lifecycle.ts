import type { ExecutionSeed } from "../../contract/session.ts";
import { answerWait } from "./inbox.ts";
import { deadlineOf, type MachineState } from "./state.ts";
import type { Transition } from "./transition.ts";

/** Records the start: the log opens with the status, the conversation with the prompt. */
export function startExecution(t: Transition, seed: ExecutionSeed): void {
  t.event("status", { status: "active", statusDetail: "queued" });
  t.turn({ role: "user", text: seed.prompt });
}

/** Ends an execution at the user's request. */
export function stopByUser(t: Transition, reason: string | null): void {
  t.end({
    status: "stopped",
    detail: "user_request",
    summary: reason === null ? "Stopped by request." : `Stopped by request: ${reason}`,
  });
}

/** Ends an execution that a further event of its case replaces. */
export function supersede(t: Transition): void {
  const summary = "A further event of the case replaced this execution.";
  t.end({ status: "stopped", detail: "superseded", summary });
}

/** Returns when the time to answer a question ends, or null if none is open. */
export function inputDeadlineOf(state: MachineState, inputTimeoutSeconds: number): number | null {
  if (state.waitUntil !== null) return state.waitUntil;
  if (state.question === null) return null;
  return Date.parse(state.question.askedAt) + inputTimeoutSeconds * 1_000;
}

/**
 * Ends an execution that is past its time limit or its input timeout, and the wait for an event that is past
 * its own. Returns whether the execution ended.
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
  if (t.state.waitUntil !== null && t.state.phase.kind === "waiting") {
    answerWait(t, t.state.phase.callId, { ok: true, content: { timedOut: true } });
    return false;
  }
  t.end({
    status: "failed",
    detail: "input_timeout",
    summary: `No answer was received within ${seed.inputTimeoutSeconds} seconds.`,
  });
  return true;
}
