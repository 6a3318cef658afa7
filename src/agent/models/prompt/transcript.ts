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
type StepDraft = Draft & { kind: "step" };

/** Separates a line of ours from the text before it. */
export const NOTE_BREAK = "\n\n";

/**
 * The drafts of a conversation, each call's answer right after its reply, as chat APIs require: a user's
 * message may be between them, and an interrupted call has no answer.
 */
class Transcript {
  readonly drafts: Draft[] = [];
  readonly #turns: Turn[] = [];
  /** The places of answers by call. */
  readonly #calls = new Map<string, { step: StepDraft; index: number }>();

  /** Whether this is the beginning of these turns. */
  isStartOf(turns: readonly Turn[]): boolean {
    return this.#turns.every((turn, index) => turn === turns[index]);
  }

  /** Adds the turns that are new. */
  extend(turns: readonly Turn[]): void {
    for (let index = this.#turns.length; index < turns.length; index += 1) {
      const turn = turns[index];
      if (turn === undefined) return;
      this.#add(turn);
      this.#turns.push(turn);
    }
  }

  #add(turn: Turn): void {
    if (turn.role === "user") {
      this.drafts.push(draftUser(turn));
    } else if (turn.role === "assistant") {
      const step = draftStep(turn);
      this.drafts.push(step);
      step.calls.forEach(({ callId }, index) => {
        this.#calls.set(callId, { step, index });
      });
    } else {
      this.#addAnswer(turn);
    }
  }

  #addAnswer(turn: Turn & { role: "tool" }): void {
    const place = this.#calls.get(turn.callId);
    const answer = place?.step.answered[place.index];
    if (place === undefined || answer === undefined) return;
    answer.json = serializeAnswer(turn);
    answer.note = turn.note === undefined ? null : `[${turn.note}]`;
    place.step.notes += noteLength(answer.note);
    place.step.answers[place.index] = answer.json.bytes;
  }
}

/**
 * The transcripts of conversations by their first turn. The prompt of each step contains all earlier ones,
 * together more than the memory may hold, so each turn is read once.
 */
const transcripts = new WeakMap<Turn, Transcript>();

/** Returns the drafts of a conversation. Those of turns that an earlier request had are not made again. */
export function draftsOf(turns: readonly Turn[]): readonly Draft[] {
  const [first] = turns;
  if (first === undefined) return [];
  const known = transcripts.get(first);
  const transcript = known?.isStartOf(turns) ? known : new Transcript();
  transcripts.set(first, transcript);
  transcript.extend(turns);
  return transcript.drafts;
}

function draftUser({ text, event }: Turn & { role: "user" }): Draft & { kind: "user" } {
  const whole =
    event === undefined ? text : `${text}\n${untrustedData({ source: "event" }, event)}`;
  return { kind: "user", text: whole, length: byteLength(whole) };
}

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
