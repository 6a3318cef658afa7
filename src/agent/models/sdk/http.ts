import { AISDKError, APICallError } from "@ai-sdk/provider";
import { ModelError, type TokenUsage } from "../../../contract/conversation.ts";
import { retryAfterMs } from "../../../lib/http.ts";
import { orElse } from "../../../lib/or-else.ts";
import { readCapped } from "../../../lib/read-up-to.ts";

/** A server of models. */
export interface Server {
  /** The base address, to which the SDK adds the path of its API. */
  baseUrl: string;
  apiKey: string | undefined;
  /** Sends the requests, in place of what reads replies. */
  fetch?: typeof cappedFetch;
  /** Connects to the server, in place of a plain fetch. */
  connect?: typeof fetch;
}

/** Returns what sends a server's requests; `send` is how its replies are read. */
export function senderOf(
  { fetch: replaced, connect }: Server,
  send: typeof cappedFetch,
): (input: RequestInfo | URL, init?: RequestInit) => Promise<Response> {
  return replaced ?? ((input, init) => send(input, init, connect));
}

/** The longest reply; each must fit in a stored row. */
export const MAX_REPLY_BYTES = 1_024 * 1_024;

/** The longest stream of a reply, in which each token comes with a few hundred bytes around it. */
const MAX_STREAM_BYTES = 32 * 1_024 * 1_024;

/**
 * Fetches a response and limits its body: the SDK alone would accept two gigabytes, and a line without
 * end. A stream comes as it arrives, anything else when it is whole. A redirect, which could take the key
 * and the prompt to another host, is not followed.
 */
export async function cappedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
  connect: typeof fetch = (...request) => fetch(...request),
): Promise<Response> {
  const response = await connect(input, { ...init, redirect: "manual" });
  if (response.ok && response.body !== null && !isJson(response))
    return new Response(response.body.pipeThrough(capped(MAX_STREAM_BYTES)), response);
  const signal = init?.signal ?? new AbortController().signal;
  const { bytes, cut } = await readCapped(response.body, MAX_REPLY_BYTES, signal);
  if (cut) throw replyTooLong();
  return new Response(bytes, response);
}

/** Whether a response says that it is JSON, which is no stream. */
export function isJson({ headers }: Response): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get("content-type") ?? "");
}

function capped(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(bytes, controller) {
      size += bytes.byteLength;
      if (size > maxBytes) throw replyTooLong();
      controller.enqueue(bytes);
    },
  });
}

export const replyTooLong = (usage?: TokenUsage) =>
  new ModelError("The model's reply is too long.", {
    retryable: false,
    ...(usage === undefined ? {} : { usage }),
  });

const LONGEST_DETAIL = 300;
/** Request timeout, conflict, too early, too many requests: the same request may succeed later. */
const RETRYABLE = new Set([408, 409, 425, 429]);

/** No key or a refused one, no right to the model, no such model. */
const UNUSABLE = new Set([401, 403, 404]);

/** The messages by which servers report that a conversation exceeds the model's window. */
const TOO_LONG = [
  // Anthropic
  /prompt is too long/i,
  /exceed context limit/i,
  // OpenAI, vLLM, and Workers AI where it forwards vLLM's message
  /context_length_exceeded/,
  /maximum context length/i,
  /exceeds? the (?:available )?context (?:size|window|length)/i,
  /input tokens exceed/i,
  // Gemini, at its OpenAI-compatible address
  /exceeds the maximum number of tokens/i,
  // Workers AI itself
  /exceeded this model context window/i,
];

export interface ErrorContext {
  /** Removed from all messages. */
  secrets: readonly string[];
  now: Date;
}

/** Whether a model call failed because the conversation exceeds the model's window. */
export function isContextOverflow(error: unknown): boolean {
  return says(error, TOO_LONG) && !(APICallError.isInstance(error) && error.statusCode === 429);
}

function says(error: unknown, patterns: readonly RegExp[]): boolean {
  if (!APICallError.isInstance(error)) return false;
  const said = `${error.message}\n${error.responseBody ?? ""}`;
  return patterns.some((pattern) => pattern.test(said));
}

/** The messages by which servers report that they could not parse a call that the model wrote. */
const MALFORMED_CALL = [
  // Groq: https://console.groq.com/docs/tool-use
  /tool_use_failed/,
  // Ollama
  /error parsing tool call/i,
];

/** Whether a server could not parse a call that the model wrote, and so returned no reply. */
export function isMalformedCall(error: unknown): boolean {
  return says(error, MALFORMED_CALL);
}

/** A request that a server refused for its content. */
export class RefusedRequestError extends ModelError {
  constructor(message: string) {
    super(message, { retryable: false });
  }
}

/** Whether a server refused a request for its content. */
export function isRefusedRequest(error: unknown): boolean {
  if (error instanceof RefusedRequestError) return true;
  return APICallError.isInstance(error) && [400, 422].includes(error.statusCode ?? 0);
}

/** Converts the error of a model call to a sentence for the client and whether to retry. */
export function asModelError(error: unknown, context: ErrorContext): ModelError {
  if (error instanceof ModelError) return error;
  // The SDK wraps what ends a body.
  if (error instanceof Error && error.cause instanceof ModelError) return error.cause;
  if (APICallError.isInstance(error) && isContextOverflow(error)) {
    const detail = errorDetail(error, context);
    const message = `The conversation is too long for this model. Choose one with a larger window. The server says: ${detail}`;
    return new ModelError(message, { retryable: false });
  }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && !isLost(error)) {
    return fromStatus(error, error.statusCode, context);
  }
  const message =
    AISDKError.isInstance(error) && !APICallError.isInstance(error)
      ? "The model's reply could not be parsed."
      : "The model's server could not be reached, or the connection was lost.";
  return new ModelError(message, { retryable: true });
}

/** Whether the body of a good response broke off. */
function isLost({ cause, statusCode = 0 }: APICallError): boolean {
  return statusCode < 300 && cause instanceof Error && !AISDKError.isInstance(cause);
}

/**
 * The codes by which OpenAI reports an account without credit or quota, which no wait ends
 * (https://platform.openai.com/docs/guides/error-codes). Each comes as a 429.
 */
const NO_QUOTA =
  /"(?:type|code)"\s*:\s*"(?:insufficient_quota|credit_balance_exhausted|(?:organization|project)_(?:spend|usage)_limit_exceeded|billing_\w+)"/;

function fromStatus(error: APICallError, status: number, context: ErrorContext): ModelError {
  const detail = errorDetail(error, context);
  const stated = (what: string) => (detail === "" ? `${what}.` : `${what}: ${detail}`);
  if (status >= 200 && status < 300) {
    // Some gateways send the error of a provider behind them as a success.
    const isError = /^\s*\[?\s*\{\s*"error"/.test(error.responseBody ?? "") && detail !== "";
    const message = isError
      ? `The model's server failed: ${detail}`
      : "The model's reply could not be parsed.";
    return new ModelError(message, { retryable: true, status });
  }
  if (status === 402 || (status === 429 && NO_QUOTA.test(error.responseBody ?? ""))) {
    const lack = status === 402 ? "credit" : "quota";
    const what = `The account at the model's server has no ${lack} left (${status})`;
    return new ModelError(stated(what), { retryable: false, isUnusable: true, status });
  }
  if (status >= 500 || RETRYABLE.has(status)) {
    return new ModelError(stated(`The model's server ${retryableFault(status)} (${status})`), {
      retryable: true,
      status,
      retryAfterMs: retryAfterMs(
        error.responseHeaders?.["retry-after"] ?? null,
        context.now.getTime(),
      ),
    });
  }
  return new ModelError(stated(`The model's server ${finalFault(status)} (${status})`), {
    retryable: false,
    isUnusable: UNUSABLE.has(status),
    status,
  });
}

function retryableFault(status: number): string {
  if (status === 429) return "asks to slow down";
  return status === 529 ? "is overloaded" : "failed";
}

function finalFault(status: number): string {
  if (status < 400) return "answers with a redirect, which is not followed";
  if (status === 401) return "does not accept the API key";
  if (status === 403) return "does not allow the request";
  return status === 404 ? "does not know the model or the address" : "refused the request";
}

/** A key of which a server hides a part, such as `sk-ab***yz`. */
const MASKED_KEY = /[\w-]*\*{3,}[\w*-]*\.?/g;

/** Returns the server's message on one line, shortened and without secrets; empty if there is none. */
export function errorDetail(
  error: APICallError,
  { secrets }: Pick<ErrorContext, "secrets">,
): string {
  const stated = messageIn(error.responseBody ?? "") ?? error.message;
  const said = secrets
    .reduce((text, secret) => text.replaceAll(secret, "[key]"), stated)
    .replace(MASKED_KEY, "[key]")
    .replace(/\s+/g, " ")
    .trim();
  return said.length > LONGEST_DETAIL ? `${said.slice(0, LONGEST_DETAIL)}…` : said;
}

/** Returns the message in the body of an error; each server puts it in another place. */
function messageIn(body: string): string | null {
  const plain = body.trim() === "" || body.includes("<") ? null : body;
  return orElse(() => messageOf(JSON.parse(body)), plain);
}

const MESSAGE_FIELDS = ["error", "errors", "message", "detail", "msg", "description"];

function messageOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return messageOf(value[0]);
  if (typeof value !== "object" || value === null) return null;
  const fields = new Map(Object.entries(value));
  for (const name of MESSAGE_FIELDS) {
    const found = messageOf(fields.get(name));
    if (found !== null) return found;
  }
  return null;
}
