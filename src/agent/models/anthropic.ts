import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Model } from "../../contract/conversation.ts";
import { modelIdOf } from "./catalogue.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch, type Server, senderOf } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

/**
 * Creates a model of Anthropic's Messages API, which requires a limit of output tokens and caches only
 * marked content.
 */
export function anthropicModel(name: string, server: Server, window: ModelWindow): Model {
  const { baseUrl, apiKey = "" } = server;
  const fetch = senderOf(server, cappedFetch);
  const model = createAnthropic({ baseURL: baseUrl, apiKey, fetch })(modelIdOf(name));
  return sdkModel({
    name,
    window,
    secrets: [apiKey],
    send: async (call, settled) =>
      await model.doStream({
        ...call,
        prompt: withCacheMarks(call.prompt, settled),
        maxOutputTokens: window.answer,
        // Nobody reads half of an input, which would come unchecked.
        providerOptions: { anthropic: { toolStreaming: false } },
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
