import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import type { Model, ModelReply, ModelRequest } from "../../../contract/conversation.ts";
import { writePrompt } from "../prompt/prompting.ts";
import { type ModelWindow, promptBytes } from "../prompt/windows.ts";
import { asModelError, isTooLong } from "./model-errors.ts";
import { toSdkPrompt, toSdkTools } from "./prompt.ts";
import { toReply } from "./reply.ts";

/** What each provider's file says of its models. */
export interface SdkModel {
  /** `provider/name`. */
  name: string;
  window: ModelWindow;
  /** Never to be told to anybody. */
  secrets: readonly string[];
  /** One request to the provider. */
  generate(call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult>;
}

/**
 * A model behind the SDK's common interface. Trying again, running tools and deadlines are the caller's:
 * one call of `respond` is one request, or two when the server says that the conversation is longer than
 * its window, which we can only estimate; then it gets half of it. Throws a `ModelError`, or the signal's
 * reason when that aborts, which ends the connection.
 */
export function sdkModel({ name, window, secrets, generate }: SdkModel): Model {
  async function attempt(request: ModelRequest, bytes: number, signal: AbortSignal) {
    const prompt = toSdkPrompt(writePrompt(request, bytes));
    const tools = toSdkTools(request.tools);
    const call = { prompt, abortSignal: signal, ...(tools.length > 0 ? { tools } : {}) };
    try {
      return { ok: true, result: await generate(call) } as const;
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, error } as const;
    }
  }
  return {
    name,
    async respond(request, signal): Promise<ModelReply> {
      signal.throwIfAborted();
      const bytes = promptBytes(window);
      let outcome = await attempt(request, bytes, signal);
      if (!outcome.ok && isTooLong(outcome.error)) {
        outcome = await attempt(request, Math.floor(bytes / 2), signal);
      }
      if (!outcome.ok) throw asModelError(outcome.error, { secrets, now: request.now });
      return toReply(outcome.result, request);
    },
  };
}
