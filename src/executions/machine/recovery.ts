import { cutAt } from "../../agent/tools/text.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { failedAnswer } from "../../contract/tools/call.ts";
import { backoffMs } from "../../lib/async.ts";
import { adoptQuestion } from "./decisions.ts";
import { MAX_STARTS } from "./state.ts";
import type { Transition } from "./transition.ts";

/** Attempts of a step that failed because of an internal error. */
const MAX_INTERNAL_ATTEMPTS = 3;

/**
 * Applies an internal error: it costs nothing and ends the execution only if it repeats. Concurrent
 * reads are abandoned, so that none of their results reaches the next attempt.
 */
export function stepFailed(t: Transition): void {
  t.state.failures += 1;
  t.state.asked = 0;
  if (t.state.failures >= MAX_INTERNAL_ATTEMPTS) {
    t.fail("internal_error", "The execution failed because of an internal error.");
    return;
  }
  t.state.generation += 1;
  t.facts.push({ kind: "abort" });
  resetStarted(t);
  retryLater(t, backoffMs(t.state.failures), "An internal error occurred. Retrying.");
}

/** Tries a step again after a pause. */
export function retryLater(t: Transition, delayMs: number, message: string): void {
  t.state.retryAt = t.now + Math.round(delayMs);
  t.state.message = cutAt(message, 500);
  t.event("log", { message, retryAt: new Date(t.state.retryAt).toISOString() });
  t.activate("retrying");
}

/** Returns the pause in milliseconds before a step that was lost `losses` times starts again. */
export type PauseAfterLoss = (losses: number) => number;

/**
 * Recovers an execution whose process was lost. Running reads run again, a limited number of times; a
 * running effect is reported as uncertain and never repeated. What was lost more than once pauses
 * first: if it kills the process, it does so without those that were only lost with it.
 */
export function recover(t: Transition, seed: ExecutionSeed, pauseAfterLoss: PauseAfterLoss): void {
  const { state } = t;
  adoptQuestion(t, seed);
  if (state.phase.kind === "model") pauseAgain(t, state.asked, pauseAfterLoss);
  if (state.phase.kind !== "tools") return;
  const lost = state.phase.calls.filter((call) => call.state === "started");
  if (lost.length === 0) return;
  state.generation += 1;
  t.event("log", {
    message: "Resumed after an interruption of the service.",
    executionId: seed.executionId,
  });
  for (const call of lost) {
    call.losses = (call.losses ?? 0) + 1;
    if (call.kind !== "effect" && call.losses >= MAX_STARTS) t.answer(call, LOST_TOO_OFTEN);
  }
  resetStarted(t);
  pauseAgain(t, Math.max(...lost.map(({ losses = 0 }) => losses)), pauseAfterLoss);
}

function pauseAgain(t: Transition, losses: number, pauseAfterLoss: PauseAfterLoss): void {
  // One that pauses already was not running when the process was lost.
  if (losses < 2 || t.state.status !== "active" || t.state.retryAt !== null) return;
  const message = "The service was interrupted during this step again. Retrying later.";
  retryLater(t, pauseAfterLoss(losses), message);
}

const LOST_TOO_OFTEN = failedAnswer(
  "interrupted",
  `The service was interrupted ${MAX_STARTS} times during this call, possibly because of it, so it does not run again. Request less at once.`,
);

function resetStarted(t: Transition): void {
  if (t.state.phase.kind !== "tools") return;
  for (const call of t.state.phase.calls) {
    if (call.state !== "started") continue;
    if (call.kind !== "effect") {
      call.state = "pending";
      continue;
    }
    const message =
      "The service was interrupted during this call. It may have taken effect, so it does not run again.";
    t.answer(call, failedAnswer("uncertain", message));
  }
}
