import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type {
  Model,
  ModelReply,
  ModelRequest,
  ToolDescription,
} from "../../../contract/conversation.ts";
import { type ModelWindow, promptBytes } from "../prompt/budget.ts";
import { type Prompt, type PromptMessage, writePrompt } from "../prompt/prompt.ts";
import { asModelError, isContextOverflow } from "./http.ts";
import { toReply } from "./reply.ts";

/** A provider's model. */
export interface SdkModel {
  /** `provider/name`. */
  name: string;
  window: ModelWindow;
  /** Removed from all messages. */
  secrets: readonly string[];
  /** Sends one request to the provider. */
  generate(call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult>;
}

/**
 * Creates a model on the SDK's common interface. Retries, tools and deadlines are the caller's: one call
 * of `respond` is one request, or two if the conversation exceeds the server's window, which is only
 * estimated here; the second has half the length. Throws a `ModelError`, or the signal's reason when it
 * aborts, which ends the connection.
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
      if (!outcome.ok && isContextOverflow(outcome.error)) {
        outcome = await attempt(request, Math.floor(bytes / 2), signal);
      }
      if (!outcome.ok) throw asModelError(outcome.error, { secrets, now: request.now });
      return toReply(outcome.result, request);
    },
  };
}

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

/** Converts tools for the SDK. The tools check their inputs, so the schemas are passed unchanged. */
function toSdkTools(tools: ToolDescription[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema: inputSchema as JSONSchema7,
  }));
}
