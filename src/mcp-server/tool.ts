import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type * as z from "zod";
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
  /** Reports progress to callers that asked for it. */
  progress(message: string): Promise<void>;
}

/** The message for which a server is made. */
export interface Message {
  api: Prompthook;
  requestId: string;
}

/** Describes the effects of a tool, so that clients know when to ask a person. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  name: string;
  title: string;
  /** Written for a model, which knows nothing else of the tool. */
  description: string;
  input: Input;
  output: Output;
  annotations: Annotations;
  run(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>>;
}

/** Registers a tool on a server. */
type Register = (server: McpServer, message: Message) => void;

const IDEMPOTENCY_KEY = "prompthook/idempotencyKey";

/** Makes a tool. Errors of the API become results that the model can read. */
export function tool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): Register {
  const { name, title, description, input, output, annotations, run } = definition;
  const inputSchema: z.ZodType = input;
  const outputSchema: z.ZodType = output;
  const config = { title, description, inputSchema, outputSchema, annotations };

  return (server, message) => {
    server.registerTool(name, config, async (given, context) => {
      try {
        const value = await run(input.parse(given), callOf(message.api, context));
        // As text as well, for clients that do not read structured content.
        return {
          content: [{ type: "text", text: JSON.stringify(value) }],
          structuredContent: value,
        };
      } catch (error) {
        context.mcpReq.signal.throwIfAborted();
        return failureOf(error, name, message.requestId);
      }
    });
  };
}

function callOf(api: Prompthook, { mcpReq }: ServerContext): ToolCall {
  const { _meta: meta, signal } = mcpReq;
  const key = meta?.[IDEMPOTENCY_KEY];
  const token = meta?.progressToken;
  let progress = 0;
  return {
    api,
    signal,
    idempotencyKey: typeof key === "string" ? key : undefined,
    async progress(message) {
      if (token === undefined) return;
      progress += 1;
      const params = { progressToken: token, progress, message };
      await mcpReq.notify({ method: "notifications/progress", params });
    },
  };
}

/** Returns the problem that the API reported, or logs an internal error and hides its cause. */
function failureOf(error: unknown, name: string, requestId: string): CallToolResult {
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
