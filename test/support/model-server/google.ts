import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type Failure, fails, type Reply } from "./behaviour.ts";
import { frameOf, type Protocol, piecesOf, type StreamFrame, USUAL_USAGE } from "./protocol.ts";
import { type ModelServerOptions, startServerOf } from "./server.ts";

/** Starts a server of Google's Gemini API. */
export const startGeminiServer = (options: ModelServerOptions = {}) =>
  startServerOf(gemini, options);

const part = z.union([
  z.strictObject({
    text: z.string(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionCall: z.strictObject({
      id: z.string().optional(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
    }),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.looseObject({}),
    }),
  }),
  z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: z.base64() }) }),
]);

const body = z.looseObject({
  contents: z
    .array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(part).min(1) }))
    .min(1),
  systemInstruction: z.looseObject({}).optional(),
});
export type GeminiRequest = z.infer<typeof body> & { model: string; messages: { role: string }[] };

const UNANSWERED =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

/** Whether each turn that calls functions is followed by one turn with as many answers. */
function isAnswered(contents: z.infer<typeof body>["contents"]): boolean {
  const countOf = (at: number, kind: "functionCall" | "functionResponse") =>
    contents[at]?.parts.filter((each) => kind in each).length ?? 0;
  return contents.every((_, at) => {
    const calls = countOf(at, "functionCall");
    return calls === 0 || countOf(at + 1, "functionResponse") === calls;
  });
}

const PATH = /^\/v1beta\/models\/([\w.-]+):streamGenerateContent\?alt=sse$/;

const gemini: Protocol<GeminiRequest> = {
  basePath: "/v1beta",
  read({ method, url, headers }, text, apiKey) {
    const [, model] = PATH.exec(url ?? "") ?? [];
    if (method !== "POST" || model === undefined) return fails(404, "Not found");
    if (apiKey !== undefined && headers["x-goog-api-key"] !== apiKey) {
      return fails(401, "API key not valid. Please pass a valid API key.");
    }
    const parsed = body.safeParse(JSON.parse(text));
    if (!parsed.success) return fails(400, z.prettifyError(parsed.error));
    if (!isAnswered(parsed.data.contents)) return fails(400, UNANSWERED);
    const messages = parsed.data.contents.map(({ role }) => ({
      role: role === "model" ? "assistant" : role,
    }));
    return { ...parsed.data, model, messages };
  },
  reply: contentFrames,
  error,
  errorFrame: (failure) => frameOf(error(failure)),
  tooLong: (tokens, window) =>
    fails(
      400,
      `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
    ),
};

const STATUSES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function error({ status, message }: Failure) {
  return { error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" } };
}

/** A reply as it is streamed, in the form of https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent. */
function contentFrames(reply: Reply, { model }: GeminiRequest): StreamFrame[] {
  const { text, calls, usage = USUAL_USAGE, cutShort, refusal, thoughts = "" } = reply;
  const head = { modelVersion: model, responseId: randomUUID() };
  const usageMetadata = {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
    cachedContentTokenCount: usage.cachedTokens,
  };
  const counted = reply.countsTokens === false ? {} : { usageMetadata };
  if (refusal !== undefined && text === "") {
    return [
      frameOf({ ...head, ...counted, promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
    ];
  }
  const chunk = (parts: object[], more: object = {}) =>
    frameOf({
      ...head,
      candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
      ...counted,
    });
  const finishReason = cutShort ? "MAX_TOKENS" : refusal === undefined ? "STOP" : "SAFETY";
  return [
    ...piecesOf(thoughts).map((piece) => chunk([{ text: piece, thought: true }])),
    ...piecesOf(text).map((piece) => chunk([{ text: piece }])),
    // Calls come whole, and several in one piece.
    ...(calls.length === 0
      ? []
      : [
          chunk(
            calls.map((call) => ({
              functionCall: { name: call.tool, args: JSON.parse(call.arguments) },
              thoughtSignature: "c2lnbmVk",
            })),
          ),
        ]),
    chunk([{ text: "" }], { finishReason }),
  ];
}
