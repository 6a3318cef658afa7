import { type Failure, fails } from "./behaviour.ts";
import type { ChatRequest } from "./chat-request.ts";
import { completionFrames } from "./completion.ts";
import { openAi } from "./openai.ts";
import { frameOf, type Protocol } from "./protocol.ts";
import { type ModelServerOptions, startServerOf } from "./server.ts";

/**
 * Starts a server that answers as Ollama does at its OpenAI-compatible address: calls come whole, thoughts
 * in `reasoning`, errors without a code (https://docs.ollama.com/api/openai-compatibility).
 */
export const startOllamaServer = (options: ModelServerOptions = {}) =>
  startServerOf(ollama, options);

const error = ({ message }: Failure) => ({
  error: { message, type: "api_error", param: null, code: null },
});

const ollama: Protocol<ChatRequest> = {
  ...openAi,
  reply: (reply, { model, stream_options: options }) =>
    completionFrames(
      reply,
      { model, countsTokens: options?.include_usage === true },
      { splitsCalls: false, thoughts: "reasoning" },
    ),
  error,
  errorFrame: (failure) => frameOf({ ...error(failure) }),
  tooLong: () => fails(400, "the request exceeds the available context size, try increasing it"),
};
