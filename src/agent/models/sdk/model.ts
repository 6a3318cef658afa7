import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { Model, ModelReply, ModelRequest } from "../../../contract/conversation.ts";
import { type ModelWindow, promptBytes } from "../prompt/budget.ts";
import { type Prompt, type PromptMessage, writePrompt } from "../prompt/prompt.ts";
import { asModelError, isContextOverflow, isMalformedCall, isRefusedRequest } from "./http.ts";
import { toReply } from "./reply.ts";
import { type ToolForm, toSdkTools } from "./tools.ts";

/** A provider's model. */
export interface SdkModel {
  /** `provider/name`. */
  name: string;
  window: ModelWindow;
  toolForm: ToolForm;
  /** Removed from all messages. */
  secrets: readonly string[];
  /** Sends one request to the provider. */
  generate(call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult>;
}

/**
 * Creates a model on the SDK's common interface. Retries, tools and deadlines are the caller's: one call
 * of `respond` is one request. It is repeated at once with half the length if the conversation exceeds
 * the server's window, which is only estimated here, and without strict schemas if the server refuses a
 * request that has one: not every server knows the field. Throws a `ModelError`, or the signal's reason when it
 * aborts, which ends the connection.
 */
export function sdkModel({ name, window, toolForm, secrets, generate }: SdkModel): Model {
  /** False once the server has refused a request with a strict schema and accepted one without. */
  let enforce = true;
  async function attempt(request: ModelRequest, bytes: number, signal: AbortSignal) {
    const prompt = toSdkPrompt(writePrompt(request, bytes));
    const tools = toSdkTools(request.tools, toolForm, enforce);
    const call = { prompt, abortSignal: signal, ...(tools.length > 0 ? { tools } : {}) };
    try {
      return { ok: true, result: await generate(call) } as const;
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, error, strict: tools.some((tool) => tool.strict === true) } as const;
    }
  }
  return {
    name,
    async respond(request, signal): Promise<ModelReply> {
      signal.throwIfAborted();
      const bytes = promptBytes(window);
      let outcome = await attempt(request, bytes, signal);
      if (!outcome.ok && isMalformedCall(outcome.error)) return MALFORMED;
      if (!outcome.ok && isContextOverflow(outcome.error)) {
        outcome = await attempt(request, Math.floor(bytes / 2), signal);
      } else if (!outcome.ok && outcome.strict && isRefusedRequest(outcome.error)) {
        enforce = false;
        outcome = await attempt(request, bytes, signal);
        enforce = !outcome.ok;
      }
      if (!outcome.ok) throw asModelError(outcome.error, { secrets, now: request.now });
      return toReply(outcome.result, request);
    },
  };
}

const MALFORMED: ModelReply = {
  text: "",
  calls: [],
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
  fault:
    "Your reply had a call that could not be parsed, so it was discarded. Write the input of each call as one valid JSON object.",
};

/** Converts a prompt for the SDK. */
function toSdkPrompt({ system, messages }: Prompt): LanguageModelV4Prompt {
  return [{ role: "system", content: system }, ...messages.map(toSdkMessage)];
}

function toSdkMessage(message: PromptMessage): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          // Anthropic rejects a conversation with a blank text.
          ...(message.text.trim() === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map(({ callId, tool, input }) => ({
            type: "tool-call" as const,
            toolCallId: callId,
            toolName: tool,
            input,
          })),
        ],
      };
    case "tool": {
      const output = { type: "text" as const, value: message.text };
      const result = { toolCallId: message.callId, toolName: message.tool, output };
      return { role: "tool", content: [{ type: "tool-result", ...result }] };
    }
  }
}
