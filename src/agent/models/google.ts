import { createGoogle } from "@ai-sdk/google";
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
    send: async (call) => await model.doStream({ ...call, maxOutputTokens: window.answer }),
  });
}
