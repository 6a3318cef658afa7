import * as z from "zod";
import { listOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";
import { callId } from "./call.ts";

const MAX_CODE_LENGTH = 64 * 1024;

export const runCodeInput = open({
  code: textUpTo(MAX_CODE_LENGTH).describe(
    "The body of an async function with `input` and `answers`. Its return value, as JSON, is the answer.",
  ),
  input: json.optional().describe("Any JSON value."),
  from: listOf(callId, 50).default([]).describe("Earlier calls, in the order of `answers`."),
});
export type RunCodeInput = z.infer<typeof runCodeInput>;

/** The answer of `run_code`. Strict, so that no other answer matches. */
export const codeContent = z.strictObject({
  value: json.describe("The return value; null if there is none."),
  console: listOf(z.string()).describe("The lines that the code wrote to the console."),
  cut: z.boolean().describe("True if the console output was too long and is cut."),
});
export type CodeContent = z.infer<typeof codeContent>;
