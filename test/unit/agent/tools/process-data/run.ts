import { processData } from "../../../../../src/agent/tools/process-data.ts";
import type { ToolContext, ToolResult } from "../../../../../src/agent/tools/tool.ts";
import type { ToolAnswer } from "../../../../../src/contract/tools/call.ts";
import {
  type DataContent,
  dataContent,
  processDataInput,
} from "../../../../../src/contract/tools/data.ts";
import { NO_SERVICES } from "../../../../support/tool-services.ts";

/** A context with the given earlier answers, from which nothing outside is reached. */
export function contextWith(
  answers: Record<string, ToolAnswer>,
  signal?: AbortSignal,
): ToolContext {
  return {
    signal: signal ?? new AbortController().signal,
    fetch: () => Promise.reject(new Error("this tool stays inside")),
    answer: (callId) => answers[callId] ?? null,
    files: () => [],
    cutsOf: () => [],
    cutReads: [],
    ports: NO_SERVICES,
    onProgress: () => {},
    idempotencyKey: "key",
  };
}

/** The tool's result for an input as a model gives it. */
export function run(input: unknown, answers: Record<string, ToolAnswer> = {}): Promise<ToolResult> {
  return processData.run(processDataInput.parse(input), contextWith(answers));
}

/** What the tool answers; a refusal fails the test. */
export async function contentOf(
  input: unknown,
  answers: Record<string, ToolAnswer> = {},
): Promise<DataContent> {
  const { answer } = await run(input, answers);
  if (!answer.ok) throw new Error(answer.error.message);
  return dataContent.parse(answer.content);
}
