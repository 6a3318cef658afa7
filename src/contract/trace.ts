import type { ExecutionState } from "./execution.ts";
import type { Json } from "./json.ts";

/** One call of a model or a tool. Times are epoch milliseconds. */
export type TracedCall = { part: string; at: number; durationMs: number } & (
  | {
      kind: "chat";
      model: string;
      usage: { inputTokens: number; outputTokens: number } | null;
      finishReason: string | null;
      error: string | null;
    }
  | {
      kind: "tool";
      callId: string;
      tool: string;
      error: string | null;
      /** Absent unless the content was asked for. */
      input?: Json;
      result?: Json;
    }
);

/** An execution that has ended, as a trace. Times are epoch milliseconds. */
export interface ExecutionTrace extends Pick<ExecutionState, "executionId" | "statusDetail"> {
  traceparent?: string;
  /** The name of its workflow, or null. */
  agent: string | null;
  revision: number | null;
  isFailed: boolean;
  startedAt: number;
  finishedAt: number;
  calls: TracedCall[];
}
