import type { ToolCall } from "../../contract/conversation.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import type { ToolAnswer } from "../../contract/tools/call.ts";
import { counted } from "../../lib/text.ts";
import { closeDecision, decideStart, deny, remind, reminderAt, START } from "./decisions.ts";
import { answerWait } from "./inbox.ts";
import { deadlineOf, type MachineState } from "./state.ts";
import type { Transition } from "./transition.ts";

/** Records the start: the log opens with the status, the conversation with the prompt. */
export function startExecution(t: Transition, seed: ExecutionSeed): void {
  t.event("status", { status: "active", statusDetail: "queued" });
  t.turn({ role: "user", text: seed.prompt });
}

/** What a fork begins with, besides what it took over. */
export interface Continuation {
  /** The calls of the last reply that have no answer, with the one that they get. */
  unanswered: readonly { call: Pick<ToolCall, "callId" | "tool">; answer: ToolAnswer }[];
}

/** Records the start of a fork, whose conversation has a beginning already. */
export function continueExecution(
  t: Transition,
  { executionId, afterStep, takes, message }: NonNullable<ExecutionSeed["fork"]>,
  { unanswered }: Continuation,
): void {
  const { state } = t;
  for (const { call, answer } of unanswered) {
    const { callId, tool } = call;
    t.turn({ role: "tool", callId, tool, answer });
    const { ok } = answer;
    const shown = { ...(!answer.ok && { error: answer.error }), durationMs: 0, credits: 0 };
    if (takes === "partial") t.event("tool.finished", { callId, tool, ok, ...shown });
  }
  if (takes === "partial") t.finishStep();
  t.event("status", { status: "active", statusDetail: "queued" });
  t.event("log", { message: `Continues ${executionId} after step ${afterStep}.` });
  if (message === null) return;
  const messageId = "msg_fork";
  state.inbox.push({ messageId, text: message });
  t.event("message.queued", { messageId, mode: "next_step", text: message });
}

/** Ends an execution at the user's request. */
export function stopByUser(t: Transition, reason: string | null): void {
  const summary = reason === null ? "Stopped by request." : `Stopped by request: ${reason}`;
  t.end({ status: "stopped", detail: "user_request", summary });
}

/** Ends an execution that a further event of its case replaces. */
export function supersede(t: Transition): void {
  const summary = "A further event of the case replaced this execution.";
  t.end({ status: "stopped", detail: "superseded", summary });
}

/** Denies the call that waits, since nobody decided in time. Returns whether there was one. */
function denyWaiting(t: Transition): boolean {
  const { phase } = t.state;
  if (phase.kind !== "waiting") return false;
  const call = phase.calls.find((each) => each.callId === phase.callId);
  if (call === undefined) return false;
  t.state.phase = { kind: "tools", calls: phase.calls };
  deny(t, call, null);
  t.activate("running");
  return true;
}

/** Returns when a waiting execution is looked at next: for a reminder, or at its end; null for never. */
export function nextLookAt(state: MachineState, seed: ExecutionSeed): number | null {
  const times = [inputDeadlineOf(state, seed.inputTimeoutSeconds), reminderAt(state, seed)];
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Returns when the time to answer a question ends, or null if none is open. */
function inputDeadlineOf(state: MachineState, inputTimeoutSeconds: number): number | null {
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
    t.fail("timed_out", `The time limit of ${counted(seed.timeoutSeconds, "second")} was reached.`);
    return true;
  }
  const input = inputDeadlineOf(t.state, seed.inputTimeoutSeconds);
  remind(t, seed);
  if (input === null || input > t.now) return false;
  if (t.state.waitUntil !== null && t.state.phase.kind === "waiting") {
    answerWait(t, t.state.phase.callId, { ok: true, content: { timedOut: true } });
    return false;
  }
  closeDecision(t, { state: "expired" });
  const { phase } = t.state;
  if (seed.decisions.onTimeout === "deny" && phase.kind === "waiting") {
    if (phase.callId === START) {
      decideStart(t, false, { by: null });
      return true;
    }
    if (denyWaiting(t)) return false;
  }
  const waited = counted(seed.inputTimeoutSeconds, "second");
  t.fail("input_timeout", `No answer was received within ${waited}.`);
  return true;
}
