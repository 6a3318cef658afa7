import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Model } from "../../contract/conversation.ts";
import { modelIdOf } from "./catalogue.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch, type Server, senderOf } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

/** Creates a model of Google's Gemini API. Gemini caches by itself. */
export function googleModel(name: string, server: Server, window: ModelWindow): Model {
  const { baseUrl, apiKey = "" } = server;
  const fetch = senderOf(server, cappedFetch);
  const model = createGoogle({ baseURL: baseUrl, apiKey, fetch })(modelIdOf(name));
  return sdkModel({
    name,
    window,
    secrets: [apiKey],
    send: async (call) => {
      const prompt = withAnswersTogether(call.prompt);
      return await model.doStream({ ...call, prompt, maxOutputTokens: window.answer });
    },
  });
}

/** Joins the answers to the calls of one reply: Gemini refuses a turn with fewer answers than there were calls. */
function withAnswersTogether(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const joined: LanguageModelV4Prompt = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    if (message.role !== "tool" || last?.role !== "tool") joined.push(message);
    else joined.splice(-1, 1, { ...last, content: [...last.content, ...message.content] });
  }
  return joined;
}
