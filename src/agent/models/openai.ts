import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateText,
  type JSONSchema7,
  jsonSchema,
  type LanguageModelMiddleware,
  type ModelMessage,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from "ai";
import {
  type Model,
  ModelError,
  type ModelReply,
  type ToolDescription,
} from "../../contract/conversation.ts";
import { json } from "../../contract/json.ts";
import { parseStrictJson } from "../../lib/strict-json.ts";
import { readCapped } from "../../outbound/body.ts";
import { callIdsOf, uniqueCallId } from "./call-ids.ts";
import { asModelError } from "./model-errors.ts";
import { type PromptMessage, writePrompt } from "./prompting.ts";

/** No reply of use is longer, and each has to fit into a stored row. */
const MAX_REPLY_BYTES = 1_024 * 1_024;

export interface OpenAiServer {
  /** Up to and without `/chat/completions`. */
  baseUrl: string;
  /** Sent as a bearer token; servers of one's own often need none. */
  apiKey: string | undefined;
}

/**
 * A model of any server that speaks OpenAI's chat completions. One call of `respond` is one request:
 * trying again, running tools and deadlines are the caller's. Throws a `ModelError`, or the signal's
 * reason when that aborts, which ends the connection.
 */
export function openAiModel(modelId: string, server: OpenAiServer): Model {
  const provider = createOpenAICompatible({
    name: "openai",
    baseURL: server.baseUrl,
    ...(server.apiKey === undefined ? {} : { apiKey: server.apiKey }),
    fetch: cappedFetch,
  });
  const chatModel = provider.chatModel(modelId);
  return {
    name: `openai/${modelId}`,
    async respond(request, signal) {
      const { system, messages } = writePrompt(request);
      const middleware = normalizedCalls(callIdsOf(request.turns));
      try {
        const result = await generateText({
          model: wrapLanguageModel({ model: chatModel, middleware }),
          instructions: system,
          messages: messages.map(toSdkMessage),
          tools: toSdkTools(request.tools),
          maxRetries: 0,
          abortSignal: signal,
        });
        return toReply(result);
      } catch (error) {
        signal.throwIfAborted();
        throw asModelError(error, { apiKey: server.apiKey, now: request.now });
      }
    },
  };
}

type SdkResult = Awaited<ReturnType<typeof generateText>>;

function toReply({ text, toolCalls, usage }: SdkResult): ModelReply {
  return {
    text,
    calls: toolCalls.map(({ toolCallId, toolName, input }) => ({
      callId: toolCallId,
      tool: toolName,
      input: json.parse(input),
    })),
    usage: {
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      cachedTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
    },
  };
}

/**
 * Makes each call of a reply one that the SDK takes: it mixes up calls with the same id. An input that
 * is not good JSON becomes a JSON string of itself, so that it comes out as the text that the model wrote.
 */
function normalizedCalls(taken: Set<string>): LanguageModelMiddleware {
  return {
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate();
      const content = result.content.map((part) => {
        if (part.type !== "tool-call") return part;
        const toolCallId = uniqueCallId(part.toolCallId, taken);
        return {
          ...part,
          toolCallId,
          input: isGoodJson(part.input) ? part.input : JSON.stringify(part.input),
        };
      });
      return { ...result, content };
    },
  };
}

/** An empty input is what many models send for a call without arguments. */
function isGoodJson(text: string): boolean {
  return text.trim() === "" || parseStrictJson(new TextEncoder().encode(text)).ok;
}

function toSdkMessage(message: PromptMessage): ModelMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
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

/**
 * Tools without `execute`: the SDK hands the calls back, and the step is stored before any of them
 * runs. Inputs are checked by the tools themselves, so the schemas pass through as they are.
 */
function toSdkTools(tools: ToolDescription[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as JSONSchema7) }),
    ]),
  );
}

/** Reads the answer whole, up to a limit: the SDK alone would take two gigabytes. */
async function cappedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const signal = init?.signal ?? new AbortController().signal;
  const { bytes, cut } = await readCapped(response.body, MAX_REPLY_BYTES, signal);
  if (cut) throw new ModelError("The model's answer is too long.", { retryable: false });
  return new Response(bytes, response);
}
