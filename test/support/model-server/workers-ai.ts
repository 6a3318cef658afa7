import { randomUUID } from "node:crypto";
import * as z from "zod";
import { fails, type Reply } from "./behaviour.ts";
import { parseChatRequest } from "./chat-request.ts";
import { completionFrames, openAiUsage } from "./completion.ts";
import { frameOf, type Protocol } from "./protocol.ts";
import { type ModelServerOptions, startServerOf } from "./server.ts";
import { plainProblem } from "./tool-rules.ts";

/**
 * Starts a server of what Cloudflare has behind the AI binding: the binding's own way to write a call
 * (`POST /run`, the model in a header), answers in OpenAI's form or, for Llama models, in the older one.
 */
export const startWorkersAiServer = (options: ModelServerOptions = {}) =>
  startServerOf(workersAi, options);

const runBody = z.strictObject({
  inputs: z.looseObject({ max_tokens: z.int().min(1), messages: z.array(z.looseObject({})) }),
  options: z.strictObject({}),
});

const inputs = z.object({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
  stream: z.boolean().optional(),
});
export type RunRequest = z.infer<typeof inputs> & { maxTokens: number };

const workersAi: Protocol<RunRequest> = {
  basePath: "",
  read({ method, url, headers }, body) {
    if (method !== "POST" || url !== "/run?version=3") return fails(404, "7000: No route");
    const model = String(headers["cf-consn-model-id"]);
    const run = runBody.safeParse(JSON.parse(body));
    if (!run.success) return fails(400, `5006: ${z.prettifyError(run.error)}`);
    const { max_tokens: maxTokens, ...rest } = run.data.inputs;
    // What it takes is OpenAI's form, but that contents are never null and answers name their tool.
    const messages = rest.messages.map(({ name: _, ...message }) => message);
    const parsed = parseChatRequest(JSON.stringify({ ...rest, messages, model }));
    if (!parsed.ok) return fails(400, `5006: ${parsed.problem}`);
    const refused = (parsed.request.tools ?? []).map(({ function: tool }) =>
      plainProblem(tool.parameters),
    );
    const problem = refused.find((each) => each !== null);
    if (problem) return fails(400, `5006: ${problem}`);
    if (rest.messages.some(({ content }) => typeof content !== "string")) {
      return fails(400, "5006: a content is not a string");
    }
    return { ...parsed.request, maxTokens };
  },
  reply(reply, { model, stream = false }) {
    if (stream) return completionFrames(reply, { model });
    return { whole: nativeAnswer(reply) };
  },
  errorFrame: (failure) => frameOf({ errors: [{ message: failure.message }] }),
  error({ message }) {
    const [, code, description] = /^(\d+): (.*)$/s.exec(message) ?? ["", "1000", message];
    return { internalCode: Number(code), name: "AiError", description, requestId: randomUUID() };
  },
  tooLong: (tokens, window) =>
    fails(
      413,
      `5021: The estimated number of input and maximum output tokens (${tokens}) exceeded this model context window limit (${window}).`,
    ),
};

/** The form of the older models: calls without ids, their arguments not as text. */
function nativeAnswer({ text, calls, usage }: Reply) {
  return {
    response: text === "" ? null : text,
    tool_calls: calls.map((call) => ({ name: call.tool, arguments: JSON.parse(call.arguments) })),
    usage: openAiUsage(usage),
  };
}
