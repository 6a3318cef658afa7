import { createHash, randomUUID } from "node:crypto";
import { type Failure, fails, type Reply } from "./behaviour.ts";
import { type MessagesRequest, parseMessagesRequest } from "./messages-request.ts";
import { type Protocol, tokensOf } from "./protocol.ts";
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
    reply: (reply, request) => messageOf(reply, request, cache),
    error: ({ status, message }: Failure) => ({
      type: "error",
      error: { type: ERROR_TYPES[status] ?? "api_error", message },
      request_id: `req_${randomUUID()}`,
    }),
    tooLong: (tokens, window) =>
      fails(400, `prompt is too long: ${tokens} tokens > ${window} maximum`),
  };
}

const ERROR_TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function messageOf(reply: Reply, request: MessagesRequest, cache: Set<string>) {
  const { text, calls, usage, cutShort, refusal } = reply;
  const used = cached(request, cache);
  const ended = refusal !== undefined ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn";
  return {
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map((call) => ({
        type: "tool_use",
        id: call.id ?? `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
        name: call.tool,
        input: JSON.parse(call.arguments),
      })),
    ],
    stop_reason: cutShort ? "max_tokens" : ended,
    stop_sequence: null,
    ...(refusal === undefined
      ? {}
      : { stop_details: { type: "refusal", category: "cyber", explanation: refusal } }),
    usage: {
      input_tokens: used.total - used.read - used.written,
      cache_read_input_tokens: used.read,
      cache_creation_input_tokens: used.written,
      output_tokens: usage?.outputTokens ?? 20,
    },
  };
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
