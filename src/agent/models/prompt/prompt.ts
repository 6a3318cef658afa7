import {
  ModelError,
  type ModelRequest,
  type ReasoningPart,
  type ToolCall,
  type Turn,
} from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { portableSchema } from "../../../lib/json-schema/portable.ts";
import { isObject } from "../../../lib/json-values.ts";
import {
  MISSING_ANSWER,
  renderAnswer,
  type SerializedAnswer,
  serializeAnswer,
} from "./answer-text.ts";
import { type Entry, type Fit, fitConversation, type StepLimits } from "./budget.ts";
import { instructions } from "./instructions.ts";
import { stepNote } from "./step-note.ts";
import { byteLength, shortenInput, shortenText, untrustedData } from "./text.ts";

/** A prompt for any language model. */
export interface Prompt {
  system: string;
  messages: PromptMessage[];
  /** The number of messages before the first step that is not shortened yet: they stay as they are. */
  settled: number;
}

export type PromptMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; reasoning: readonly ReasoningPart[]; calls: ToolCall[] }
  | { role: "tool"; callId: string; tool: string; text: string };

/**
 * Writes a request as a prompt of at most `bytes`, including instructions and tools: the user's messages
 * unchanged, everything from outside as marked data, each call followed by its answer, and old steps cut
 * by the rule of budget.ts. Throws a `ModelError` if that is still too long.
 */
export function writePrompt(request: ModelRequest, bytes: number): Prompt {
  const system = instructions(request);
  const note = stepNote(request.start);
  const fixed = [system, JSON.stringify(request.tools), NOTE_BREAK, note];
  const room = bytes - byteLength(fixed.join(""));
  const drafts = orderTurns(request);
  const fitted = fitConversation(drafts.map(lengthsOf), room);
  if (!fitted.ok) throw tooLong(fitted.needs + bytes - room, bytes);
  const tools = new Set(request.tools.map(({ name }) => name));
  const { messages, settled } = writeMessages(drafts, fitted, tools);
  addNote(messages, note);
  return { system, messages, settled };
}

function tooLong(needs: number, bytes: number): ModelError {
  const message = `The task is too long for this model: with instructions and tools it needs at least ${needs} bytes, and the model's window has room for ${bytes}. Send less, allow fewer tools, or choose a model with a larger window.`;
  return new ModelError(message, { retryable: false });
}

interface AnswerDraft {
  callId: string;
  tool: string;
  json: SerializedAnswer;
}
interface SentCall extends ToolCall {
  input: JsonObject;
}
type Draft =
  | { kind: "user"; text: string }
  | {
      kind: "step";
      text: string;
      /** The lengths of its text, of each input and of each part of its reasoning. */
      said: number[];
      /** The length of what its provider added to its calls. */
      signatures: number;
      reasoning: readonly ReasoningPart[];
      calls: SentCall[];
      answers: AnswerDraft[];
      /** The line that preceded the reply. */
      start: string | null;
      /** The line that tells the model what was wrong with the reply. */
      fault: string | null;
    };

/**
 * Puts each call's answer right after its reply, as chat APIs require: a user's message may be between
 * them, and an interrupted call has no answer.
 */
function orderTurns(request: ModelRequest): Draft[] {
  const found = new Map<string, SerializedAnswer>();
  for (const turn of request.turns)
    if (turn.role === "tool") found.set(turn.callId, serializeAnswer(turn));
  return request.turns.flatMap((turn, index): Draft[] => {
    if (turn.role === "tool") return [];
    if (turn.role === "user") {
      return [{ kind: "user", text: userText(turn, index === 0, request) }];
    }
    const { calls, said, signatures } = serializeReply(turn);
    const answers = calls.map(({ callId, tool }) => ({
      callId,
      tool,
      json: found.get(callId) ?? MISSING_ANSWER,
    }));
    const { text, reasoning = [] } = turn;
    const start = turn.start === undefined ? null : stepNote(turn.start);
    const fault = turn.fault === undefined ? null : `[${turn.fault}]`;
    return [{ kind: "step", text, said, signatures, reasoning, calls, answers, start, fault }];
  });
}

interface SerializedReply {
  calls: SentCall[];
  /** The lengths of its text, of each input and of each part of its reasoning. */
  said: number[];
  /** The length of what its provider added to its calls. */
  signatures: number;
}

/** Caches the measures of earlier replies: the prompt of each step contains all of them. */
const known = new WeakMap<Turn, SerializedReply>();

function serializeReply(turn: Turn & { role: "assistant" }): SerializedReply {
  const found = known.get(turn);
  if (found !== undefined) return found;
  const calls = turn.calls.map(sendable);
  const inputs = calls.map(({ input }) => byteLength(JSON.stringify(input)));
  const reasoning = (turn.reasoning ?? []).map((part) => byteLength(JSON.stringify(part)));
  const signatures = calls.reduce(
    (total, { metadata }) => total + (metadata ? byteLength(JSON.stringify(metadata)) : 0),
    0,
  );
  const reply = { calls, said: [byteLength(turn.text), ...inputs, ...reasoning], signatures };
  known.set(turn, reply);
  return reply;
}

/** Converts a call to a form that every server accepts: one invalid name fails the whole conversation. */
function sendable({ tool, input, ...call }: ToolCall): SentCall {
  const name = tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
  return { ...call, tool: name, input: isObject(input) ? input : { unreadable: input } };
}

/**
 * Returns a user's message; the first one includes the data of the trigger. The output schema is among
 * the parameters of `finish`, and here only if those cannot express all of it.
 */
function userText(turn: Turn & { role: "user" }, isPrompt: boolean, request: ModelRequest): string {
  if (turn.event !== undefined) {
    return `${turn.text}\n${untrustedData({ source: "event" }, turn.event)}`;
  }
  if (!isPrompt) return turn.text;
  const part = (title: string, source: string, data: Json | null) =>
    data === null ? [] : [`${title}:\n${untrustedData({ source }, JSON.stringify(data))}`];
  const { inputs, outputSchema, tools } = request;
  const isParameter = tools.some(({ strict }) => strict === true);
  const isTold = outputSchema !== null && isParameter && !portableSchema(outputSchema).lost;
  return [
    turn.text,
    ...part("Inputs of the task", "inputs", inputs),
    ...part("JSON Schema of the result's data", "output_schema", isTold ? null : outputSchema),
  ].join("\n\n");
}

function lengthsOf(draft: Draft): Entry {
  if (draft.kind === "user") return { kind: "user", length: byteLength(draft.text) };
  return {
    kind: "step",
    said: draft.said,
    answers: draft.answers.map(({ json }) => json.bytes),
    notes: noteLength(draft.start) + noteLength(draft.fault) + draft.signatures,
  };
}

/** Separates a line of ours from the text before it. */
const NOTE_BREAK = "\n\n";

const noteLength = (note: string | null) => (note === null ? 0 : byteLength(NOTE_BREAK + note));

function writeMessages(
  drafts: Draft[],
  fit: Fit & { ok: true },
  tools: ReadonlySet<string>,
): Pick<Prompt, "messages" | "settled"> {
  const messages: PromptMessage[] = [];
  const steps = fit.steps.values();
  let gone = 0;
  let written = 0;
  let settled = 1;
  for (const draft of drafts) {
    if (draft.kind === "user") {
      addUserText(messages, draft.text);
      continue;
    }
    if (written === fit.settled && written > 0) settled = messages.length;
    written += 1;
    const how = steps.next().value;
    if (how === undefined) throw new Error("A step has no limits.");
    if (how.gone) {
      gone += 1;
      continue;
    }
    if (gone > 0) addUserText(messages, goneNote(gone));
    gone = 0;
    writeStep(messages, draft, how, tools);
  }
  return { messages, settled };
}

const goneNote = (steps: number) =>
  `(To save room, your first ${steps} steps and their answers are left out. Do not repeat them.)`;

/** Joins consecutive messages of the user: some models accept only strict turns. */
function addUserText(messages: PromptMessage[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === "user") last.text += `\n\n${text}`;
  else messages.push({ role: "user", text });
}

function writeStep(
  messages: PromptMessage[],
  { text, reasoning, calls, answers, start, fault }: Draft & { kind: "step" },
  how: StepLimits & { gone: false },
  tools: ReadonlySet<string>,
): void {
  if (start !== null) addNote(messages, start);
  const sent = calls.map((call) => ({ ...call, input: shortenInput(call.input, how.said) }));
  // Of an empty reply only the fault is shown: providers refuse an empty message.
  if (sent.length > 0 || text.trim() !== "") {
    messages.push({
      role: "assistant",
      text: shortenText(text, how.said),
      reasoning: reasoning.flatMap((part) => shortenReasoning(part, how.said)),
      calls: sent,
    });
  }
  for (const { callId, tool, json } of answers) {
    const shown = renderAnswer({ callId, tool, json }, how.answer, tools);
    messages.push({ role: "tool", callId, tool, text: shown });
  }
  if (fault !== null) addNote(messages, fault);
}

/** Shortens a part of a model's reasoning. Signed reasoning is valid only as it is. */
function shortenReasoning(part: ReasoningPart, bytes: number): ReasoningPart[] {
  if (byteLength(JSON.stringify(part)) <= bytes) return [part];
  return part.metadata === undefined ? [{ text: shortenText(part.text, bytes) }] : [];
}

/** Adds a line of ours behind the last message that is not the model's, outside of all data marks. */
function addNote(messages: PromptMessage[], note: string): void {
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant") messages.push({ role: "user", text: note });
  else last.text += NOTE_BREAK + note;
}
