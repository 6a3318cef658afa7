import {
  APICallError,
  type LanguageModelV4Content,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { createWorkersAI } from "workers-ai-provider";
import { type Model, ModelError } from "../../contract/conversation.ts";
import { factsOf, modelIdOf } from "./catalogue.ts";
import type { ModelWindow } from "./prompt/budget.ts";
import { errorDetail, isContextOverflow, RefusedRequestError } from "./sdk/http.ts";
import { sdkModel } from "./sdk/model.ts";

/**
 * Creates a model of Cloudflare's Workers AI binding. Without a limit of output tokens it stops after
 * 256. `conversation` keeps the steps of an execution at one replica, which caches the earlier ones.
 */
export function workersAiModel(
  name: string,
  binding: Ai,
  window: ModelWindow,
  conversation: string,
): Model {
  const { streams } = factsOf(name);
  const model = createWorkersAI({ binding })(modelIdOf(name), { sessionAffinity: conversation });
  return sdkModel({
    name,
    window,
    needsPlainTools: true,
    secrets: [],
    async send(call) {
      const options = { ...call, maxOutputTokens: window.answer };
      try {
        if (streams) {
          const { stream } = await model.doStream(options);
          return { stream: stream.pipeThrough(ownIds()) };
        }
        const result = await model.doGenerate(options);
        return { ...result, content: result.content.map(withOwnId) };
      } catch (error) {
        throw toKnownError(error);
      }
    },
  });
}

/** The suffix that the library adds to each call's id, and removes when it sends the id back. */
const ADDED_TO_IDS = /::cf-wai-tool-call::.*$/;

function ownIds() {
  return new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform: (part, controller) => controller.enqueue(withOwnId(part)),
  });
}

function withOwnId<Part extends LanguageModelV4Content | LanguageModelV4StreamPart>(
  part: Part,
): Part {
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
    return new ModelError(message, { retryable: false, isUnusable: true });
  }
  if (code === "5007" || code === "5018") {
    const message = `Workers AI does not offer the model: ${detail}`;
    return new ModelError(message, { retryable: false, isUnusable: true });
  }
  if (error.statusCode !== undefined || code === undefined) return error;
  if (code.startsWith("50"))
    return new RefusedRequestError(`Workers AI refused the request: ${detail}`);
  return new ModelError(`Workers AI failed: ${detail}`, { retryable: true });
}
