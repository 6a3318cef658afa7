import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

export interface OpenAiServer {
  /** Up to and without `/chat/completions`. */
  baseUrl: string;
  /** Sent as a bearer token; servers of one's own often need none. */
  apiKey: string | undefined;
}

/**
 * A model of any server that speaks OpenAI's chat completions. How much it may write is left to the
 * server: the field that says so has another name for each generation of models.
 */
export function openAiModel(modelId: string, server: OpenAiServer, window: ModelWindow): Model {
  const { baseUrl, apiKey } = server;
  const provider = createOpenAICompatible({
    name: "openai",
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: cappedFetch,
  });
  const model = provider.chatModel(modelId);
  return sdkModel({
    name: `openai/${modelId}`,
    window,
    secrets: apiKey === undefined ? [] : [apiKey],
    generate: async (call) => await model.doGenerate(call),
  });
}
