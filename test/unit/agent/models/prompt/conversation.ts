import {
  type Prompt,
  type PromptMessage,
  writePrompt as writePromptWithin,
} from "../../../../../src/agent/models/prompt/prompt.ts";
import type { ModelRequest, Turn } from "../../../../../src/contract/conversation.ts";
import type { Json } from "../../../../../src/contract/json.ts";
import { TOOL_NAMES } from "../../../../../src/contract/tools/names.ts";
import { STEP_START } from "../../../../support/execution.ts";

/** Room for all but the longest conversations, in bytes. */
export const LARGE = 240_000;
export const writeWholePrompt = (made: ModelRequest, bytes = LARGE) =>
  writePromptWithin(made, bytes);

/** A prompt without the lines on the state of the execution. */
export const writePrompt = (made: ModelRequest, bytes = LARGE): Prompt => {
  const { messages, ...prompt } = writeWholePrompt(made, bytes);
  const bare = (text: string) => text.replace(/\n\n\[Step [^\]]*\]/g, "");
  return {
    ...prompt,
    messages: messages.map((message) => ({ ...message, text: bare(message.text) })),
  };
};

/** A request with the prompt alone, and what is changed of it. */
export const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  inputs: null,
  outputSchema: null,
  interactive: false,
  turns: [{ role: "user", text: "Do the task." }],
  tools: TOOL_NAMES.map((name) => ({ name, description: name, inputSchema: { type: "object" } })),
  now: new Date("2026-11-21T23:59:00.000Z"),
  start: STEP_START,
  ...change,
});

/** A step of the conversation: one call and its answer. */
export const step = (callId: string, content: Json, tool = "browse"): Turn[] => [
  { role: "assistant", text: "", calls: [{ callId, tool, input: {} }] },
  { role: "tool", callId, tool, answer: { ok: true, content } },
];

/** What a model is sent of the prompt and what came after it. */
export const conversation = (...turns: Turn[]) =>
  writePrompt(request({ turns: [{ role: "user", text: "Do the task." }, ...turns] })).messages;

/** A call's answer as a model is sent it. */
export const textOf = (messages: PromptMessage[], callId: string) =>
  messages.find((message) => message.role === "tool" && message.callId === callId)?.text ?? "";
