import { randomUUID } from "node:crypto";
import type { Reply } from "./behaviour.ts";
import { frameOf, piecesOf, type StreamFrame, USUAL_USAGE } from "./protocol.ts";

/** How servers with OpenAI's chat completions differ. */
export interface Dialect {
  /** Whether the arguments of a call come in pieces, as OpenAI and vLLM send them, or whole, as Ollama does. */
  splitsCalls: boolean;
  /** The field of what the model thinks. */
  thoughts: "reasoning" | "reasoning_content";
  /** What keeps the connection open while the model thinks, such as OpenRouter's comments. */
  comment?: string;
}

const OPENAI: Dialect = { splitsCalls: true, thoughts: "reasoning_content" };

/**
 * A chat completion as it is streamed, in the form of
 * https://platform.openai.com/docs/api-reference/chat-streaming.
 */
export function completionFrames(
  reply: Reply,
  { model, countsTokens = true }: { model: string; countsTokens?: boolean },
  dialect: Dialect = OPENAI,
): StreamFrame[] {
  const { text, calls, usage = USUAL_USAGE, cutShort, refusal, thoughts = "" } = reply;
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1_000),
    model,
  };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    frameOf({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  const ended = calls.length > 0 ? "tool_calls" : "stop";
  const isCounted = countsTokens && reply.countsTokens !== false;
  return [
    ...(dialect.comment === undefined ? [] : [`: ${dialect.comment}\n\n`]),
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(thoughts).map((piece) => chunk({ [dialect.thoughts]: piece })),
    ...piecesOf(text).map((content) => chunk({ content })),
    ...piecesOf(refusal ?? "").map((piece) => chunk({ refusal: piece })),
    ...calls.flatMap((call, index) => {
      const id = call.id ?? `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
      const start = (input: string) => ({
        tool_calls: [
          { index, id, type: "function", function: { name: call.tool, arguments: input } },
        ],
      });
      if (!dialect.splitsCalls) return [chunk(start(call.arguments))];
      const rest = piecesOf(call.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      );
      return [chunk(start("")), ...rest];
    }),
    chunk({}, cutShort ? "length" : ended),
    ...(isCounted ? [frameOf({ ...head, choices: [], usage: openAiUsage(usage) })] : []),
    frameOf("[DONE]"),
  ];
}

export const openAiUsage = (usage = USUAL_USAGE) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedTokens },
});
