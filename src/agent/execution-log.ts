import { isFinal } from "../contract/execution.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { logInfo, type StepLine } from "../lib/log.ts";
import type { MachineState } from "./machine/state.ts";
import type { Fact } from "./machine/transition.ts";

/** One stored change of an execution. */
export interface ExecutionChange {
  before: MachineState;
  after: MachineState;
  facts: readonly Fact[];
  /** Epoch milliseconds. */
  now: number;
}

/** Writes the log lines of one execution: one per step, and one at its end. */
export class ExecutionLog {
  readonly #seed: ExecutionSeed;
  /** Figures at the start of the current step; null if an earlier process started it. */
  #stepStart: { activeMs: number; credits: number } | null = null;

  constructor(seed: ExecutionSeed) {
    this.#seed = seed;
  }

  record(change: ExecutionChange): void {
    const { after, facts, now } = change;
    const outcome = outcomeOf(change);
    if (outcome !== null) this.#logStep(change, outcome);
    if (has(facts, "step.started")) {
      this.#stepStart = { activeMs: activeMs(after, now), credits: after.creditsUsed };
    }
    if (isFinal(after.status)) this.#logEnd(after, now);
  }

  #logStep({ before, after, now }: ExecutionChange, outcome: StepLine["outcome"]): void {
    const { executionId, accountId, model } = this.#seed;
    const start = this.#stepStart;
    logInfo("step", {
      executionId,
      accountId,
      step: outcome === "finished" ? after.stepsCompleted : before.stepsStarted,
      model,
      toolCalls: callsOf(before),
      credits: start === null ? undefined : after.creditsUsed - start.credits,
      durationMs: start === null ? undefined : activeMs(after, now) - start.activeMs,
      outcome,
    });
    if (outcome !== "retrying") this.#stepStart = null;
  }

  #logEnd(state: MachineState, now: number): void {
    const { executionId, accountId, origin, workflowId, model } = this.#seed;
    const { toolCalls, inputTokens, outputTokens } = state.usage;
    logInfo("execution", {
      executionId,
      accountId,
      origin,
      workflowId,
      model,
      status: state.status,
      statusDetail: state.statusDetail,
      steps: state.stepsCompleted,
      toolCalls,
      credits: state.creditsUsed,
      inputTokens,
      outputTokens,
      durationMs: now - state.createdAt,
      activeMs: activeMs(state, now),
    });
  }
}

/** Returns the outcome of the current step, or null while it continues. */
function outcomeOf({ before, after, facts }: ExecutionChange): StepLine["outcome"] | null {
  if (has(facts, "step.finished")) return "finished";
  if (after.status === "active" && after.failures > before.failures) return "retrying";
  const isUnderWay = before.stepsStarted > before.stepsCompleted;
  return isUnderWay && isFinal(after.status) ? "given_up" : null;
}

function has(facts: readonly Fact[], type: string): boolean {
  return facts.some((fact) => fact.kind === "event" && fact.type === type);
}

function callsOf({ phase }: MachineState): number {
  return "calls" in phase ? phase.calls.filter(({ kind }) => kind !== "control").length : 0;
}

/** Returns the active time until `now`, without the time spent waiting for input. */
function activeMs(state: MachineState, now: number): number {
  return state.activeMs + (state.activeSince === null ? 0 : now - state.activeSince);
}
