import { isFinal } from "../contract/execution.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { logInfo } from "../lib/log.ts";
import { activeMsAt, type MachineState } from "./machine/state.ts";
import type { Fact } from "./machine/transition.ts";

/** One stored change of an execution. */
export interface ExecutionChange {
  before: MachineState;
  after: MachineState;
  facts: readonly Fact[];
  /** Epoch milliseconds. */
  now: number;
}

/** `retrying`: an attempt failed and is repeated. `given_up`: the execution ended during the step. */
type StepOutcome = "finished" | "retrying" | "given_up";

/** Logs a change of an execution that ends a step, and one that ends the execution. */
export function logChange(seed: ExecutionSeed, change: ExecutionChange): void {
  const outcome = outcomeOf(change);
  if (outcome !== null) logStep(seed, change, outcome);
  if (isFinal(change.after.status)) logEnd(seed, change.after, change.now);
}

function logStep(
  { executionId, accountId, model }: ExecutionSeed,
  { before, after, now }: ExecutionChange,
  outcome: StepOutcome,
): void {
  const start = before.stepStart;
  logInfo("step", {
    executionId,
    accountId,
    step: outcome === "finished" ? after.stepsCompleted : before.stepsStarted,
    model: after.model ?? model,
    toolCalls: callsOf(before),
    // Unknown if the service was interrupted during the step.
    credits: start === null ? undefined : after.creditsUsed - start.credits,
    durationMs: start === null ? undefined : activeMsAt(after, now) - start.activeMs,
    outcome,
  });
}

function logEnd(
  { executionId, accountId, origin, workflowId, model }: ExecutionSeed,
  state: MachineState,
  now: number,
): void {
  const { toolCalls, inputTokens, outputTokens } = state.usage;
  logInfo("execution", {
    executionId,
    accountId,
    origin,
    workflowId,
    model: state.model ?? model,
    status: state.status,
    statusDetail: state.statusDetail,
    steps: state.stepsCompleted,
    toolCalls,
    credits: state.creditsUsed,
    inputTokens,
    outputTokens,
    durationMs: now - state.createdAt,
    activeMs: activeMsAt(state, now),
  });
}

/** Returns the outcome of the current step, or null while it continues. */
function outcomeOf({ before, after, facts }: ExecutionChange): StepOutcome | null {
  const isEnd = (fact: Fact) => fact.kind === "event" && fact.type === "step.finished";
  if (facts.some(isEnd)) return "finished";
  if (after.status === "active" && after.failures > before.failures) return "retrying";
  const isUnderWay = before.stepsStarted > before.stepsCompleted;
  return isUnderWay && isFinal(after.status) ? "given_up" : null;
}

function callsOf({ phase }: MachineState): number {
  return "calls" in phase ? phase.calls.filter(({ kind }) => kind !== "control").length : 0;
}
