import type {
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import * as z from "zod";

/** The mark of reasoning that came in the field `reasoning` instead of `reasoning_content`. */
const FIELD = { prompthook: { field: "reasoning" } };

const rawReply = z.object({
  choices: z.tuple([
    z.object({
      message: z.object({
        reasoning: z.string(),
        reasoning_content: z.null().optional(),
      }),
    }),
  ]),
});

/**
 * Marks the reasoning of a reply that came in the field `reasoning`, as vLLM, Ollama and OpenRouter send
 * it. DeepSeek, Kimi and GLM send `reasoning_content`. Each wants it back under the name that it uses.
 */
export function withFieldMark(
  result: LanguageModelV4GenerateResult,
): LanguageModelV4GenerateResult {
  if (!rawReply.safeParse(result.response?.body).success) return result;
  const content = result.content.map((part) =>
    part.type === "reasoning" ? { ...part, providerMetadata: FIELD } : part,
  );
  return { ...result, content };
}

/** Moves marked reasoning to the field `reasoning`; the SDK sends any other as `reasoning_content`. */
export function withReasoningField(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => (message.role === "assistant" ? moved(message) : message));
}

function moved(message: LanguageModelV4Message & { role: "assistant" }): LanguageModelV4Message {
  const marked = message.content.flatMap((part) =>
    part.type === "reasoning" && part.providerOptions?.prompthook?.field === "reasoning"
      ? [part]
      : [],
  );
  if (marked.length === 0) return message;
  const reasoning = marked.map(({ text }) => text).join("");
  return {
    ...message,
    content: message.content.filter((part) => !marked.some((each) => each === part)),
    providerOptions: { openaiCompatible: { reasoning } },
  };
}
