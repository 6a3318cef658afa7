import * as z from "zod";
import { listOf, oneOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";

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
