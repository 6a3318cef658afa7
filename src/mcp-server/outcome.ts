import * as z from "zod";
import { type ExecutionState, executionState, isFinal, question } from "../contract/execution.ts";
import { follow } from "./follow.ts";
import { shortened, shownResult } from "./shown-result.ts";
import type { ToolCall } from "./tool.ts";

/** What a tool answers that starts a run. */
export const outcome = z.object({
  ...executionState.pick({ executionId: true, status: true, statusDetail: true }).shape,
  availableCredits: z.int().describe("The balance once the most that this run may cost was held."),
  doing: z.string().describe("What it does now, or did last."),
  question: question
    .optional()
    .describe("What it waits for, while the status is waiting_for_input."),
  result: shownResult.optional().describe("What came out, once it has ended."),
  next: z.string().describe("What to do now."),
});
export type Outcome = z.infer<typeof outcome>;

/** How a run stands that was just started, after a wait. */
export async function outcomeOf(
  call: ToolCall,
  { executionId, availableCredits }: { executionId: string; availableCredits: number },
  waitSeconds: number,
): Promise<Outcome> {
  await follow(call, executionId, { version: 0, seconds: waitSeconds });
  const { executions } = call.api;
  const state = await executions.status(executionId, {}, call);
  const { status, statusDetail, progress } = state;
  const ended = isFinal(status) ? await executions.result(executionId, {}, call) : null;
  return {
    executionId,
    status,
    statusDetail,
    availableCredits,
    doing: progress.message,
    ...(state.question && { question: state.question }),
    ...(ended && { result: shortened(ended) }),
    next: nextFor(state),
  };
}

function nextFor({ status, question: asked }: ExecutionState): string {
  if (isFinal(status)) return "Nothing: it has ended.";
  if (asked?.kind === "approval") return "Approve or deny the call with send_message.";
  if (asked?.kind === "question") return "Answer the question with send_message.";
  return "Call get_status with waitSeconds until it has ended, then get_result.";
}
