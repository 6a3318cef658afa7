import {
  ModelError,
  type ModelRequest,
  type ReasoningPart,
  type ToolCall,
} from "../../../contract/conversation.ts";
import type { Json } from "../../../contract/json.ts";
import type { OutputFile } from "../../../contract/tools/call.ts";
import { counted } from "../../../lib/text.ts";
import { renderAnswer } from "./answer-text.ts";
import { type Fit, fitConversation, type StepLimits } from "./budget.ts";
import { filesText, IMAGE_BYTES, imagesNote, newestImages, shownFiles } from "./files.ts";
import { instructions, stepNote } from "./instructions.ts";
import { byteLength, shortenInput, shortenText, untrustedData } from "./text.ts";
import { type Draft, draftsOf, NOTE_BREAK } from "./transcript.ts";

/** A prompt for any language model. */
export interface Prompt {
  system: string;
  messages: PromptMessage[];
  /** The number of messages before the first step that is not shortened yet: they stay as they are. */
  settled: number;
}

export type PromptMessage =
  | { role: "user"; text: string; images?: readonly OutputFile[] }
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
  const images = newestImages(request);
  const given = shownFiles(request);
  const shown = images.length === 0 ? "" : imagesNote(images);
  const fixed = [system, JSON.stringify(request.tools), NOTE_BREAK, note, shown];
  const attached = images.length + given.size;
  const room = bytes - byteLength(fixed.join("")) - attached * IMAGE_BYTES;
  const [prompt, ...others] = draftsOf(request.turns);
  if (prompt?.kind !== "user") throw new Error("The conversation does not begin with a prompt.");
  const drafts = [withTriggerData(prompt, request, filesText(request, given, bytes)), ...others];
  const fitted = fitConversation(drafts, room);
  if (!fitted.ok) throw tooLong(fitted.needs + bytes - room, bytes);
  const tools = new Set(request.tools.map(({ name }) => name));
  const { messages, settled } = writeMessages(drafts, fitted, tools);
  const [first] = messages;
  if (given.size > 0 && first?.role === "user") first.images = [...given.values()];
  if (images.length > 0) addImages(messages, images);
  addNote(messages, note);
  return { system, messages, settled };
}

function tooLong(needs: number, bytes: number): ModelError {
  const message = `The task is too long for this model: with instructions and tools it needs at least ${needs} bytes, and the model's window has room for ${bytes}. Send less, allow fewer tools, or choose a model with a larger window.`;
  return new ModelError(message, { retryable: false });
}

/**
 * Returns the prompt with the data of the trigger. The parameters of `finish` have the shape of the output
 * schema, but not all of its rules.
 */
function withTriggerData(
  draft: Draft & { kind: "user" },
  request: ModelRequest,
  files: string | null,
): Draft {
  const part = (title: string, source: string, data: Json | null) =>
    data === null ? [] : [`${title}:\n${untrustedData({ source }, JSON.stringify(data))}`];
  const { inputs, outputSchema } = request;
  const text = [
    draft.text,
    ...part("Inputs of the task", "inputs", inputs),
    ...(files === null ? [] : [files]),
    ...part("JSON Schema of the result's data", "output_schema", outputSchema),
  ].join("\n\n");
  return { ...draft, text, length: byteLength(text) };
}

function writeMessages(
  drafts: readonly Draft[],
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

const omittedCallsNote = (calls: number) =>
  `[To save room, the last ${counted(calls, "call")} of this reply and their answers are left out. Make fewer calls at once, and repeat none that changed something outside.]`;

/** Joins consecutive messages of the user: some models accept only strict turns. */
function addUserText(messages: PromptMessage[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === "user") last.text += `\n\n${text}`;
  else messages.push({ role: "user", text });
}

function writeStep(
  messages: PromptMessage[],
  { text, reasoning, calls, answered, start, fault }: Draft & { kind: "step" },
  how: StepLimits & { gone: false },
  tools: ReadonlySet<string>,
): void {
  if (start !== null) addNote(messages, start);
  const sent = calls
    .slice(0, how.calls)
    .map((call) => ({ ...call, input: shortenInput(call.input, how.said) }));
  // Of an empty reply only the fault is shown: providers refuse an empty message.
  if (sent.length > 0 || text.trim() !== "") {
    messages.push({
      role: "assistant",
      text: shortenText(text, how.said),
      reasoning: reasoning.flatMap((part) => shortenReasoning(part, how.said)),
      calls: sent,
    });
  }
  for (const { callId, tool, json, note } of answered.slice(0, how.calls)) {
    const shown = renderAnswer({ callId, tool, json }, how.answer, tools);
    messages.push({ role: "tool", callId, tool, text: shown });
    if (note !== null) addNote(messages, note);
  }
  if (sent.length < calls.length) addNote(messages, omittedCallsNote(calls.length - sent.length));
  if (fault !== null) addNote(messages, fault);
}

/** Shortens a part of a model's reasoning. Signed reasoning is valid only as it is. */
function shortenReasoning(part: ReasoningPart, bytes: number): ReasoningPart[] {
  if (byteLength(JSON.stringify(part)) <= bytes) return [part];
  return part.metadata === undefined ? [{ text: shortenText(part.text, bytes) }] : [];
}

/** Adds images behind the last answers, before what the user said since. */
function addImages(messages: PromptMessage[], images: readonly OutputFile[]): void {
  const last = messages.at(-1);
  const said = last?.role === "user" ? `${NOTE_BREAK}${last.text}` : "";
  if (last?.role === "user") messages.pop();
  messages.push({ role: "user", text: imagesNote(images) + said, images });
}

/** Adds a line of ours behind the last message that is not the model's, outside of all data marks. */
function addNote(messages: PromptMessage[], note: string): void {
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant") messages.push({ role: "user", text: note });
  else last.text += NOTE_BREAK + note;
}
