import type { StepStart } from "../../contract/conversation.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { MIN_MODEL_STEP_PRICE } from "../../contract/tools/names.ts";
import { redactByName } from "../../lib/redaction.ts";
import { counted } from "../../lib/text.ts";
import { openDecision, START } from "./decisions.ts";
import { applyInbox } from "./inbox.ts";
import { expire } from "./lifecycle.ts";
import { repeatedCall } from "./repeats.ts";
import { activeMsAt, deadlineOf, MAX_STARTS, type PendingCall } from "./state.ts";
import { shown, type Transition } from "./transition.ts";

/** The most reads that run concurrently. */
const PARALLEL_READS = 6;

/** The next action of the loop. */
export type NextAction =
  | { do: "ask_model"; generation: number; model: string; start: StepStart }
  | { do: "run_calls"; generation: number; calls: PendingCall[] }
  | { do: "rest" };

/** Returns the input of a call, from the reply that made it. */
export type InputOf = (callId: string) => Json;

const REST: NextAction = { do: "rest" };

/**
 * Decides the next action and records its start. Limits are checked here, before any cost arises, so
 * that nothing starts that cannot be paid or finished.
 */
export function decideNext(t: Transition, seed: ExecutionSeed, inputOf: InputOf): NextAction {
  const { state } = t;
  if (state.status !== "active") return REST;
  if (state.retryAt !== null && state.retryAt > t.now) return REST;
  if (expire(t, seed)) return REST;
  state.retryAt = null;
  if (state.phase.kind === "tools") {
    const calls = nextCalls(t, state.phase.calls, { seed, inputOf });
    if (calls !== "step_done") return calls;
    const repeated = repeatedCall(state.phase.calls);
    t.finishStep();
    if (repeated !== null) {
      t.fail(
        "model_error",
        `The model repeats the same call: ${repeated.tool} failed ${repeated.failedInRow} times in a row with the same input.`,
      );
      return REST;
    }
  }
  return askModel(t, seed);
}

/** Decides the first action of an execution, which has made no calls. */
export function decideFirst(t: Transition, seed: ExecutionSeed): NextAction {
  return decideNext(t, seed, () => {
    throw new Error("There are no calls before the first reply.");
  });
}

function askModel(t: Transition, seed: ExecutionSeed): NextAction {
  const { state } = t;
  if (state.stepsCompleted >= seed.maxSteps) {
    t.fail(
      "step_limit",
      `The limit of ${counted(seed.maxSteps, "step")} was reached before the task was done.`,
    );
    return REST;
  }
  if (seed.limitReached !== undefined) {
    t.fail("limit_reached", seed.limitReached);
    return REST;
  }
  if (seed.limitToApprove !== undefined && !state.startApproved) {
    const text = `${seed.limitToApprove} Start this execution anyway?`;
    askApproval(t, seed, { callId: START, tool: START, input: null, about: text, text }, []);
    return REST;
  }
  if (!affordable(t, MIN_MODEL_STEP_PRICE, seed) || !withinCost(t, seed)) return REST;
  if (state.asked >= MAX_STARTS) {
    t.fail(
      "internal_error",
      `The service was interrupted ${MAX_STARTS} times during the model call of step ${state.stepsCompleted + 1}, possibly because of that step. The execution cannot continue.`,
    );
    return REST;
  }
  state.asked += 1;
  state.model ??= seed.model;
  t.touch();
  applyInbox(t);
  state.startedAt ??= t.now;
  state.message = "Deciding what to do next";
  t.activate(state.stepsCompleted === 0 ? "planning" : "running");
  const step = state.stepsCompleted + 1;
  if (state.stepsStarted < step) {
    state.stepsStarted = step;
    t.event("step.started", { step });
    state.stepStart = {
      activeMs: activeMsAt(state, t.now),
      credits: state.creditsUsed,
      usage: { ...state.usage },
    };
  }
  const { generation, model } = state;
  return { do: "ask_model", generation, model, start: startOf(t, seed) };
}

function startOf({ state, now }: Transition, seed: ExecutionSeed): StepStart {
  const deadline = deadlineOf(state, seed.timeoutSeconds) ?? now;
  return {
    at: now,
    step: state.stepsCompleted + 1,
    stepsLeft: seed.maxSteps - state.stepsCompleted,
    creditsLeft: seed.heldCredits - state.creditsUsed,
    stepPrice: state.stepPrice,
    secondsLeft: Math.max(0, Math.floor((deadline - now) / 1_000)),
  };
}

function nextCalls(
  t: Transition,
  calls: PendingCall[],
  { seed, inputOf }: { seed: ExecutionSeed; inputOf: InputOf },
): NextAction | "step_done" {
  // The next call may depend on the running ones and must not overtake them.
  if (calls.some((call) => call.state === "started")) return REST;
  const open = calls.filter((call) => call.state === "pending");
  const first = open[0];
  if (first === undefined) return "step_done";
  // No approval is requested for a call that cannot be paid.
  if (!affordable(t, first.price, seed)) return REST;
  if (first.needsApproval) {
    const { callId, tool, description: about, input = null, inputSchema } = first;
    const text = `May I run ${tool}? ${about}`;
    askApproval(t, seed, { callId, tool, input, inputSchema, about, text }, calls);
    return REST;
  }
  const batch = first.kind === "read" ? affordableReads(t, open, seed) : [first];
  for (const call of batch) start(t, call, inputOf);
  if (first.kind !== "control") t.activate("running");
  return { do: "run_calls", generation: t.state.generation, calls: batch };
}

function affordableReads(t: Transition, open: PendingCall[], seed: ExecutionSeed): PendingCall[] {
  const batch: PendingCall[] = [];
  let cost = t.state.creditsUsed;
  for (const call of open) {
    cost += call.price;
    if (call.kind !== "read" || call.needsApproval || cost > seed.heldCredits) break;
    batch.push(call);
    if (batch.length === PARALLEL_READS) break;
  }
  return batch;
}

function start(t: Transition, call: PendingCall, inputOf: InputOf): void {
  const { callId, tool, kind, target, description } = call;
  call.state = "started";
  call.startedAt = t.now;
  t.state.message = description;
  t.touch();
  if (kind === "control") return;
  const step = t.state.stepsCompleted + 1;
  const input = shown("input", madeInput(call, inputOf));
  t.event("tool.started", { callId, tool, description, step, ...input });
  if (kind !== "effect") return;
  // Until its result is known, it is uncertain.
  const state = "uncertain";
  t.facts.push({ kind, callId, tool, target, state, ...approvalOf(call, inputOf) });
}

/** Returns the input with which a call is made: as a person changed it, or as the model wrote it. */
export function madeInput({ callId, approved }: PendingCall, inputOf: InputOf): Json {
  return approved?.input ?? inputOf(callId);
}

/** Returns what the ledger keeps of an approved call: who approved it, what is sent, and what was asked. */
function approvalOf(call: PendingCall, inputOf: InputOf): JsonObject {
  const { approved, callId } = call;
  if (approved === undefined) return {};
  return {
    input: redactByName(madeInput(call, inputOf)),
    ...(approved.input !== undefined && { askedInput: redactByName(inputOf(callId)) }),
    ...(approved.by && { approvedBy: { ...approved.by } }),
  };
}

/** A call that waits for approval, or the start: what is asked, and as a sentence to the user. */
interface Approvable extends Pick<PendingCall, "callId" | "tool" | "inputSchema"> {
  input: Json;
  about: string;
  text: string;
}

/** Asks a person for an approval; `calls` go on afterwards. */
function askApproval(
  t: Transition,
  seed: ExecutionSeed,
  { about, text, inputSchema, ...call }: Approvable,
  calls: PendingCall[],
): void {
  t.state.phase = { kind: "waiting", callId: call.callId, calls };
  t.state.question = { kind: "approval", text, ...call, askedAt: new Date(t.now).toISOString() };
  openDecision(t, seed, { kind: "approval", about, ...call, ...(inputSchema && { inputSchema }) });
  t.event("question", { kind: "approval", text, ...call });
  t.wait("approval", text);
}

/** Ends an execution that has cost as much as it may, or whose model has no known price to keep to that. */
function withinCost(t: Transition, { maxCostUsd, chosen = [], model: first }: ExecutionSeed) {
  if (maxCostUsd === undefined) return true;
  const model = t.state.model ?? first;
  const { costUsd = 0 } = t.state.usage;
  const isPriced = chosen.some((each) => each.model === model && each.price !== undefined);
  if (isPriced && costUsd < maxCostUsd) return true;
  const summary = isPriced
    ? `The limit of $${maxCostUsd} was reached: $${costUsd} were used.`
    : `The price of ${model} is not known, so that the limit of $${maxCostUsd} could not be kept.`;
  t.end({ status: "stopped", detail: "budget_reached", summary });
  return false;
}

function affordable(t: Transition, price: number, seed: ExecutionSeed): boolean {
  if (t.state.creditsUsed + price <= seed.heldCredits) return true;
  if (seed.heldCredits === 0) {
    t.fail("credits_exhausted", "The account has no credits left, so the execution did not start.");
    return false;
  }
  const balance = seed.heldBecause === "balance";
  t.end({
    status: "stopped",
    detail: balance ? "credits_exhausted" : "budget_reached",
    summary: balance
      ? `The account's credits are used up: ${t.state.creditsUsed} of ${counted(seed.heldCredits, "credit")}.`
      : `The limit of ${counted(seed.heldCredits, "credit")} was reached: ${t.state.creditsUsed} consumed.`,
  });
  return false;
}
