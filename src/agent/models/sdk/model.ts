import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import type {
  Model,
  ModelReply,
  ModelRequest,
  ReplyWatch,
  ToolDescription,
  Turn,
} from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { propertiesOf } from "../../../lib/json-schema/portable.ts";
import { isObject, mapMembers } from "../../../lib/json-values.ts";
import { factsOf } from "../catalogue.ts";
import { type ModelWindow, promptBytes } from "../prompt/budget.ts";
import { newestImages, PDF, shownFiles, withReadable } from "../prompt/files.ts";
import { type PromptMessage, writePrompt } from "../prompt/prompt.ts";
import { asModelError, isContextOverflow, isMalformedCall, isRefusedRequest } from "./http.ts";
import { toReply } from "./reply.ts";
import { type Answer, readAnswer } from "./stream.ts";

/** A provider's model. */
export interface SdkModel {
  /** `provider/name`. */
  name: string;
  window: ModelWindow;
  /** Whether every parameter of a tool needs one type and a description. */
  needsPlainTools?: boolean;
  /** Removed from all messages. */
  secrets: readonly string[];
  /**
   * Sends one request to the provider and resolves when it begins to answer. The prompt's first `settled`
   * messages after the system's stay as they are.
   */
  send(call: LanguageModelV4CallOptions, settled: number): Promise<Answer>;
}

/**
 * Creates a model on the SDK's common interface. Retries, tools and deadlines are the caller's: one call
 * of `respond` is one request. It is repeated at once with half the length if the conversation exceeds
 * the server's window, which is only estimated here, and without extras (see `hasExtras`) if the server
 * refuses a request that has some. Throws a `ModelError`, or the signal's reason when it aborts, which
 * ends the connection.
 */
export function sdkModel({
  name,
  window,
  needsPlainTools = false,
  secrets,
  send,
}: SdkModel): Model {
  /** False once the server has refused a request with extras and accepted one without. */
  let withExtras = true;
  async function attempt(
    asked: ModelRequest,
    bytes: number,
    signal: AbortSignal,
    watch: ReplyWatch,
  ) {
    const request = withExtras ? asked : withoutExtras(asked);
    const { settled, system, messages } = writePrompt(request, bytes);
    const tools = toSdkTools(request.tools, needsPlainTools);
    const call = {
      prompt: [{ role: "system" as const, content: system }, ...messages.map(toSdkMessage)],
      abortSignal: signal,
      // Among them are the pings that keep a stream alive.
      includeRawChunks: true,
      ...(tools.length > 0 ? { tools } : {}),
    };
    try {
      const answer = await send(call, settled);
      watch.answered();
      return { ok: true, result: await readAnswer(answer, watch, signal) } as const;
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, error, hasExtras: hasExtras(request) } as const;
    }
  }
  return {
    name,
    async respond(asked, signal, watch = UNWATCHED): Promise<ModelReply> {
      signal.throwIfAborted();
      const request = withReadable(asked, factsOf(name));
      const bytes = promptBytes(window);
      let outcome = await attempt(request, bytes, signal, watch);
      if (!outcome.ok && isMalformedCall(outcome.error)) return MALFORMED;
      if (!outcome.ok && isContextOverflow(outcome.error)) {
        outcome = await attempt(request, Math.floor(bytes / 2), signal, watch);
      } else if (!outcome.ok && outcome.hasExtras && isRefusedRequest(outcome.error)) {
        withExtras = false;
        outcome = await attempt(request, bytes, signal, watch);
        withExtras = !outcome.ok;
      }
      if (!outcome.ok) throw asModelError(outcome.error, { secrets, now: request.now });
      return toReply(outcome.result, request);
    },
  };
}

const UNWATCHED: ReplyWatch = { answered: () => {}, wrote: () => {} };

const MALFORMED: ModelReply = {
  text: "",
  calls: [],
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
  fault:
    "Your reply had a call that could not be parsed, so it was discarded. Write the input of each call as one valid JSON object.",
};

function toSdkMessage(message: PromptMessage): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return {
        role: "user",
        content: [
          ...(message.images ?? []).map(({ mediaType, bytes, filename }) => ({
            type: "file" as const,
            mediaType,
            ...(mediaType === PDF && { filename }),
            data: { type: "data" as const, data: bytes },
          })),
          { type: "text", text: message.text },
        ],
      };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...message.reasoning.map(({ text, metadata }) => ({
            type: "reasoning" as const,
            text,
            ...(metadata === undefined ? {} : { providerOptions: metadata }),
          })),
          // Anthropic rejects a conversation with a blank text.
          ...(message.text.trim() === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map(({ callId, tool, input, metadata }) => ({
            type: "tool-call" as const,
            toolCallId: callId,
            toolName: tool,
            input,
            ...(metadata === undefined ? {} : { providerOptions: metadata }),
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

/** Converts tools for the SDK; `isPlain` for the form that Workers AI requires. */
export function toSdkTools(
  tools: readonly ToolDescription[],
  isPlain: boolean,
): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema: (isPlain ? withPlainTypes(inputSchema) : inputSchema) as JSONSchema7,
  }));
}

/** Gives every parameter one type and a description, as the model pages of Workers AI require. */
function withPlainTypes(schema: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return { ...schema, properties: mapMembers(properties, plainParameter) };
}

function plainParameter(schema: Json, name: string): JsonObject {
  const { description = name, ...shape } = isObject(schema) ? schema : {};
  const variants = (Array.isArray(shape.anyOf) ? shape.anyOf : [shape]).filter(isObject);
  const [only, ...others] = variants.filter(({ type }) => type !== "null");
  const kept = only !== undefined && others.length === 0 ? only : shape;
  const types = variants.flatMap(({ type }) => type ?? []).filter((type) => type !== "null");
  return { ...kept, type: types[0] ?? "object", description };
}

/**
 * Whether a request has parts that not every server accepts: an output schema as parameters, reasoning,
 * images or PDF files.
 */
function hasExtras(request: ModelRequest): boolean {
  const { tools, turns } = request;
  return (
    newestImages(request).length > 0 ||
    shownFiles(request).size > 0 ||
    tools.some(({ hasOutputSchema }) => hasOutputSchema === true) ||
    turns.some((turn) => turn.role === "assistant" && turn.reasoning !== undefined)
  );
}

/** Returns a request without these parts. The prompt then states the output schema as text. */
export function withoutExtras(request: ModelRequest): ModelRequest {
  const { tools, turns, files: _, ...rest } = request;
  return { ...rest, tools: tools.map(withOpenData), turns: turns.map(withoutReasoning) };
}

/** Leaves only the description of `data` in place of the output schema. */
function withOpenData({ hasOutputSchema, ...tool }: ToolDescription): ToolDescription {
  if (hasOutputSchema !== true) return tool;
  const properties = propertiesOf(tool.inputSchema);
  const description = isObject(properties.data) ? properties.data.description : undefined;
  const data = description === undefined ? {} : { description };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...properties, data } } };
}

/** Turns without their reasoning: each step's prompt recognises those of the last one. */
const bareTurns = new WeakMap<Turn, Turn>();

function withoutReasoning(turn: Turn): Turn {
  if (turn.role !== "assistant" || turn.reasoning === undefined) return turn;
  const known = bareTurns.get(turn);
  if (known !== undefined) return known;
  const { reasoning: _, ...bare } = turn;
  bareTurns.set(turn, bare);
  return bare;
}
