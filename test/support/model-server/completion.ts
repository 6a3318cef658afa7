import { randomUUID } from "node:crypto";
import type { Behaviour, ScriptedUsage } from "./behaviour.ts";

type Reply = Extract<Behaviour, { kind: "reply" }>;

const USUAL: ScriptedUsage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0 };

/** A chat completion as OpenAI sends it, as JSON text. */
export function completion({ text, calls, usage = USUAL }: Reply, model: string): string {
  const toolCalls = calls.map((call) => ({
    id: call.id ?? `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
    type: "function",
    function: { name: call.tool, arguments: call.arguments },
  }));
  const message = {
    role: "assistant",
    content: text || null,
    refusal: null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const finish_reason = toolCalls.length > 0 ? "tool_calls" : "stop";
  return JSON.stringify({
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    },
  });
}
