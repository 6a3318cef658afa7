import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Model } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

export interface AnthropicServer {
  /** Up to and without `/messages`. */
  baseUrl: string;
  apiKey: string;
}

/**
 * A model of Anthropic's Messages API. That asks how much may be written at most, and caches only what
 * is marked.
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
    secrets: [apiKey],
    generate: async (call) =>
      await model.doGenerate({
        ...call,
        prompt: withCacheMarks(call.prompt),
        maxOutputTokens: window.answer,
      }),
  });
}

/**
 * Marks up to where Anthropic caches, three of the four marks that it allows: the system prompt, which
 * has the tools before it; the end of the conversation, for the next step; and where it ended one step
 * ago. Without that last one a step of many calls would not find it: the search for what was cached
 * goes back no more than 20 blocks from a mark.
 */
function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const before = prompt.findLastIndex(({ role }) => role === "assistant") - 1;
  const marked = new Set([0, before, prompt.length - 1]);
  return prompt.map((message, index) => (marked.has(index) ? withMark(message) : message));
}

const withMark = (message: LanguageModelV4Message): LanguageModelV4Message => ({
  ...message,
  providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
});
