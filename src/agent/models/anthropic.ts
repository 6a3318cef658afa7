import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Model } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";
import { ANTHROPIC_STRICT } from "./sdk/strict.ts";

export interface AnthropicServer {
  /** The base address, without `/messages`. */
  baseUrl: string;
  apiKey: string;
}

/**
 * Creates a model of Anthropic's Messages API, which requires a limit of output tokens and caches only
 * marked content.
 */
export function anthropicModel(
  modelId: string,
  { baseUrl, apiKey }: AnthropicServer,
  window: ModelWindow,
): Model {
  const model = createAnthropic({ baseURL: baseUrl, apiKey, fetch: cappedFetch })(modelId);
  return sdkModel({
    name: `anthropic/${modelId}`,
    window,
    toolForm: { kind: "strict", mode: ANTHROPIC_STRICT },
    secrets: [apiKey],
    generate: async (call, settled) =>
      await model.doGenerate({
        ...call,
        prompt: withCacheMarks(call.prompt, settled),
        maxOutputTokens: window.answer,
      }),
  });
}

/**
 * Sets the four cache marks that Anthropic allows: after the system prompt, which follows the tools; at
 * the end of the conversation, for the next step; where it ended one step ago, for steps with many calls
 * (the cache look-up goes back at most 20 blocks from a mark); and behind the settled messages, which
 * are all that remains of the last prompt when old steps are shortened.
 */
function withCacheMarks(prompt: LanguageModelV4Prompt, settled: number): LanguageModelV4Prompt {
  const before = prompt.findLastIndex(({ role }) => role === "assistant") - 1;
  const marked = new Set([0, settled, before, prompt.length - 1]);
  return prompt.map((message, index) => (marked.has(index) ? withMark(message) : message));
}

const withMark = (message: LanguageModelV4Message): LanguageModelV4Message => ({
  ...message,
  providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
});
