import { createHash, randomUUID } from "node:crypto";
import { type Failure, fails, type Reply } from "./behaviour.ts";
import { type MessagesRequest, parseMessagesRequest } from "./messages-request.ts";
import { frameOf, type Protocol, piecesOf, type StreamFrame, tokensOf } from "./protocol.ts";
import { type ModelServerOptions, startServerOf } from "./server.ts";

/** How far behind a mark Anthropic looks for what it has cached. */
const LOOKBACK_BLOCKS = 20;

/** Starts a server of Anthropic's Messages API. It caches what is marked, as Anthropic does. */
export const startAnthropicServer = (options: ModelServerOptions = {}) =>
  startServerOf(anthropic(), options);

function anthropic(): Protocol<MessagesRequest> {
  const cache = new Set<string>();
  return {
    basePath: "/v1",
    read({ method, url, headers }, body, apiKey) {
      if (method !== "POST" || url !== "/v1/messages") return fails(404, "Not found");
      if (apiKey !== undefined && headers["x-api-key"] !== apiKey) {
        return fails(401, `invalid x-api-key: ${headers["x-api-key"]}`);
      }
      if (headers["anthropic-version"] !== "2023-06-01") {
        return fails(400, "anthropic-version: header is required");
      }
      const parsed = parseMessagesRequest(body);
      return parsed.ok ? parsed.request : fails(400, parsed.problem);
    },
    reply: (reply, request) => messageFrames(reply, request, cache),
    error,
    errorFrame: (failure) => frameOf(error(failure), "error"),
    tooLong: (tokens, window) =>
      fails(400, `prompt is too long: ${tokens} tokens > ${window} maximum`),
  };
}

const error = ({ status, message }: Failure) => ({
  type: "error",
  error: { type: ERROR_TYPES[status] ?? "api_error", message },
  request_id: `req_${randomUUID()}`,
});

const ERROR_TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** A message as it is streamed, in the form of https://platform.claude.com/docs/en/build-with-claude/streaming. */
function messageFrames(reply: Reply, request: MessagesRequest, cache: Set<string>): StreamFrame[] {
  const { text, calls, usage, cutShort, refusal, thoughts = "" } = reply;
  const used = cached(request, cache);
  const ended = refusal !== undefined ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn";
  const frame = (type: string, more: object = {}) => frameOf({ type, ...more }, type);
  const message = {
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: used.total - used.read - used.written,
      cache_read_input_tokens: used.read,
      cache_creation_input_tokens: used.written,
      output_tokens: 1,
    },
  };
  const blocks = [
    ...(thoughts === ""
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              ...piecesOf(thoughts).map((thinking) => ({ type: "thinking_delta", thinking })),
              { type: "signature_delta", signature: "c2lnbmVk" },
            ],
          },
        ]),
    ...(text === ""
      ? []
      : [
          {
            start: { type: "text", text: "" },
            deltas: piecesOf(text).map((piece) => ({ type: "text_delta", text: piece })),
          },
        ]),
    ...calls.map((call) => ({
      start: {
        type: "tool_use",
        id: call.id ?? `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
        name: call.tool,
        input: {},
      },
      deltas: ["", ...piecesOf(call.arguments)].map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      })),
    })),
  ];
  return [
    frame("message_start", { message }),
    frame("ping"),
    ...blocks.flatMap(({ start, deltas }, index) => [
      frame("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => frame("content_block_delta", { index, delta })),
      frame("content_block_stop", { index }),
    ]),
    frame("message_delta", {
      delta: {
        stop_reason: cutShort ? "max_tokens" : ended,
        stop_sequence: null,
        ...(refusal !== undefined && {
          stop_details: { type: "refusal", category: "cyber", explanation: refusal },
        }),
      },
      usage: { output_tokens: usage?.outputTokens ?? 20 },
    }),
    frame("message_stop"),
  ];
}

interface Block {
  /** Stands for the whole request up to here, marks left out. */
  key: string;
  /** Tokens up to here. */
  tokens: number;
  marked: boolean;
}

/** What of a request was cached, what is cached now for the next, and how long it is. */
function cached(request: MessagesRequest, cache: Set<string>) {
  const blocks = blocksOf(request);
  const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
  const hits = marks.flatMap((mark) =>
    blocks.slice(Math.max(0, mark - LOOKBACK_BLOCKS), mark + 1).filter(({ key }) => cache.has(key)),
  );
  const read = Math.max(0, ...hits.map(({ tokens }) => tokens));
  const toLastMark = blocks[marks.at(-1) ?? -1]?.tokens ?? 0;
  for (const mark of marks) cache.add(blocks[mark]?.key ?? "");
  return { total: blocks.at(-1)?.tokens ?? 0, read, written: Math.max(0, toLastMark - read) };
}

/** The request in the order in which it is cached: tools, system prompt, messages. */
function blocksOf({ model, tools = [], system = [], messages }: MessagesRequest): Block[] {
  const parts = [
    ...tools,
    ...(typeof system === "string" ? [{ type: "text", text: system }] : system),
    ...messages.flatMap(({ role, content }) =>
      (typeof content === "string" ? [{ type: "text", text: content }] : content).map((block) => ({
        role,
        ...block,
      })),
    ),
  ];
  let key = model;
  let tokens = 0;
  return parts.map((part) => {
    const { cache_control: mark, ...block } = { cache_control: undefined, ...part };
    key = createHash("sha256").update(key).update(JSON.stringify(block)).digest("hex");
    tokens += tokensOf(block);
    return { key, tokens, marked: mark !== undefined };
  });
}
