import { cutAt } from "../../agent/tools/text.ts";
import type { By } from "../../contract/actor.ts";
import type { Json } from "../../contract/json.ts";
import type { MessageCommand } from "../../contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../../contract/tools/call.ts";
import { closeDecision, decideStart, deny, START } from "./decisions.ts";
import type { MachineState, PendingCall } from "./state.ts";
import { shown, type Transition } from "./transition.ts";

/** The most messages that wait at once: their texts are part of the state, which must fit in one row. */
export const INBOX_LIMIT = 20;

/** A message of the user, as the machine receives it. */
export interface IncomingMessage
  extends Pick<MessageCommand, "text" | "event" | "answers" | "mode" | "answerer"> {
  messageId: string;
  approval: Approval | null;
}

/** The decision about a call that waits; `edited` is the call that is made in its place. */
export interface Approval extends Omit<NonNullable<MessageCommand["approval"]>, "input"> {
  edited?: EditedCall;
}

/** A call whose input a person changed, classified again. */
type EditedCall = Pick<PendingCall, "kind" | "price" | "target" | "description"> & {
  input: Json;
};

/** Moves the queued messages into the conversation, in order. */
export function applyInbox(t: Transition): void {
  for (const { messageId, text, event, cut } of t.state.inbox) {
    t.event("message.applied", { messageId });
    if (cut !== undefined)
      t.facts.push({ kind: "evidence", callId: messageId, url: null, basedOn: [], cut });
    t.turn({ role: "user", text, ...(event !== undefined && { event }) });
  }
  t.state.inbox = [];
}

/** Applies a message: it answers the open question, decides the approval, or joins the queue. */
export function queueMessage(t: Transition, message: IncomingMessage): void {
  const { state } = t;
  const { messageId, text, event, answers, mode } = message;
  if (answers !== undefined) {
    answerWait(t, answers, event === undefined ? DELETED : { ok: true, content: event });
    return;
  }
  if (event !== undefined) {
    queueEvent(t, messageId, event);
    return;
  }
  if (text !== null) {
    state.inbox.push({ messageId, text });
    t.event("message.queued", { messageId, mode, text });
  }
  if (state.phase.kind === "waiting") {
    resume(t, message, state.phase.callId, state.phase.calls);
    return;
  }
  if (mode === "interrupt") interrupt(t);
}

/** Whether an execution waits for the event of this call. */
export function isWaitingFor({ phase, statusDetail }: MachineState, callId: string): boolean {
  return phase.kind === "waiting" && phase.callId === callId && statusDetail === "event";
}

/** Whether this call has its answer, or was abandoned with its step. */
export function isOver({ phase }: MachineState, callId: string): boolean {
  if (phase.kind !== "tools" && phase.kind !== "waiting") return true;
  const call = phase.calls.find((each) => each.callId === callId);
  return call === undefined || call.state === "answered";
}

/** Answers a call that waits for an event; the step goes on. */
export function answerWait(t: Transition, callId: string, answer: ToolAnswer): void {
  const { state } = t;
  if (state.phase.kind !== "waiting" || !isWaitingFor(state, callId)) return;
  const { calls } = state.phase;
  const call = calls.find((each) => each.callId === callId);
  if (call === undefined) return;
  state.phase = { kind: "tools", calls };
  state.waitUntil = null;
  t.answer(call, answer, call.price);
  t.activate("running");
}

/** Characters of an event that the state keeps: its messages must fit in one row. */
const MAX_EVENT_LENGTH = 32_000;

/** The answer of a call that ends because the user has written. */
export const NEW_MESSAGES = failedAnswer(
  "new_messages",
  "The user sent a new message. Read it first.",
);

/** The answer of a call whose event cannot arrive any more. */
const DELETED = failedAnswer("endpoint_deleted", "The endpoint of the event was deleted.");

/** Queues an event. It answers no question and decides no approval: it does not come from the user. */
function queueEvent(t: Transition, messageId: string, event: Json): void {
  const whole = JSON.stringify(event);
  const text = "A further event of this case has arrived:";
  const kept = MAX_EVENT_LENGTH / 2;
  if (whole.length <= MAX_EVENT_LENGTH) t.state.inbox.push({ messageId, text, event: whole });
  else {
    const part = JSON.stringify({ truncated: true, beginning: cutAt(whole, kept) });
    t.state.inbox.push({ messageId, text, event: part, cut: `${kept} characters` });
  }
  t.event("message.queued", { messageId, mode: "next_step", text, ...shown("event", event) });
}

function resume(
  t: Transition,
  message: IncomingMessage,
  callId: string,
  calls: PendingCall[],
): void {
  if (callId === START) {
    resumeStart(t, message);
    return;
  }
  const waiting = calls.find((call) => call.callId === callId);
  if (waiting === undefined) throw new Error(`Call ${callId} is not part of the current step.`);
  if (t.state.statusDetail === "event") {
    answerWait(t, callId, NEW_MESSAGES);
    if (message.mode === "interrupt") interrupt(t);
    return;
  }
  const asked = t.state.statusDetail === "question";
  const decision = message.approval?.decision ?? (message.mode === "interrupt" ? "deny" : null);
  if (!asked && decision === null) return;

  t.state.phase = { kind: "tools", calls };
  const { answerer } = message;
  if (asked) {
    const answer = message.text ?? undefined;
    closeDecision(t, { state: "answered", answer, answerer });
    t.answer(waiting, {
      ok: true,
      content: { answered: true, note: "The answer is the user's next message." },
    });
  } else {
    const { comment, edited } = message.approval ?? {};
    const change = edited && { input: edited.input, askedInput: waiting.input ?? null };
    closeDecision(t, {
      state: "answered",
      ...(decision !== null && { decision }),
      comment,
      answerer,
      ...change,
    });
    if (decision === "approve") approve(waiting, message);
    else deny(t, waiting, answerer?.by ?? UNNAMED, comment);
  }
  t.activate("running");
  if (message.mode === "interrupt") interrupt(t);
}

/** Decides about the start of an execution. A message without a decision waits with it. */
function resumeStart(t: Transition, { approval, mode, answerer }: IncomingMessage): void {
  const decision = approval?.decision ?? (mode === "interrupt" ? "deny" : null);
  if (decision === null) return;
  const comment = approval?.comment;
  closeDecision(t, { state: "answered", decision, comment, answerer });
  decideStart(t, decision === "approve", { by: answerer?.by ?? UNNAMED, comment });
}

/** Who denied a call, where older code does not say. */
const UNNAMED: By = { kind: "system", id: "", name: "The user" };

function approve(call: PendingCall, { approval, answerer }: IncomingMessage): void {
  const { comment, edited } = approval ?? {};
  const { input, ...classified } = edited ?? {};
  Object.assign(call, classified);
  call.needsApproval = false;
  call.approved = {
    ...(answerer && { by: answerer.by }),
    ...(comment !== undefined && { comment }),
    ...(input !== undefined && { input }),
  };
}

/**
 * Abandons the current step. Calls without an answer get one that says so: the model sees what it had
 * requested, and a running effect stays uncertain.
 */
function interrupt(t: Transition): void {
  const { state } = t;
  state.generation += 1;
  state.failures = 0;
  state.asked = 0;
  state.retryAt = null;
  t.facts.push({ kind: "abort" });
  if (state.phase.kind !== "tools") return;
  for (const call of state.phase.calls) {
    if (call.state === "answered") continue;
    t.answer(call, interruptedAnswer(call));
  }
  t.finishStep();
}

function interruptedAnswer({ kind, state }: PendingCall): ToolAnswer {
  const ran = "The user interrupted this call while it ran. It may have taken effect.";
  return kind === "effect" && state === "started"
    ? failedAnswer("uncertain", ran)
    : failedAnswer("interrupted", "The user interrupted this call before it finished.");
}
