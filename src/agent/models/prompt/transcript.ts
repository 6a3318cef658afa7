import type { ReasoningPart, ToolCall, Turn } from "../../../contract/conversation.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";
import { MISSING_ANSWER, type SerializedAnswer, serializeAnswer } from "./answer-text.ts";
import type { Entry } from "./budget.ts";
import { stepNote } from "./instructions.ts";
import { byteLength, untrustedData } from "./text.ts";

/** An answer, as each prompt shows it in its own length. */
interface AnswerDraft {
  callId: string;
  tool: string;
  json: SerializedAnswer;
  /** The line of ours behind it. */
  note: string | null;
}

interface SentCall extends ToolCall {
  input: JsonObject;
}

/** An entry of a conversation with what a prompt writes of it. */
export type Draft =
  | (Entry & { kind: "user"; text: string })
  | (Entry & {
      kind: "step";
      text: string;
      reasoning: readonly ReasoningPart[];
      calls: SentCall[];
      answered: AnswerDraft[];
      /** The line that preceded the reply. */
      start: string | null;
      /** The line that tells the model what was wrong with the reply. */
      fault: string | null;
    });
type UserDraft = Draft & { kind: "user" };
type StepDraft = Draft & { kind: "step" };

/** Separates a line of ours from the text before it. */
export const NOTE_BREAK = "\n\n";

/** What was made of a turn: the prompt of each step contains all earlier ones, and reads each turn once. */
const users = new WeakMap<Turn, UserDraft>();
const steps = new WeakMap<Turn, StepDraft>();
const answers = new WeakMap<Turn, SerializedAnswer>();

function once<Key extends Turn, Made>(
  known: WeakMap<Turn, Made>,
  turn: Key,
  make: (turn: Key) => Made,
): Made {
  const made = known.get(turn) ?? make(turn);
  known.set(turn, made);
  return made;
}

/**
 * Returns the drafts of a conversation, each call's answer right after its reply, as chat APIs require: a
 * user's message may be between them, and an interrupted call has no answer.
 */
export function draftsOf(turns: readonly Turn[]): readonly Draft[] {
  const drafts: Draft[] = [];
  /** The places of answers by call. */
  const places = new Map<string, { step: StepDraft; index: number }>();
  for (const turn of turns) {
    if (turn.role === "user") {
      drafts.push(once(users, turn, draftUser));
    } else if (turn.role === "assistant") {
      const bare = once(steps, turn, draftStep);
      const step = { ...bare, answers: [...bare.answers], answered: [...bare.answered] };
      drafts.push(step);
      for (const [index, { callId }] of step.calls.entries()) places.set(callId, { step, index });
    } else {
      const place = places.get(turn.callId);
      if (place !== undefined) addAnswer(place, turn);
    }
  }
  return drafts;
}

function addAnswer(
  { step, index }: { step: StepDraft; index: number },
  turn: Turn & { role: "tool" },
): void {
  const answer = step.answered[index];
  if (answer === undefined) return;
  const json = once(answers, turn, serializeAnswer);
  const note = turn.note === undefined ? null : `[${turn.note}]`;
  step.answered[index] = { ...answer, json, note };
  step.notes += noteLength(note);
  step.answers[index] = json.bytes;
}

function draftUser({ text, event }: Turn & { role: "user" }): UserDraft {
  const whole =
    event === undefined ? text : `${text}\n${untrustedData({ source: "event" }, event)}`;
  return { kind: "user", text: whole, length: byteLength(whole) };
}

/** Returns the draft of a reply before its calls have answers. */
function draftStep(turn: Turn & { role: "assistant" }): StepDraft {
  const { text, reasoning = [] } = turn;
  const calls = turn.calls.map(sendable);
  const start = turn.start === undefined ? null : stepNote(turn.start);
  const fault = turn.fault === undefined ? null : `[${turn.fault}]`;
  const lengthOf = (value: unknown) => byteLength(JSON.stringify(value));
  const signatures = calls.map(({ metadata }) => (metadata ? lengthOf(metadata) : 0));
  const notes = [...signatures, noteLength(start), noteLength(fault)];
  return {
    kind: "step",
    text,
    reasoning,
    calls,
    said: [byteLength(text), ...reasoning.map(lengthOf)],
    inputs: calls.map(({ input }) => lengthOf(input)),
    notes: notes.reduce((sum, length) => sum + length, 0),
    answers: calls.map(() => MISSING_ANSWER.bytes),
    answered: calls.map(({ callId, tool }) => ({ callId, tool, json: MISSING_ANSWER, note: null })),
    start,
    fault,
  };
}

const noteLength = (note: string | null) => (note === null ? 0 : byteLength(NOTE_BREAK + note));

/** Converts a call to a form that every server accepts: one invalid name fails the whole conversation. */
function sendable({ tool, input, ...call }: ToolCall): SentCall {
  const name = tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
  return { ...call, tool: name, input: isObject(input) ? input : { unreadable: input } };
}
