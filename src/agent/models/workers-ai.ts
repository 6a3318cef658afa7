import { APICallError, type LanguageModelV4Content } from "@ai-sdk/provider";
import { createWorkersAI } from "workers-ai-provider";
import { type Model, ModelError } from "../../contract/conversation.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { errorDetail, isContextOverflow, RefusedRequestError } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

/**
 * Creates a model of Cloudflare's Workers AI binding. Without a limit of output tokens it stops after
 * 256. `conversation` keeps the steps of an execution at one replica, which caches the earlier ones.
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
    toolForm: { kind: "plain" },
    secrets: [],
    async generate(call) {
      try {
        const result = await model.doGenerate({ ...call, maxOutputTokens: window.answer });
        return { ...result, content: result.content.map(withOwnId) };
      } catch (error) {
        throw toKnownError(error);
      }
    },
  });
}

/** The suffix that the library adds to each call's id, and removes when it sends the id back. */
const ADDED_TO_IDS = /::cf-wai-tool-call::.*$/;

function withOwnId(part: LanguageModelV4Content): LanguageModelV4Content {
  if (part.type !== "tool-call") return part;
  return { ...part, toolCallId: part.toolCallId.replace(ADDED_TO_IDS, "") };
}

/**
 * Classifies an error of the binding by the code before its message; the library knows only the codes in
 * Cloudflare's list. Other 50xx codes concern the request and are final; all others may be temporary.
 */
function toKnownError(error: unknown): unknown {
  if (!APICallError.isInstance(error) || isContextOverflow(error)) return error;
  const code = /\b(\d{4}):/.exec(error.message)?.[1];
  const detail = errorDetail(error, { secrets: [] });
  if (code === "3036") {
    const message = `The daily free allocation of Workers AI is used up: ${detail}`;
    return new ModelError(message, { retryable: false });
  }
  if (error.statusCode !== undefined || code === undefined) return error;
  if (code.startsWith("50"))
    return new RefusedRequestError(`Workers AI refused the request: ${detail}`);
  return new ModelError(`Workers AI failed: ${detail}`, { retryable: true });
}
