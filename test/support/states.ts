import type { Credits } from "../../src/contract/account.ts";
import { type ExecutionEvent, executionEvent } from "../../src/contract/events.ts";
import {
  EXAMPLE_ID,
  type ExecutionResult,
  type ExecutionState,
  type ExecutionStatus,
} from "../../src/contract/execution.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { executionResultExample, executionStateExample } from "./examples.ts";

export const EXECUTION_ID = EXAMPLE_ID;
const AT = "2026-11-20T09:30:00.000Z";

export const CREDITS: Credits = {
  availableCredits: 9,
  reservedCredits: 0,
  consumedCredits: 1,
  updatedAt: AT,
};

/** The status of an execution at some version. */
export function stateAt(version: number, status: ExecutionStatus = "active"): ExecutionState {
  return {
    ...executionStateExample,
    status,
    statusDetail: status === "active" ? "running" : "done",
    version,
    progress: { message: "Working", stepsCompleted: 0, currentStep: 1, percent: null },
    creditsConsumed: 0,
    createdAt: AT,
    startedAt: AT,
    updatedAt: AT,
    finishedAt: status === "active" ? null : AT,
  };
}

/** A result with nothing in it. */
export function emptyResult(status: ExecutionStatus = "completed"): ExecutionResult {
  const result = {
    ...executionResultExample,
    presentedResult: { summary: "Done." },
    outputs: [],
    creditsConsumed: 1,
    version: 3,
    createdAt: AT,
    finishedAt: AT,
  };
  if (status === "active" || status === "waiting_for_input")
    return { ...result, status, finishedAt: null };
  const error = { code: "cannot_do" as const, message: "Done." };
  return status === "failed" ? { ...result, status, error } : { ...result, status };
}

/** What the events of each type have at least. */
const LEAST: Record<ExecutionEvent["type"], JsonObject> = {
  status: { status: "active", statusDetail: "running" },
  plan: { parts: [] },
  "step.started": { step: 1 },
  "step.finished": { step: 1 },
  "tool.started": { callId: "call_1", tool: "browse" },
  "tool.finished": { callId: "call_1", ok: true },
  "message.queued": { messageId: "msg_1" },
  "message.applied": { messageId: "msg_1" },
  "message.dropped": { messageId: "msg_1" },
  output: { outputId: "out_1", label: "It", type: "text", nodeType: "TEXT" },
  question: { kind: "question", text: "Which?" },
  log: { message: "" },
};

/** An entry of a log. */
export function eventAt(
  seq: number,
  type: ExecutionEvent["type"] = "log",
  data: JsonObject = {},
  at = AT,
): ExecutionEvent {
  return executionEvent.parse({ seq, type, at, version: seq, data: { ...LEAST[type], ...data } });
}

/** The entry that ends a log. */
export const lastAt = (seq: number): ExecutionEvent =>
  eventAt(seq, "status", { status: "completed", statusDetail: "done" });
