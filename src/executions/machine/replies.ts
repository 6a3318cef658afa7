import type { TracedResult } from "../../agent/tools/cuts.ts";
import { cutAt, storedBytes } from "../../agent/tools/text.ts";
import { isRefused } from "../../agent/tools/tool.ts";
import type { KeptEffect } from "../../contract/backup.ts";
import type { ModelError, ModelReply, StepStart, TokenUsage } from "../../contract/conversation.ts";
import { addUsd, withCost } from "../../contract/models.ts";
import { type Violation, violationLine } from "../../contract/problem.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import {
  type AskUserInput,
  type FinishInput,
  failedAnswer,
  type ToolAnswer,
} from "../../contract/tools/call.ts";
import { mcpServerOf, modelStepPrice } from "../../contract/tools/names.ts";
import { backoffMs } from "../../lib/async.ts";
import { counted } from "../../lib/text.ts";
import { answerOutput } from "../results.ts";
import { denialOf, openDecision } from "./decisions.ts";
import { NEW_MESSAGES } from "./inbox.ts";
import { retryLater } from "./recovery.ts";
import { outcomeOf } from "./repeats.ts";
import { deadlineOf, type MachineState, type PendingCall } from "./state.ts";
import type { Transition } from "./transition.ts";

/** Attempts of one model call, including the first. */
const MAX_MODEL_ATTEMPTS = 4;
/** How often the model may correct a result that does not match the output schema. */
const REPAIRS = 2;
/** A requested call as the loop classified it: ready to run, or refused with its answer. */
export type ClassifiedCall = PendingCall & { refused?: ToolAnswer };

/** A reply with the state that its request described. */
export type StepReply = ModelReply & { start: StepStart };

/** Applies the model's reply to the current step. */
export function modelReplied(t: Transition, reply: StepReply, calls: ClassifiedCall[]): void {
  const { state } = t;
  const price = modelStepPrice(reply.usage);
  // The reply is known only now, so it may cost more than what is held for it.
  state.creditsUsed += Math.min(price, reply.start.creditsLeft);
  state.stepPrice = price;
  state.usage.modelSteps += 1;
  countTokens(t, reply.usage);
  state.failures = 0;
  state.asked = 0;
  if (reply.text !== "") state.message = cutAt(reply.text, 500);
  const { text, plan, start, reasoning } = reply;
  const requested = reply.calls.map(({ fault: _, ...call }) => call);
  t.turn({
    role: "assistant",
    text,
    calls: requested,
    start,
    ...(plan && { plan }),
    ...(reasoning && { reasoning }),
  });
  // A plan says what the text does.
  if (plan !== undefined) t.event("plan", { parts: plan.map((part) => cutAt(part, 1_000)) });
  else if (text !== "") t.event("log", { message: cutAt(text, 4_000) });
  const classified = calls.map(({ refused, ...call }) => ({ call, refused }));
  state.phase = { kind: "tools", calls: finishLast(classified.map(({ call }) => call)) };
  for (const { call, refused } of classified) {
    if (refused !== undefined) t.answer(call, refused);
  }
}

/** Puts the end behind the other calls of its reply, which would be dropped by it. */
function finishLast(calls: PendingCall[]): PendingCall[] {
  const isEnd = ({ tool }: PendingCall) => tool === "finish";
  return [...calls.filter((call) => !isEnd(call)), ...calls.filter(isEnd)];
}

/** Counts the tokens of a reply, used or discarded. */
export function countTokens(t: Transition, tokens: TokenUsage): void {
  const { usage } = t.state;
  usage.inputTokens += tokens.inputTokens;
  usage.outputTokens += tokens.outputTokens;
  usage.cachedTokens += tokens.cachedTokens;
  if (tokens.costUsd !== undefined) usage.costUsd = addUsd(usage.costUsd ?? 0, tokens.costUsd);
  t.touch();
}

/** The characters of a discarded reply that the model sees again. */
const DISCARDED_LENGTH = 2_000;

/**
 * Discards a reply that cannot be used, at no charge. The next request, sent at once, states what was
 * wrong. The execution ends if too many replies in a row cannot be used.
 */
export function replyDiscarded(t: Transition, reply: StepReply, fault: string): void {
  const { state } = t;
  countTokens(t, reply.usage);
  state.failures += 1;
  state.asked = 0;
  const text = cutAt(reply.text, DISCARDED_LENGTH);
  t.turn({ role: "assistant", text, calls: [], start: reply.start, fault });
  t.event("log", { message: `A reply of the model was discarded: ${fault}` });
  if (state.failures < MAX_MODEL_ATTEMPTS) return;
  // Of discarded replies, only one that was cut off has a text.
  if (text.trim() !== "") {
    const output = answerOutput({ summary: reply.text, truncated: true });
    t.facts.push({ kind: "output", callId: `cut_${reply.start.step}`, basedOn: [], output });
  }
  t.fail(
    "model_error",
    `The model sent no usable reply in ${MAX_MODEL_ATTEMPTS} attempts. The last one: ${fault}`,
  );
}

/** What a failed model call depends on. */
type Chain = Pick<ExecutionSeed, "timeoutSeconds" | "model" | "fallbacks" | "chosen">;

/**
 * Applies a failed model call: retries later, asks the next model of the chain, or ends. The next model is
 * asked at once where this one cannot be used, and after its retries where it fails; never where it refused
 * the request, as the next would. `random` in [0, 1) spreads the retries.
 */
export function modelFailed(t: Transition, error: ModelError, seed: Chain, random: number): void {
  const { state } = t;
  if (error.usage !== null)
    countTokens(t, withCost(error.usage, state.model ?? seed.model, seed.chosen));
  state.failures += 1;
  state.asked = 0;
  const { timeoutSeconds } = seed;
  const requested = error.retryAfterMs ?? 0;
  const limit = deadlineOf(state, timeoutSeconds) ?? Number.POSITIVE_INFINITY;
  const isTooLate = error.retryable && t.now + requested >= limit;
  if (!error.retryable || state.failures >= MAX_MODEL_ATTEMPTS || isTooLate) {
    const next = error.retryable || error.isUnusable ? modelAfter(state.model, seed) : null;
    if (next !== null) {
      askInstead(t, next, error.message);
      return;
    }
    const wait = counted(Math.ceil(requested / 1_000), "second");
    const late = ` The server asks to wait ${wait}; the execution's time limit of ${counted(timeoutSeconds, "second")} is reached before that.`;
    const isLast = state.failures >= MAX_MODEL_ATTEMPTS;
    const stated = error.message.replace(/[^.!?…]$/, "$&.");
    const summary = isTooLate && !isLast ? stated + late : error.message;
    t.end({ status: "failed", detail: "model_error", summary });
    return;
  }
  const backoff = backoffMs(state.failures) * (1 + random / 4);
  retryLater(t, Math.max(backoff, requested), `The model call failed: ${error.message}`);
}

/** Returns the model to ask after this one has failed for good, or null if it is the last. */
function modelAfter(name: string | null, { model, fallbacks }: Chain): string | null {
  const at = name === null ? -1 : [model, ...fallbacks].indexOf(name);
  return at === -1 ? null : (fallbacks[at] ?? null);
}

/** Goes on with another model, from now on. */
function askInstead(t: Transition, model: string, because: string): void {
  const message = `${t.state.model} did not answer, so ${model} is asked: ${because}`;
  t.state.model = model;
  t.state.failures = 0;
  t.event("log", { message: cutAt(message, 4_000), model });
}

/** Applies a tool's result. */
export function toolReturned(t: Transition, callId: string, returned: TracedResult): void {
  const call = startedCall(t, callId);
  if (call === null) return;
  // What an effect did is done; its outputs are small.
  const isEffect = call.kind === "effect";
  const result = isEffect ? { ...returned, outputBytes: 0 } : withinOutputLimit(t.state, returned);
  const refused = isRefused(result.answer);
  const credits = refused ? 0 : Math.min(call.price, result.price ?? call.price);
  t.state.creditsUsed += credits;
  if (!refused) t.state.usage.toolCalls += 1;
  if (isEffect) {
    const { tool, target } = call;
    const state = outcomeOf(tool, result.answer);
    const isDone = state === "confirmed";
    // The agent found another way.
    if (isDone) t.state.denied = null;
    const truncated = isDone && result.isSentCut === true && { truncated: true };
    if (state !== "uncertain")
      t.facts.push({ kind: "effect", callId, tool, target, state, ...truncated });
  }
  if (result.waitUntil !== undefined && t.state.phase.kind === "tools") {
    waitForEvent(t, call, result.waitUntil);
    return;
  }
  t.answer(call, result.answer, credits, result.cuts);
  const { basedOn = [], url = null, cut } = result;
  t.facts.push({ kind: "evidence", callId, url, basedOn, ...(cut !== undefined && { cut }) });
  for (const output of result.outputs ?? []) {
    t.facts.push({ kind: "output", callId, basedOn, output });
    // What a remote server attached to its answer is not the agent's answer.
    if (mcpServerOf(call.tool) === null) t.state.outputs += 1;
  }
  t.state.outputBytes += result.outputBytes;
}

/** Answers a call whose effect the execution had before its account went back in time. */
export function notRepeated(t: Transition, callId: string, earlier: KeptEffect): void {
  const { effectId, tool, target, state, at } = earlier;
  const what = state === "confirmed" ? "was done" : "may have been done";
  const message = `${tool} to ${target} ${what} on ${at}, before the account went back in time, so it was not repeated. Go on as if this call had done it.`;
  toolReturned(t, callId, { answer: failedAnswer("done_before", message) });
  // The ledger has it again, so that it stands for one call.
  const known = state === "confirmed" ? state : "uncertain";
  t.facts.push({ kind: "effect", callId: effectId, tool, target, state: known });
}

/** Waits for the event that answers a call, unless a message of the user is queued. */
function waitForEvent(t: Transition, call: PendingCall, until: number): void {
  const { state } = t;
  if (state.phase.kind !== "tools") return;
  if (state.inbox.some(({ event }) => event === undefined)) {
    t.answer(call, NEW_MESSAGES, call.price);
    return;
  }
  state.phase = { kind: "waiting", callId: call.callId, calls: state.phase.calls };
  state.waitUntil = until;
  t.wait("event", call.description);
}

/** Applies `ask_user`: waits, unless a new message of the user is already queued. */
export function askUser(
  t: Transition,
  seed: ExecutionSeed,
  callId: string,
  { question, choices = [] }: AskUserInput,
): void {
  const { state } = t;
  const call = startedCall(t, callId);
  if (call === null || state.phase.kind !== "tools") return;
  if (state.inbox.length > 0) {
    t.answer(call, NEW_MESSAGES);
    return;
  }
  state.phase = { kind: "waiting", callId, calls: state.phase.calls };
  state.question = { kind: "question", text: question, askedAt: new Date(t.now).toISOString() };
  const offered = choices.length === 0 ? {} : { choices };
  openDecision(t, seed, { kind: "question", callId, about: question, question, ...offered });
  t.event("question", { kind: "question", text: question, ...offered });
  t.wait("question", question);
}

/** What `finish` depends on besides its input. */
export interface FinishChecks {
  /** How `data` differs from the output schema. */
  violations: readonly Violation[];
  /** The calls that the answer may be based on. */
  basedOn: string[];
  /** Whether a part of the answer is missing. */
  truncated: boolean;
}

/**
 * Applies `finish`. An execution completes only with an empty inbox. This is decided in the transaction
 * that ends it, so a message is either read or refused, never lost.
 */
export function finish(
  t: Transition,
  callId: string,
  input: FinishInput,
  { violations, basedOn, truncated }: FinishChecks,
): void {
  const { state } = t;
  const call = startedCall(t, callId);
  if (call === null) return;
  if (state.inbox.length > 0) {
    t.answer(call, NEW_MESSAGES);
    return;
  }
  const replied = state.phase.kind === "tools" ? state.phase.calls : [];
  if (input.status === "completed" && replied.some(({ ok }) => ok === false)) {
    t.answer(call, UNREAD_FAILURE);
    return;
  }
  if (input.status === "completed" && violations.length > 0) {
    repair(t, call, violations);
    return;
  }
  call.state = "answered";
  t.finishStep();
  const { summary, data } = input;
  const result = { summary, ...(data === undefined ? {} : { data }), truncated };
  if (input.status === "failed") {
    const denial = input.reason === "source_unavailable" ? null : denialOf(state);
    const detail = denial === null ? (input.reason ?? "cannot_do") : "denied";
    const told = denial === null ? summary : `${denial} ${summary}`;
    t.end({ status: "failed", detail, ...result, summary: told });
    return;
  }
  if (state.outputs === 0) {
    t.facts.push({ kind: "output", callId, basedOn, output: answerOutput(result) });
  }
  t.end({ status: "completed", detail: "done", ...result });
}

function repair(t: Transition, call: PendingCall, violations: readonly Violation[]): void {
  const list = violations.map((each) => violationLine(each, "data")).join("; ");
  if (t.state.repairs >= REPAIRS) {
    call.state = "answered";
    t.finishStep();
    t.fail("model_error", `The result does not match the output schema: ${list}`);
    return;
  }
  t.state.repairs += 1;
  const message = `\`data\` does not match the output schema: ${list}`;
  t.answer(call, failedAnswer("schema_mismatch", message));
}

const UNREAD_FAILURE = failedAnswer(
  "unread_answer",
  "Another call of this reply failed. Read its answer, then finish.",
);

function startedCall(t: Transition, callId: string): PendingCall | null {
  const { phase } = t.state;
  if (phase.kind !== "tools") return null;
  return phase.calls.find((call) => call.callId === callId && call.state === "started") ?? null;
}

/**
 * The values of all outputs of an execution. A result is one call between objects, which takes 32 MiB, of
 * text with two bytes for each character; it has the data of `finish` as well.
 */
const MAX_OUTPUTS_BYTES = 8 * 1_024 * 1_024;
/** What an output takes besides its value. The bytes of a file are stored apart, and read one by one. */
const OUTPUT_BYTES = 1_024;

const FULL = failedAnswer(
  "invalid_input",
  "The outputs of this execution have 8 MiB, which is the most. Nothing was added. Output less, or write the values to a file.",
);

/** Returns what a tool returned, or an error in its place if its outputs are more than the execution may have. */
function withinOutputLimit(
  state: MachineState,
  result: TracedResult,
): TracedResult & { outputBytes: number } {
  const { outputs = [] } = result;
  const bytes = outputs.map(({ value = null }) => OUTPUT_BYTES + storedBytes(value));
  const outputBytes = bytes.reduce((sum, each) => sum + each, 0);
  const fits = outputBytes === 0 || state.outputBytes + outputBytes <= MAX_OUTPUTS_BYTES;
  return fits ? { ...result, outputBytes } : { answer: FULL, outputBytes: 0 };
}
