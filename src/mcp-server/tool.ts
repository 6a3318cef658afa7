import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { Prompthook } from "../client/prompthook.ts";
import { failureOf } from "./failure.ts";

/** Tells whoever called how it goes, if they want to know. */
export type Progress = (message: string) => Promise<void>;

/** Who calls a tool, and what goes with the call. */
export interface ToolCall {
  /** The API as the caller. */
  api: Prompthook;
  /** Aborted when the caller gives up. */
  signal: AbortSignal;
  /** Sent beside the arguments by clients that repeat a call whose answer was lost. */
  idempotencyKey: string | undefined;
  progress: Progress;
}

/** What a server knows of the message that it was made for. */
export interface Message {
  api: Prompthook;
  requestId: string;
}

/** What a client is told of a tool's effects, honestly, so that it knows when to ask a person. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  name: string;
  title: string;
  /** Written for a model, which knows nothing else. */
  description: string;
  input: Input;
  output: Output;
  annotations: Annotations;
  run(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>>;
}

/** Puts a tool on a server. */
export type Register = (server: McpServer, message: Message) => void;

const IDEMPOTENCY_KEY = "prompthook/idempotencyKey";

/** Makes a tool. What the API refuses becomes an answer that the model can read. */
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
        return answered(await run(input.parse(given), callOf(message.api, context)));
      } catch (error) {
        context.mcpReq.signal.throwIfAborted();
        return failureOf(error, name, message.requestId);
      }
    });
  };
}

/** As text as well, for clients that know nothing of structured content. */
function answered(value: unknown): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
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
