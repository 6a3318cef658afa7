import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model } from "../../contract/conversation.ts";
import { modelIdOf } from "./catalogue.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { isRefusedRequest, type Server, senderOf } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";
import { streamedFetch } from "./sdk/whole-completion.ts";

/**
 * Creates a model of any server with OpenAI's chat completions; many ask for no key. It sends no limit of
 * output tokens: that field's name differs between generations of models.
 */
export function openAiModel(name: string, server: Server, window: ModelWindow): Model {
  const { apiKey } = server;
  const known = chatModel(modelIdOf(name), server);
  return sdkModel({
    name,
    window,
    secrets: apiKey === undefined ? [] : [apiKey],
    async send(call) {
      for (;;) {
        try {
          const model = known.countsTokens ? known.counting : known.bare;
          return await model.doStream(known.thinks ? call : { ...call, reasoning: "none" });
        } catch (error) {
          const refused = REFUSALS.find(([field, text]) => known[field] && isRefusal(error, text));
          if (refused === undefined) throw error;
          known[refused[0]] = false;
        }
      }
    },
  });
}

/**
 * What a server may refuse, and the words by which it does. With models since July 2026, OpenAI's chat
 * completions take tools only with the reasoning effort `none`, which is not the default. Some servers do
 * not know the option by which others send the usage of a stream.
 */
const REFUSALS = [
  ["thinks", /reasoning_effort.*none/s],
  ["countsTokens", /stream_options|include_usage/],
] as const;

function isRefusal(error: unknown, text: RegExp): boolean {
  return isRefusedRequest(error) && error instanceof Error && text.test(error.message);
}

type SdkModel = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;

interface ChatModel {
  /** Asks for the usage of a stream, and does not. */
  counting: SdkModel;
  bare: SdkModel;
  /** Whether the server takes these, as far as is known. */
  thinks: boolean;
  countsTokens: boolean;
}

/** Models of the SDK that are kept. Clients choose their names. */
const MODELS_KEPT = 32;
const models = new Map<string, ChatModel>();

/**
 * Returns the SDK's model, which executions share: each instance builds its schemas anew, 70 KB that would
 * stay in memory during every call.
 */
function chatModel(modelId: string, server: Server): ChatModel {
  const { baseUrl, apiKey } = server;
  const fetch = senderOf(server, streamedFetch);
  const key = JSON.stringify([baseUrl, apiKey, modelId, server.connect !== undefined]);
  const known = models.get(key);
  if (known !== undefined && server.fetch === undefined) return known;
  const create = (includeUsage: boolean) =>
    createOpenAICompatible({
      name: "openai",
      baseURL: baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
      includeUsage,
      fetch,
    }).chatModel(modelId);
  const made = { counting: create(true), bare: create(false), thinks: true, countsTokens: true };
  if (server.fetch !== undefined) return made;
  if (models.size >= MODELS_KEPT) models.clear();
  models.set(key, made);
  return made;
}
