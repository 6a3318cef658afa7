import { cutAt, oneLine } from "../../agent/tools/text.ts";
import type { By } from "../../contract/actor.ts";
import {
  type Answerer,
  type DecisionRecord,
  decisionIdOf,
  type StoredDecision,
} from "../../contract/decisions.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../../contract/tools/call.ts";
import { iso } from "../../lib/instants.ts";
import type { MachineState, PendingCall } from "./state.ts";

/** The call that stands for the start of an execution where a limit asks for its approval. */
export const START = "start";

const TITLE_LENGTH = 200;
const PREVIEW_LENGTH = 200;

/** The part of a transition that opens and closes decisions. */
interface Change {
  readonly state: MachineState;
  readonly now: number;
  touch(): void;
  event(type: "log", data: JsonObject): void;
  answer(call: PendingCall, answer: ToolAnswer): void;
  activate(detail: "queued"): void;
  fail(detail: "denied", summary: string): void;
}

/** What a person is asked. */
type Asked = Pick<StoredDecision, "kind" | "callId"> &
  Partial<Pick<DecisionRecord, "question" | "choices" | "tool" | "input" | "inputSchema">> & {
    /** What is asked, as a sentence. */
    about: string;
  };

/** Opens a decision and waits for it. The version makes its number: a change opens one at most. */
export function openDecision(
  t: Change,
  { executionId, prompt, inputTimeoutSeconds }: ExecutionSeed,
  { about, ...asked }: Asked,
): void {
  changeDecision(t, {
    decisionId: decisionIdOf(executionId, t.state.version),
    executionId,
    title: cutAt(oneLine(about), TITLE_LENGTH),
    promptPreview: cutAt(oneLine(prompt), PREVIEW_LENGTH),
    ...asked,
    requestedAt: iso(t.now),
    expiresAt: iso(t.now + inputTimeoutSeconds * 1_000),
    state: "open",
  });
}

/** Gives a question that older code asked its decision. */
export function adoptQuestion(t: Change, seed: ExecutionSeed): void {
  const { question, phase } = t.state;
  if (question === null || phase.kind !== "waiting" || openDecisionOf(t.state) !== null) return;
  const { callId } = phase;
  const { kind, text: about } = question;
  const what =
    question.kind === "approval"
      ? { tool: question.tool, input: question.input }
      : { question: about };
  openDecision(t, seed, { kind, callId, about, ...what });
}

/** Returns the open decision, or null. */
export function openDecisionOf({ decision }: MachineState): StoredDecision | null {
  return decision?.state === "open" ? decision : null;
}

/** How a decision was closed. */
type Closing = Pick<DecisionRecord, "decision" | "answer" | "comment" | "input" | "askedInput"> & {
  state: "answered" | "expired" | "withdrawn";
  answerer?: Answerer | undefined;
};

/** Closes the open decision, if there is one, in the log as well. */
export function closeDecision(t: Change, { answerer, ...closing }: Closing): void {
  const open = openDecisionOf(t.state);
  if (open === null) return;
  changeDecision(t, { ...open, ...closing, ...answerer, answeredAt: iso(t.now) });
  if (closing.state === "withdrawn") return;
  const { decisionId, callId } = open;
  t.event("log", {
    message: closing.state === "expired" ? "expired" : (VERBS[closing.decision ?? "answer"] ?? ""),
    callId,
    decisionId,
    ...(answerer && { by: answerer.by.name, via: answerer.via }),
    ...(closing.comment !== undefined && { comment: closing.comment }),
  });
}

const VERBS = { approve: "approved", deny: "denied", answer: "answered" };

/** Notes that people were reminded of the open decision. */
export function remind(t: Change, seed: ExecutionSeed): void {
  const open = openDecisionOf(t.state);
  const at = reminderAt(t.state, seed);
  if (open !== null && at !== null && at <= t.now)
    changeDecision(t, { ...open, remindedAt: iso(t.now) });
}

/** Returns when people are reminded of the open decision, epoch milliseconds, or null for never. */
export function reminderAt(state: MachineState, { decisions }: ExecutionSeed): number | null {
  const { remindAfterSeconds } = decisions;
  const open = openDecisionOf(state);
  if (open === null || open.remindedAt !== undefined || remindAfterSeconds === null) return null;
  return Date.parse(open.requestedAt) + remindAfterSeconds * 1_000;
}

/** Lets an execution start that waited for approval, or ends it. `by` is null if nobody answered in time. */
export function decideStart(
  t: Change,
  isApproved: boolean,
  { by, comment }: { by: By | null; comment?: string | undefined },
): void {
  if (isApproved) {
    t.state.startApproved = true;
    t.state.phase = { kind: "model" };
    t.activate("queued");
    return;
  }
  t.state.denied = noteOf(START, by, comment);
  t.fail("denied", denialOf(t.state) ?? "");
}

/** Answers a call that was denied, by a person or because nobody answered in time. */
export function deny(t: Change, call: PendingCall, by: By | null, comment?: string): void {
  const who = by === null ? "Nobody answered in time" : "The user denied this call";
  const message = comment === undefined ? `${who}.` : `${who}: ${comment}`;
  t.state.denied = noteOf(call.tool, by, comment);
  t.answer(call, failedAnswer("denied", message));
}

function noteOf(tool: string, by: By | null, comment?: string): MachineState["denied"] {
  return { tool, by: by?.name ?? null, ...(comment !== undefined && { comment }) };
}

/** Returns the sentence about what was denied, before the agent's own summary. */
export function denialOf({ denied }: MachineState): string | null {
  if (denied === null) return null;
  const { tool, by, comment } = denied;
  const what = tool === START ? "the start" : tool;
  if (by === null) return `Nobody approved ${what} in time.`;
  const why = comment === undefined ? "" : `: ${comment}`;
  return `${by} denied ${what}${why}`.replace(/[^.!?…]$/, "$&.");
}

/** Makes a decision the newest one, and has it reported. */
function changeDecision(t: Change, decision: StoredDecision): void {
  const { state } = t;
  state.decision = decision;
  const others = state.unreported.filter(({ decisionId }) => decisionId !== decision.decisionId);
  state.unreported = [...others, decision];
  t.touch();
}
