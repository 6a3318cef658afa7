import type { McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Prompthook } from "../client/prompthook.ts";
import { invalidByIssues } from "../http/problem.ts";
import { answerOf, callOf, failureOf, type ToolCall } from "./outcome.ts";
import { createdTask, knowsTasks } from "./tasks.ts";

/** A tool that changes nothing. */
export const READ = { readOnlyHint: true, openWorldHint: false };
/** A tool that starts or directs an agent: what that sends or changes outside depends on its prompt. */
export const ACT = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
/** A tool that ends or deletes something of the account for good. */
export const END = { ...ACT, idempotentHint: true, openWorldHint: false };

const limit = z.int().min(1).max(100).default(20).describe("The maximum number of items.");
const cursor = z.exactOptional(z.string().describe("The `nextCursor` of the previous page."));
export const nextCursor = z.string().nullable().describe("The `cursor` of the next page, or null.");

/** The fields of every list's input. */
export const PAGE = { limit, cursor };

/** The message for which a server is made. */
export interface Message {
  api: Prompthook;
  requestId: string;
}

interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  name: string;
  title: string;
  /** Written for a model, which knows nothing else of the tool. What only reads says that it is free. */
  description: string;
  input: Input;
  output: Output;
  /** Describes its effects, so that clients know when to ask a person. */
  annotations: ToolAnnotations;
  /** The execution that the tool started, which is a task for clients that know tasks. */
  starts?: (output: z.input<Output>) => string;
  run(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>>;
}

/** Makes what registers a tool on a server. Errors of the API become results that the model can read. */
export function tool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
) {
  const { name, title, input, output, annotations, starts, run } = definition;
  const price = annotations.readOnlyHint ? " Costs no credits." : "";
  const description = `${definition.description}${price}`;
  const standard = input["~standard"];
  // Wrong arguments are refused below, as the API refuses a body; the library would do so in words alone.
  const inputSchema = { "~standard": { ...standard, validate: (value: unknown) => ({ value }) } };
  const outputSchema: z.ZodType = output;
  const config = { title, description, inputSchema, outputSchema, annotations };

  return (server: McpServer, message: Message): void => {
    server.registerTool(name, config, async (given, context) => {
      try {
        const parsed = input.safeParse(given);
        if (!parsed.success) throw invalidByIssues("arguments", parsed.error.issues);
        const call = callOf(message.api, context);
        const value = await run(parsed.data, call);
        const isTask = starts !== undefined && knowsTasks(context);
        return { ...answerOf(value), ...(isTask && (await createdTask(starts(value), call))) };
      } catch (error) {
        context.mcpReq.signal.throwIfAborted();
        return failureOf(error, message.requestId);
      }
    });
  };
}
