import { APICallError, type LanguageModelV4Content } from "@ai-sdk/provider";
import { createWorkersAI } from "workers-ai-provider";
import { type Model, ModelError } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { errorDetail, isContextOverflow } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

/**
 * A model of Cloudflare's Workers AI, by its binding. Without a limit of what may be written it stops
 * after 256 tokens. `conversation` keeps the steps of one execution at one replica, whose cache has
 * what came before.
 */
export function workersAiModel(
  modelId: string,
  binding: Ai,
  window: ModelWindow,
  conversation: string,
): Model {
  const model = createWorkersAI({ binding })(modelId, { sessionAffinity: conversation });
  return sdkModel({
    name: `workers-ai/${modelId}`,
    window,
    secrets: [],
    async generate(call) {
      try {
        const result = await model.doGenerate({ ...call, maxOutputTokens: window.answer });
        return { ...result, content: result.content.map(withOwnId) };
      } catch (error) {
        throw understood(error);
      }
    },
  });
}

/** The library adds to each call's id what it takes off again when it sends the id back. */
const ADDED_TO_IDS = /::cf-wai-tool-call::.*$/;

function withOwnId(part: LanguageModelV4Content): LanguageModelV4Content {
  if (part.type !== "tool-call") return part;
  return { ...part, toolCallId: part.toolCallId.replace(ADDED_TO_IDS, "") };
}

/**
 * The binding tells errors by codes in front of their messages, of which the library knows only those
 * in Cloudflare's list. The other 50xx are about the request itself, which stays as it is; what else
 * there is may pass.
 */
function understood(error: unknown): unknown {
  if (!APICallError.isInstance(error) || isContextOverflow(error)) return error;
  const code = /\b(\d{4}):/.exec(error.message)?.[1];
  if (code === "3036") {
    const message = "The daily free allocation of Workers AI is used up (3036).";
    return new ModelError(message, { retryable: false });
  }
  if (error.statusCode !== undefined || code === undefined) return error;
  if (code.startsWith("50")) {
    const message = `Workers AI refused the request: ${errorDetail(error, { secrets: [] })}`;
    return new ModelError(message, { retryable: false });
  }
  return new ModelError(`Workers AI failed (${code}).`, { retryable: true });
}
