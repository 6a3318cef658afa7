import { type Failure, fails } from "./behaviour.ts";
import { type ChatRequest, parseChatRequest } from "./chat-request.ts";
import { completionFrames } from "./completion.ts";
import { frameOf, type Protocol } from "./protocol.ts";

const error = ({ status, message, code }: Failure) => ({
  error: { message, type: code ?? "scripted", param: null, code: code ?? String(status) },
});

/** OpenAI's chat completions. */
export const openAi: Protocol<ChatRequest> = {
  basePath: "/v1",
  read({ method, url, headers }, body, apiKey) {
    if (method !== "POST" || url !== "/v1/chat/completions") return fails(404, "No such route.");
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      return fails(401, `Incorrect API key provided: ${headers.authorization}.`);
    }
    const parsed = parseChatRequest(body);
    return parsed.ok ? parsed.request : fails(400, parsed.problem);
  },
  reply: (reply, { model, stream_options: options }) =>
    completionFrames(reply, { model, countsTokens: options?.include_usage === true }),
  error,
  errorFrame: (failure) => frameOf({ ...error(failure), choices: [] }),
  tooLong: (tokens, window) =>
    fails(
      400,
      `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    ),
};
