import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError } from "@ai-sdk/provider";
import * as z from "zod";
import type { Model } from "../../contract/conversation.ts";
import { jsonOrNull } from "../../lib/json-values.ts";
import { LruMap } from "../../lib/lru-map.ts";
import { modelIdOf } from "./catalogue.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { cappedFetch, isJson, isRefusedRequest, type Server, senderOf } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

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
      try {
        return await known.model.doStream(known.thinks ? call : { ...call, reasoning: "none" });
      } catch (error) {
        if (!known.thinks || !refusesToThink(error)) throw error;
        known.thinks = false;
        return await known.model.doStream({ ...call, reasoning: "none" });
      }
    },
  });
}

/**
 * Whether a server takes tools only without thinking: with models since July 2026, OpenAI's chat completions
 * do so only with the reasoning effort `none`, which is not the default.
 */
function refusesToThink(error: unknown): boolean {
  const said = isRefusedRequest(error) && error instanceof Error ? error.message : "";
  return /reasoning_effort.*none/s.test(said);
}

interface ChatModel {
  model: ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
  /** Whether the server lets the model think, as far as is known. */
  thinks: boolean;
}

/** Models of the SDK that are kept. Clients choose their names. */
const MODELS_KEPT = 32;
const models = new LruMap<ChatModel>(MODELS_KEPT);

/**
 * Returns the SDK's model, which executions share: each instance builds its schemas anew, 70 KB that would
 * stay in memory during every call.
 */
function chatModel(modelId: string, server: Server): ChatModel {
  const { baseUrl, apiKey } = server;
  const fetch = senderOf(server, streamedFetch);
  const key = JSON.stringify([baseUrl, apiKey, modelId, server.connect !== undefined]);
  const known = server.fetch === undefined ? models.get(key) : undefined;
  if (known !== undefined) return known;
  const model = createOpenAICompatible({
    name: "openai",
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    fetch,
  }).chatModel(modelId);
  const made = { model, thinks: true };
  if (server.fetch === undefined) models.set(key, made);
  return made;
}

/** A chat completion that is not streamed; `error` is how some gateways answer. */
const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
      }),
    )
    .min(1),
});

/** Fetches a streamed chat completion. A server that does not stream sends it whole: a stream of one event. */
async function streamedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
  connect?: typeof fetch,
): Promise<Response> {
  const response = await cappedFetch(input, init, connect);
  if (!response.ok || !isJson(response)) return response;
  const body = await response.text();
  const whole = completion.safeParse(jsonOrNull(body)).data;
  if (whole === undefined) {
    throw new APICallError({
      message: "The reply is no chat completion.",
      url: response.url,
      requestBodyValues: {},
      statusCode: response.status,
      responseBody: body,
    });
  }
  const choices = whole.choices.map(({ message, ...choice }) => ({
    ...choice,
    delta: {
      ...message,
      tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })),
    },
  }));
  return new Response(`data: ${JSON.stringify({ ...whole, choices })}\n\ndata: [DONE]\n\n`, {
    headers: { "Content-Type": "text/event-stream" },
  });
}
