import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import * as z from "zod";

/** The mark of reasoning that came in the field `reasoning` instead of `reasoning_content`. */
const FIELD = { prompthook: { field: "reasoning" } };

const rawChunk = z.object({
  choices: z.tuple([z.object({ delta: z.object({ reasoning: z.string().min(1) }) })]),
});

/**
 * Marks the reasoning of a stream that came in the field `reasoning`, as vLLM, Ollama and OpenRouter send
 * it. DeepSeek, Kimi and GLM send `reasoning_content`. Each wants it back under the name that it uses.
 */
export function withFieldMark(): TransformStream<
  LanguageModelV4StreamPart,
  LanguageModelV4StreamPart
> {
  let isField = false;
  return new TransformStream({
    transform(part, controller) {
      // What the server sent comes before the parts that the SDK makes of it.
      if (part.type === "raw") isField ||= rawChunk.safeParse(part.rawValue).success;
      const isMarked = part.type === "reasoning-start" && isField;
      controller.enqueue(isMarked ? { ...part, providerMetadata: FIELD } : part);
    },
  });
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
