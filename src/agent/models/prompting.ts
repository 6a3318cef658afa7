import type { ModelRequest, ToolCall, Turn } from "../../contract/conversation.ts";
import type { Json } from "../../contract/json.ts";
import type { ToolAnswer } from "../../contract/tools/answer.ts";
import { answerText } from "./answer-text.ts";
import { answerLimits } from "./budget.ts";
import { dataPart } from "./data-part.ts";
import { instructions } from "./instructions.ts";

/** A conversation in words, as any language model takes it. */
export interface Prompt {
  system: string;
  messages: PromptMessage[];
}

export type PromptMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: ToolCall[] }
  | { role: "tool"; callId: string; tool: string; text: string };

/**
 * Writes a request as a prompt: the user's words as they are, everything from outside as marked data,
 * each call followed by its answer, and answers cut as budget.ts says.
 */
export function writePrompt(request: ModelRequest): Prompt {
  const system = instructions(request);
  const drafts = orderTurns(request);
  const fixed = system.length + drafts.reduce((length, draft) => length + wordLength(draft), 0);
  const canProcess = request.tools.some(({ name }) => name === "process_data");
  return { system, messages: cutAnswers(drafts, fixed, canProcess) };
}

interface AnswerDraft {
  role: "answer";
  callId: string;
  tool: string;
  json: string;
  /** Whether it answers the model's last reply. */
  newest: boolean;
}
type Draft = Exclude<PromptMessage, { role: "tool" }> | AnswerDraft;

/**
 * Puts each call's answer right behind the reply that asked for it, which chat APIs insist on: a
 * message of the user may have come between, and a call that was interrupted has no answer at all.
 */
function orderTurns(request: ModelRequest): Draft[] {
  const answers = new Map<string, ToolAnswer>();
  for (const turn of request.turns) if (turn.role === "tool") answers.set(turn.callId, turn.answer);
  const lastReply = request.turns.findLastIndex(({ role }) => role === "assistant");
  const drafts: Draft[] = [];
  for (const [index, turn] of request.turns.entries()) {
    if (turn.role === "user") addUserText(drafts, userText(turn, index === 0, request));
    if (turn.role !== "assistant") continue;
    const calls = turn.calls.map(sendable);
    drafts.push({ role: "assistant", text: turn.text, calls });
    for (const { callId, tool } of calls) {
      const json = answerJson(answers.get(callId) ?? NOT_RUN);
      drafts.push({ role: "answer", callId, tool, json, newest: index === lastReply });
    }
  }
  return drafts;
}

const NOT_RUN: ToolAnswer = {
  ok: false,
  error: { code: "not_run", message: "The call was given up before it had an answer." },
};

/** What the model wrote goes back in a form that every server takes: one bad name spoils a whole conversation. */
function sendable({ callId, tool, input }: ToolCall): ToolCall {
  const name = tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return { callId, tool: name, input: isObject ? input : { unreadable: input } };
}

const answerJson = (answer: ToolAnswer) =>
  JSON.stringify(answer.ok ? answer.content : { error: answer.error });

/** Messages of the user that follow one another become one: some models know strict turns only. */
function addUserText(drafts: Draft[], text: string): void {
  const last = drafts.at(-1);
  if (last?.role === "user") last.text += `\n\n${text}`;
  else drafts.push({ role: "user", text });
}

/** The prompt has the data beside it that came with the trigger. */
function userText(turn: Turn & { role: "user" }, isPrompt: boolean, request: ModelRequest): string {
  if (!isPrompt) return turn.text;
  const part = (title: string, source: string, data: Json | null) =>
    data === null ? [] : [`${title}:\n${dataPart({ source }, JSON.stringify(data))}`];
  return [
    turn.text,
    ...part("Inputs of the task", "inputs", request.inputs),
    ...part("JSON Schema of the result's data", "output_schema", request.outputSchema),
  ].join("\n\n");
}

function wordLength(draft: Draft): number {
  if (draft.role === "answer") return 0;
  return draft.text.length + (draft.role === "user" ? 0 : JSON.stringify(draft.calls).length);
}

function cutAnswers(drafts: Draft[], fixed: number, canProcess: boolean): PromptMessage[] {
  const answers = drafts.filter((draft) => draft.role === "answer");
  const newest = answers.filter((answer) => answer.newest).length;
  const lengths = answers.map(({ json }) => json.length);
  const limits = answerLimits(lengths, newest, fixed).values();
  return drafts.map((draft) => {
    if (draft.role !== "answer") return draft;
    const { callId, tool } = draft;
    const text = answerText(draft, limits.next().value ?? 0, canProcess);
    return { role: "tool", callId, tool, text };
  });
}
