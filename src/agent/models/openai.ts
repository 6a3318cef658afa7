import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

export interface OpenAiServer {
  /** The provider's part of its models' names. */
  provider: string;
  /** The base address, without `/chat/completions`. */
  baseUrl: string;
  /** Sent as a bearer token; self-hosted servers often need none. */
  apiKey: string | undefined;
}

/**
 * Creates a model of any server with OpenAI's chat completions. It sends no limit of output tokens: that
 * field's name differs between generations of models.
 */
export function openAiModel(modelId: string, server: OpenAiServer, window: ModelWindow): Model {
  const { provider, baseUrl, apiKey } = server;
  const api = createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: cappedFetch,
  });
  const model = api.chatModel(modelId);
  return sdkModel({
    name: `${provider}/${modelId}`,
    window,
    secrets: apiKey === undefined ? [] : [apiKey],
    generate: async (call) => await model.doGenerate(call),
  });
}
