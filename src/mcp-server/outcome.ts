import * as z from "zod";
import { PrompthookError } from "../client/error.ts";
import type { triggerAccepted } from "../contract/account.ts";
import { type ExecutionState, executionState, isFinal, question } from "../contract/execution.ts";
import { logWarning } from "../lib/log.ts";
import { follow } from "./follow.ts";
import { newsOfResult, shortened } from "./shown-result.ts";
import type { ToolCall } from "./tool.ts";

/** What a tool answers that starts a run. */
export const outcome = z.object({
  ...executionState.pick({ executionId: true, status: true }).shape,
  availableCredits: z.int().describe("The balance once the most that this run may cost was held."),
  doing: z.string().optional().describe("What it did last, if you waited."),
  question: question
    .optional()
    .describe("What it waits for, while the status is waiting_for_input."),
  result: newsOfResult.optional().describe("What came out, if it has ended."),
  next: z.string().describe("What to do now."),
});
export type Outcome = z.infer<typeof outcome>;

/** How a run stands that was just accepted, after a wait. */
export async function outcomeOf(
  call: ToolCall,
  accepted: z.infer<typeof triggerAccepted>,
  waitSeconds: number,
): Promise<Outcome> {
  if (waitSeconds === 0) return { ...accepted, next: nextFor(accepted) };
  try {
    return { ...accepted, ...(await afterWait(call, accepted.executionId, waitSeconds)) };
  } catch (error) {
    call.signal.throwIfAborted();
    // The agent works: whoever heard of an error instead would start another.
    const { executionId } = accepted;
    if (!(error instanceof PrompthookError)) logWarning("MCP wait failed", { executionId }, error);
    return { ...accepted, next: nextFor(accepted) };
  }
}

async function afterWait(call: ToolCall, executionId: string, seconds: number) {
  await follow(call, executionId, { version: 0, seconds });
  const { executions } = call.api;
  const state = await executions.status(executionId, {}, call);
  const ended = isFinal(state.status) ? await executions.result(executionId, {}, call) : null;
  return {
    status: state.status,
    doing: state.progress.message,
    ...(state.question && { question: state.question }),
    ...(ended && { result: newsOfResult.parse(shortened(ended)) }),
    next: nextFor(state),
  };
}

function nextFor({ status, question: asked }: Pick<ExecutionState, "status" | "question">): string {
  if (isFinal(status)) return "Nothing: it has ended.";
  if (asked?.kind === "approval") return "Approve or deny the call with send_message.";
  if (asked?.kind === "question") return "Answer the question with send_message.";
  return "Call get_status with waitSeconds until it has ended, then get_result.";
}
