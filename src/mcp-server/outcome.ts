import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { PrompthookError } from "../client/error.ts";
import type { Prompthook } from "../client/prompthook.ts";
import type { triggerAccepted } from "../contract/account.ts";
import {
  type ExecutionResult,
  type ExecutionState,
  executionState,
  isFinal,
  question,
  resultFields,
} from "../contract/execution.ts";
import { storedOutput, valueIn } from "../contract/outputs.ts";
import { problemBody } from "../http/problem.ts";
import { startDeadline } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";

/** One call of a tool, with the API on behalf of the caller. */
export interface ToolCall {
  api: Prompthook;
  /** Aborted when the caller gives up. */
  signal: AbortSignal;
  /** Sent beside the arguments by clients that repeat a call whose response was lost. */
  idempotencyKey: string | undefined;
}

/** Returns the call that a request of a client is. */
export function callOf(api: Prompthook, { mcpReq }: ServerContext): ToolCall {
  const { _meta: meta, signal } = mcpReq;
  const key = meta?.["prompthook/idempotencyKey"];
  return { api, signal, idempotencyKey: typeof key === "string" ? key : undefined };
}

/** Returns what a tool answered, as text as well for clients that do not read structured content. */
export function answerOf(value: unknown): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** Returns the problem that the API reported, or that an error of the tool itself is. */
export function failureOf(error: unknown, requestId: string): CallToolResult {
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
  return failed(problemBody(error, requestId));
}

function failed(problem: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(problem) }], isError: true };
}

/** The options of an API call that must not act twice. */
export function onceWith(key: string | undefined, { signal, idempotencyKey: sent }: ToolCall) {
  const once = key ?? sent;
  return { signal, ...(once !== undefined && { idempotencyKey: once }) };
}

/** The longest wait of a tool: clients give up a call after a minute, some after half of one. */
const MAX_WAIT_SECONDS = 25;
/** The characters of all values together: a result fills no more of a model's context than a long page. */
const MAX_CHARACTERS = 40_000;

const shownOutput = storedOutput.extend({
  omittedCharacters: z
    .int()
    .optional()
    .describe(
      "The length of a value that was left out. Call get_result with outputId to read the value.",
    ),
});

/** A result as a model sees it. */
export const shownResult = resultFields.extend({
  outputs: z.array(shownOutput),
  ...executionState.pick({ status: true, question: true, error: true, finishedAt: true }).shape,
});

/** The part of a result that is news to a caller that waited for it. */
const newResult = shownResult.pick({
  presentedResult: true,
  outputs: true,
  effects: true,
  creditsConsumed: true,
  error: true,
});

/** The result of a tool that starts an execution. */
export const outcome = z.object({
  ...executionState.pick({ executionId: true, status: true }).shape,
  availableCredits: z.int().optional().describe("The balance after credits were held."),
  doing: z.string().optional().describe("The latest progress, if you waited."),
  question: question.optional().describe("The question, while the status is waiting_for_input."),
  result: newResult.optional().describe("The result, if the execution has ended."),
  next: z.string().describe("What to do next."),
});
type Outcome = z.infer<typeof outcome>;

/** Returns a result with as many of its values as fit. */
export function shortened(result: ExecutionResult): z.infer<typeof shownResult> {
  let left = MAX_CHARACTERS;
  const outputs = result.outputs.map((output) => {
    const value = valueIn(output);
    if (value === undefined) return output;
    const { length } = JSON.stringify(value);
    if (length > left) return { ...output, value: undefined, omittedCharacters: length };
    left -= length;
    return output;
  });
  return { ...result, outputs };
}

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .optional()
  .describe(
    "A unique id of this call. Repeating the call with the same key and arguments returns the first result and does nothing twice, for at least 24 hours.",
  );

/** The input of every tool that starts an execution, besides what it starts. */
export const START = {
  waitSeconds: z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(0)
    .describe("How long to wait for the end or a question. 0 returns at once."),
  idempotencyKey,
};

/** Starts an execution, once for each key, and returns its outcome after a wait. */
export async function startOnce(
  call: ToolCall,
  wanted: { waitSeconds: number; idempotencyKey?: string | undefined },
  start: (once: ReturnType<typeof onceWith>) => Promise<z.infer<typeof triggerAccepted>>,
): Promise<Outcome> {
  const { waitSeconds, idempotencyKey: key } = wanted;
  const accepted = await start(onceWith(key, call));
  const { executionId } = accepted;
  if (waitSeconds === 0) return { ...accepted, next: nextFor(accepted) };
  try {
    await waitUntilSettled(call, executionId, { version: 0, seconds: waitSeconds });
    const state = await call.api.executions.status(executionId, {}, call);
    return { ...accepted, ...(await outcomeNow(call, state)) };
  } catch (error) {
    call.signal.throwIfAborted();
    // The execution runs: a caller that got an error instead would start another.
    if (!(error instanceof PrompthookError)) logWarning("MCP wait failed", { executionId }, error);
    return { ...accepted, next: nextFor(accepted) };
  }
}

/** Returns the outcome of an execution in this state, with its result if it has ended. */
export async function outcomeNow(call: ToolCall, state: ExecutionState): Promise<Outcome> {
  const { executionId, status } = state;
  const ended = isFinal(status) ? await call.api.executions.result(executionId, {}, call) : null;
  return {
    executionId,
    status,
    doing: state.progress.message,
    ...(state.question && { question: state.question }),
    ...(ended && { result: newResult.parse(shortened(ended)) }),
    next: nextFor(state),
  };
}

function nextFor({ status, question: asked }: Pick<ExecutionState, "status" | "question">): string {
  if (isFinal(status)) return "Nothing: the execution has ended.";
  if (asked?.kind === "approval") return "Approve or deny the tool call with send_message.";
  if (asked?.kind === "question") return "Answer the question with send_message.";
  return "Call get_status with waitSeconds until the execution has ended, then get_result.";
}

/** Returns whether nothing more happens on its own: the execution has ended or waits for a person. */
export function isSettled({ status }: Pick<ExecutionState, "status">): boolean {
  return isFinal(status) || status === "waiting_for_input";
}

/**
 * Waits until the execution is settled or the time is up. It follows the events, which count as one
 * request however many there are. `version` is the last one seen.
 */
export async function waitUntilSettled(
  { api, signal }: ToolCall,
  executionId: string,
  { version, seconds }: { version: number; seconds: number },
): Promise<void> {
  if (seconds === 0) return;
  const deadline = startDeadline(seconds * 1_000, signal);
  try {
    for await (const event of api.executions.stream(executionId, { signal: deadline.signal })) {
      if (event.version <= version) continue;
      if (event.type === "status" && event.data.status === "waiting_for_input") return;
    }
  } catch (error) {
    if (!deadline.expired || signal.aborted) throw error;
  } finally {
    deadline.clear();
  }
}
