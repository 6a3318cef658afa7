import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch, isRefusedRequest } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";
import { withFieldMark, withReasoningField } from "./sdk/reasoning-field.ts";
import { OPENAI_STRICT } from "./sdk/strict.ts";

export interface OpenAiServer {
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
  const { apiKey } = server;
  const known = chatModel(modelId, server);
  return sdkModel({
    name: `openai/${modelId}`,
    window,
    toolForm: { kind: "strict", mode: OPENAI_STRICT },
    secrets: apiKey === undefined ? [] : [apiKey],
    async generate(call) {
      const asked = { ...call, prompt: withReasoningField(call.prompt) };
      const send = () =>
        known.model.doGenerate(known.thinks ? asked : { ...asked, reasoning: "none" });
      try {
        return withFieldMark(await send());
      } catch (error) {
        if (!known.thinks || !refusesToThink(error)) throw error;
        known.thinks = false;
        return withFieldMark(await send());
      }
    },
  });
}

/**
 * Whether a server refused tools because the model would think before it calls one. With
 * models since July 2026, OpenAI's chat completions take tools only with the reasoning effort `none`, which
 * is not the default.
 */
function refusesToThink(error: unknown): boolean {
  return (
    isRefusedRequest(error) &&
    error instanceof Error &&
    /reasoning_effort.*none/s.test(error.message)
  );
}

interface ChatModel {
  model: ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
  /** Whether it may think, as far as is known. */
  thinks: boolean;
}

/** Models of the SDK that are kept. Clients choose their names. */
const MODELS_KEPT = 32;
const models = new Map<string, ChatModel>();

/**
 * Returns the SDK's model, which executions share: each instance builds its schemas anew, 70 KB that would
 * stay in memory during every call.
 */
function chatModel(modelId: string, { baseUrl, apiKey }: OpenAiServer): ChatModel {
  const key = JSON.stringify([baseUrl, apiKey, modelId]);
  const known = models.get(key);
  if (known !== undefined) return known;
  const api = createOpenAICompatible({
    name: "openai",
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: cappedFetch,
  });
  const made = { model: api.chatModel(modelId), thinks: true };
  if (models.size >= MODELS_KEPT) models.clear();
  models.set(key, made);
  return made;
}
