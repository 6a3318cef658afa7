import { randomUUID } from "node:crypto";
import type { Reply } from "./behaviour.ts";
import { USUAL_USAGE } from "./protocol.ts";

/** A chat completion as OpenAI sends it. */
export function completion(reply: Reply, model: string) {
  const { text, calls, usage = USUAL_USAGE, cutShort, refusal = null } = reply;
  const toolCalls = calls.map((call) => ({
    id: call.id ?? `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
    type: "function",
    function: { name: call.tool, arguments: call.arguments },
  }));
  const message = {
    role: "assistant",
    content: text || null,
    refusal,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const ended = toolCalls.length > 0 ? "tool_calls" : "stop";
  const finish_reason = cutShort ? "length" : ended;
  return {
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
  };
}
