import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { PrompthookError } from "../client/error.ts";
import type { Prompthook } from "../client/prompthook.ts";
import { logError } from "../lib/log.ts";

/** One call of a tool, with the API on behalf of the caller. */
export interface ToolCall {
  api: Prompthook;
  /** Aborted when the caller gives up. */
  signal: AbortSignal;
  /** Sent beside the arguments by clients that repeat a call whose response was lost. */
  idempotencyKey: string | undefined;
}

const IDEMPOTENCY_KEY = "prompthook/idempotencyKey";

/** Returns the call that a request of a client is. */
export function callOf(api: Prompthook, { mcpReq }: ServerContext): ToolCall {
  const { _meta: meta, signal } = mcpReq;
  const key = meta?.[IDEMPOTENCY_KEY];
  return { api, signal, idempotencyKey: typeof key === "string" ? key : undefined };
}

/** Returns what a tool answered, as text as well for clients that do not read structured content. */
export function answerOf(value: unknown): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** Returns the problem that the API reported, or logs an internal error and hides its cause. */
export function failureOf(error: unknown, name: string, requestId: string): CallToolResult {
  if (error instanceof PrompthookError) {
    const { status, code, message, errors, retryAfterSeconds } = error;
    return failed({
      code,
      status,
      detail: message,
      ...(errors.length > 0 && { errors }),
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      requestId: error.requestId,
    });
  }
  logError("MCP tool failed", { requestId, tool: name }, error);
  const detail = "An internal error occurred.";
  return failed({ code: "internal_error", status: 500, detail, requestId });
}

function failed(problem: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(problem) }], isError: true };
}

/** The options of an API call that must not act twice. */
export function onceWith(key: string | undefined, { signal, idempotencyKey: sent }: ToolCall) {
  const once = key ?? sent;
  return { signal, ...(once !== undefined && { idempotencyKey: once }) };
}
