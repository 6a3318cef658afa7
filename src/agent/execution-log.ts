import { isFinal } from "../contract/execution.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { logInfo, type StepLine } from "../lib/log.ts";
import type { MachineState } from "./machine/state.ts";
import type { Fact } from "./machine/transition.ts";

/** One change of an execution that was stored. */
export interface ExecutionChange {
  before: MachineState;
  after: MachineState;
  facts: readonly Fact[];
  /** Epoch milliseconds. */
  now: number;
}

/** Writes the operators' lines of one execution: one for each step, and one for its end. */
export class ExecutionLog {
  readonly #seed: ExecutionSeed;
  /** How things stood when the step under way began; null when that was in an earlier process. */
  #begun: { activeMs: number; credits: number } | null = null;

  constructor(seed: ExecutionSeed) {
    this.#seed = seed;
  }

  record(change: ExecutionChange): void {
    const { after, facts, now } = change;
    const outcome = outcomeOf(change);
    if (outcome !== null) this.#tellStep(change, outcome);
    if (has(facts, "step.started")) {
      this.#begun = { activeMs: activeMs(after, now), credits: after.creditsUsed };
    }
    if (isFinal(after.status)) this.#tellEnd(after, now);
  }

  #tellStep({ before, after, now }: ExecutionChange, outcome: StepLine["outcome"]): void {
    const { executionId, accountId, model } = this.#seed;
    const begun = this.#begun;
    logInfo("step", {
      executionId,
      accountId,
      step: outcome === "finished" ? after.stepsCompleted : before.stepsStarted,
      model,
      toolCalls: callsOf(before),
      credits: begun === null ? undefined : after.creditsUsed - begun.credits,
      durationMs: begun === null ? undefined : activeMs(after, now) - begun.activeMs,
      outcome,
    });
    if (outcome !== "retrying") this.#begun = null;
  }

  #tellEnd(state: MachineState, now: number): void {
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

/** What became of the step under way, or null when it goes on. */
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

/** Until now, without the time for which it waited for a person. */
function activeMs(state: MachineState, now: number): number {
  return state.activeMs + (state.activeSince === null ? 0 : now - state.activeSince);
}
