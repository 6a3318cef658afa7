import * as z from "zod";
import { listOf, oneOf, open, textUpTo, whole } from "../fields.ts";
import { json, jsonObject } from "../json.ts";

export const address = textUpTo(2_048).describe("An absolute http or https address.");
export const callId = textUpTo(128);

/** A field of the answer of a tool that left out a part. Answers that older code stored lack it. */
export const cutAt = z.string().exactOptional().describe("Where it was cut, such as 2 MiB.");

/**
 * How a call runs. A `read` of the outside runs concurrently with others; `local` calls may depend on
 * earlier calls, so they keep their order; an `effect` changes the outside and is ledgered; the machine
 * itself decides `control` calls.
 */
export const callKind = oneOf("read", "local", "effect", "control");
export type CallKind = z.infer<typeof callKind>;

/** A tool's stored answer: its content, or its error. */
export const toolAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), content: json }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);
export type ToolAnswer = z.infer<typeof toolAnswer>;

/** Returns the answer of a call that failed. */
export function failedAnswer(code: string, message: string): ToolAnswer {
  return { ok: false, error: { code, message } };
}

/** A file output with its bytes. */
export interface OutputFile {
  filename: string;
  mediaType: string;
  bytes: Uint8Array;
}

export const askUserInput = open({
  question: textUpTo(4_000).describe("One short question."),
  choices: listOf(textUpTo(200), 10)
    .optional()
    .describe("Short answers to choose from, if there are only a few."),
});
export type AskUserInput = z.infer<typeof askUserInput>;

export const finishInput = open({
  status: oneOf("completed", "failed")
    .default("completed")
    .describe("completed only if every part of the task was done."),
  reason: oneOf("cannot_do", "source_unavailable")
    .nullish()
    .describe(
      "Why it failed: source_unavailable if something that had to be read could not be read.",
    ),
  summary: textUpTo(32_000).describe(
    "What was found or done, in a few sentences for the user, never as JSON.",
  ),
  data: json.optional().describe("The result as JSON, if there is one."),
});
export type FinishInput = z.infer<typeof finishInput>;

const MAX_WAIT_SECONDS = 90 * 86_400;

export const waitForEventInput = open({
  endpointId: z.string().describe("The endpoint that receives the event."),
  // In words: the schema of nested conditions would be longer than those of all other parameters.
  when: jsonObject.describe(
    "The condition: {path, in?: body|header|query} with one of exists, equals, oneOf, matches, gt, gte, lt, lte; or {all: [..]}, {any: [..]}, {not: ..} or {jsonata}.",
  ),
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("Events since this time count; default: the start of this task."),
  timeoutSeconds: whole(1, MAX_WAIT_SECONDS).describe("At most 90 days."),
  wake: oneOf("one", "all")
    .default("all")
    .describe(
      "all: the event wakes every task that waits for it; one: the one that waits longest.",
    ),
});
export type WaitForEventInput = z.infer<typeof waitForEventInput>;

/** A call that waits for an event, as the endpoint's inbox stores it. Times are epoch milliseconds. */
export interface Waiter extends Pick<WaitForEventInput, "when" | "wake"> {
  executionId: string;
  callId: string;
  since: number;
  until: number;
}

/** A part of an answer that is not text, without its bytes. */
const mcpAttachment = open({
  kind: oneOf("image", "audio", "link", "resource"),
  mediaType: z.string(),
  sizeBytes: z.int().exactOptional(),
  uri: z.string().exactOptional(),
  name: z.string().exactOptional(),
  file: z.string().exactOptional().describe("The name of the file output that has its bytes."),
});
export type McpAttachment = z.infer<typeof mcpAttachment>;

/** The answer of a tool of a remote MCP server. Strict, so that no other answer matches. */
export const mcpToolContent = z.strictObject({
  server: z.string(),
  tool: z.string(),
  json: z.exactOptional(json).describe("Structured content, or text that is JSON."),
  text: z.string().exactOptional(),
  attachments: listOf(mcpAttachment),
  cut: z.boolean().describe("True if the answer was too long and is cut."),
  cutAt,
});
export type McpToolContent = z.infer<typeof mcpToolContent>;
