import { cutWarning } from "../../agent/tools/cuts.ts";
import { cutAt } from "../../agent/tools/text.ts";
import type { NewOutput } from "../../agent/tools/tool.ts";
import type { ModelTry, Turn } from "../../contract/conversation.ts";
import type { EventType } from "../../contract/events.ts";
import {
  type Effect,
  type ExecutionStatus,
  type FinalStatus,
  isFinal,
  type StatusDetail,
} from "../../contract/execution.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import { addUsd } from "../../contract/models.ts";
import type { ToolAnswer } from "../../contract/tools/call.ts";
import { redactByName } from "../../lib/redaction.ts";
import { closeDecision } from "./decisions.ts";
import { outcomeOf, repeatWarning } from "./repeats.ts";
import { activeMsAt, editableCopy, type MachineState, type PendingCall } from "./state.ts";

/** A record stored in the same transaction as the new state, in order. */
export type Fact =
  | { kind: "event"; type: EventType; data: JsonObject }
  | { kind: "turn"; turn: Turn }
  | ({ kind: "try" } & ModelTry)
  /**
   * The answer's evidence: its event, its address, the calls that it is based on, and where it was cut
   * itself: null if it read a source whole.
   */
  | {
      kind: "evidence";
      callId: string;
      url: string | null;
      basedOn: string[];
      cut?: string | null;
    }
  | { kind: "output"; callId: string; basedOn: string[]; output: NewOutput }
  /** What the ledger keeps of an effect. */
  | (Omit<Effect, "effectId" | "idempotencyKey" | "at" | "state"> & {
      kind: "effect";
      callId: string;
      state: EffectState;
    })
  /** A callback is due for the status just reached. */
  | { kind: "announce"; status: ExecutionStatus }
  /** The current step must be aborted. */
  | { kind: "abort" };

export type EffectState = "uncertain" | "confirmed" | "failed";

/** How an execution ends. */
export interface Ending {
  status: FinalStatus;
  detail: StatusDetail;
  summary: string;
  data?: Json;
  /** Whether a part of the summary or the data is missing. */
  truncated?: boolean;
}

/**
 * Builds one change of an execution: the new state and its facts. It is pure: the caller stores both in
 * one transaction, or neither.
 */
export class Transition {
  readonly state: MachineState;
  readonly facts: Fact[] = [];
  readonly now: number;

  constructor(before: MachineState, now: number) {
    this.state = editableCopy(before);
    this.now = now;
  }

  #touched = false;

  /** Whether there is a change to store. */
  get changed(): boolean {
    return this.#touched || this.facts.length > 0;
  }

  /** Marks the state as changed without a fact. */
  touch(): void {
    this.#touched = true;
  }

  event(type: EventType, data: JsonObject): void {
    this.facts.push({ kind: "event", type, data });
  }

  turn(turn: Turn): void {
    this.facts.push({ kind: "turn", turn });
  }

  /** Sets an active status and its detail, and logs it if it is a change. */
  activate(detail: StatusDetail): void {
    const { state } = this;
    if (state.status === "active" && state.statusDetail === detail) return;
    if (state.activeSince === null) state.activeSince = this.now;
    state.status = "active";
    state.statusDetail = detail;
    state.question = null;
    this.event("status", { status: "active", statusDetail: detail });
  }

  /**
   * Answers a call of the current step, which costs these credits, in the log, the conversation and the
   * state. `cuts` are where the sources of the answer were cut.
   */
  answer(call: PendingCall, answer: ToolAnswer, credits = 0, cuts: readonly string[] = []): void {
    call.state = "answered";
    call.ok = outcomeOf(call.tool, answer) === "confirmed";
    const isRepeatable = call.kind !== "control" && !call.ok;
    call.failedInRow = isRepeatable ? (call.failedInRow ?? 0) + 1 : 0;
    const note = repeatWarning(call);
    this.event("tool.finished", {
      callId: call.callId,
      tool: call.tool,
      ok: answer.ok,
      ...(answer.ok ? shown("result", answer.content) : { error: answer.error }),
      durationMs: call.startedAt === undefined ? 0 : Math.max(0, this.now - call.startedAt),
      credits,
      ...(cuts.length > 0 && { cuts: [...cuts] }),
    });
    const { callId, tool } = call;
    const notes = [note, cutWarning(cuts), ...approvalNotes(call)].filter((line) => line !== null);
    this.turn({
      role: "tool",
      callId,
      tool,
      answer,
      ...(notes.length > 0 && { note: notes.join(" ") }),
    });
    if (note !== null) this.event("log", { message: `The model was warned: ${note}`, callId });
  }

  /** Closes the current step; the model is next. */
  finishStep(): void {
    const { state } = this;
    state.phase = { kind: "model" };
    state.stepsCompleted += 1;
    state.failures = 0;
    state.retryAt = null;
    const start = state.stepStart;
    this.event("step.finished", {
      step: state.stepsCompleted,
      creditsConsumed: state.creditsUsed,
      ...(state.model !== null && { model: state.model }),
      ...(start === null
        ? {}
        : {
            durationMs: activeMsAt(state, this.now) - start.activeMs,
            credits: state.creditsUsed - start.credits,
            usage: usageSince(start.usage, state.usage),
          }),
    });
    state.stepStart = null;
  }

  /** Waits for the user and pauses the execution's clock. */
  wait(detail: "question" | "approval" | "event", message: string): void {
    const { state } = this;
    this.#pauseClock();
    state.status = "waiting_for_input";
    state.statusDetail = detail;
    state.message = message;
    this.event("status", { status: "waiting_for_input", statusDetail: detail });
    this.facts.push({ kind: "announce", status: "waiting_for_input" });
  }

  /** Ends the execution. Queued messages are marked dropped; the final status is the last log entry. */
  end(ending: Ending): void {
    const { state } = this;
    if (isFinal(state.status)) throw new Error("The execution has already ended.");
    for (const { messageId } of state.inbox) this.event("message.dropped", { messageId });
    closeDecision(this, { state: "withdrawn" });
    this.#pauseClock();
    state.inbox = [];
    state.generation += 1;
    state.phase = { kind: "ended" };
    state.status = ending.status;
    state.statusDetail = ending.detail;
    state.question = null;
    state.waitUntil = null;
    state.summary = ending.summary;
    if (ending.data !== undefined) state.data = ending.data;
    state.truncated = ending.truncated ?? false;
    state.message = cutAt(ending.summary, 500);
    state.retryAt = null;
    state.finishedAt = this.now;
    const failed = ending.status === "failed";
    if (failed) state.error = { code: ending.detail, message: ending.summary };
    this.event("status", {
      status: ending.status,
      statusDetail: ending.detail,
      ...(failed ? { error: { code: ending.detail, message: ending.summary } } : {}),
    });
    this.facts.push({ kind: "announce", status: ending.status }, { kind: "abort" });
  }

  /** Ends the execution as failed. */
  fail(detail: StatusDetail, summary: string): void {
    this.end({ status: "failed", detail, summary });
  }

  /** Returns the state to store, with its version raised if anything changed. */
  close(): MachineState {
    if (!this.changed) return this.state;
    this.state.version += 1;
    this.state.updatedAt = this.now;
    return this.state;
  }

  #pauseClock(): void {
    const { state } = this;
    if (state.activeSince !== null) state.activeMs += Math.max(0, this.now - state.activeSince);
    state.activeSince = null;
  }
}

/** The characters of a changed input that the model reads. */
const CHANGED_LENGTH = 8_000;

/** Returns what the model is told about the person who approved a call. */
function approvalNotes({ approved }: PendingCall): string[] {
  const { input, comment } = approved ?? {};
  return [
    ...(input === undefined
      ? []
      : [
          `The user changed the input before approving the call. It ran with: ${cutAt(JSON.stringify(input), CHANGED_LENGTH)}`,
        ]),
    ...(comment === undefined ? [] : [`The user approved the call and says: ${comment}`]),
  ];
}

function usageSince(before: MachineState["usage"], after: MachineState["usage"]) {
  const { costUsd } = after;
  return {
    inputTokens: after.inputTokens - before.inputTokens,
    outputTokens: after.outputTokens - before.outputTokens,
    cachedTokens: after.cachedTokens - before.cachedTokens,
    modelSteps: after.modelSteps - before.modelSteps,
    toolCalls: after.toolCalls - before.toolCalls,
    ...(costUsd !== undefined && { costUsd: addUsd(costUsd, -(before.costUsd ?? 0)) }),
  };
}

/** The most bytes of a value in the log, as JSON. */
const SHOWN_BYTES = 16_384;

/**
 * Returns a field of the log with a value that a tool was given or returned, or an event told. Secrets are redacted by
 * their names; a long value is cut between characters, as the beginning of its JSON.
 */
export function shown(name: "input" | "result" | "event", value: Json): JsonObject {
  const redacted = redactByName(value);
  const text = JSON.stringify(redacted);
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= SHOWN_BYTES) return { [name]: redacted };
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(SHOWN_BYTES));
  if (read === text.length) return { [name]: redacted };
  return { [name]: text.slice(0, read), truncated: true };
}
