import type { CallToolResult } from "@modelcontextprotocol/server";
import { PrompthookError } from "../client/error.ts";
import { logError } from "../lib/log.ts";

/** What a model is told when a tool fails: what the API said, or that it is our fault. */
export function failureOf(error: unknown, tool: string, requestId: string): CallToolResult {
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
  logError("MCP tool failed", { requestId, tool }, error);
  return failed({
    code: "internal_error",
    status: 500,
    detail: "It failed on our side.",
    requestId,
  });
}

function failed(problem: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(problem) }], isError: true };
}
