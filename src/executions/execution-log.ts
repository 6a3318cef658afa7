import type { ExecutionSeed } from "../contract/session.ts";
import { logInfo } from "../lib/log.ts";
import { activeMsAt, type MachineState } from "./machine/state.ts";

/** Logs the end of an execution at `now`, epoch milliseconds. */
export function logEnd(
  { executionId, accountId, origin, workflowId, model }: ExecutionSeed,
  state: MachineState,
  now: number,
): void {
  const { toolCalls, inputTokens, outputTokens } = state.usage;
  logInfo("execution", {
    executionId,
    accountId,
    origin,
    workflowId,
    model: state.model ?? model,
    status: state.status,
    statusDetail: state.statusDetail,
    steps: state.stepsCompleted,
    toolCalls,
    credits: state.creditsUsed,
    inputTokens,
    outputTokens,
    durationMs: now - state.createdAt,
    activeMs: activeMsAt(state, now),
  });
}
