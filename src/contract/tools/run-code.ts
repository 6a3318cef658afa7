import * as z from "zod";
import { json } from "../json.ts";
import { callId } from "./call.ts";

const MAX_CODE_LENGTH = 64 * 1024;

export const runCodeInput = z.object({
  code: z
    .string()
    .min(1)
    .max(MAX_CODE_LENGTH)
    .describe(
      "The body of an async JavaScript function: `input` and `answers` are in scope, and what it returns, as JSON, is the answer.",
    ),
  input: json.optional().describe("Any JSON; the code sees it as `input`."),
  from: z
    .array(callId)
    .max(50)
    .default([])
    .describe("Earlier calls whose answers the code sees, in this order, as the list `answers`."),
});
export type RunCodeInput = z.infer<typeof runCodeInput>;

/** What `run_code` answers; strict, so that no other tool's answer is taken for one. */
export const codeContent = z.strictObject({
  value: json.describe("What the code returned; null when it returned nothing."),
  console: z.array(z.string()).describe("The lines that it wrote to the console."),
  cut: z.boolean().describe("True when there was more console output than is kept."),
});
export type CodeContent = z.infer<typeof codeContent>;
