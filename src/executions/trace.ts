import type { ModelTry, Turn } from "../contract/conversation.ts";
import type { ExecutionEvent } from "../contract/events.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { ExecutionTrace, TracedCall } from "../contract/trace.ts";
import type { MachineState } from "./machine/state.ts";
import { findStep } from "./step-view.ts";

interface Traced {
  seed: ExecutionSeed;
  state: MachineState;
  turns: readonly Turn[];
  tries: readonly ModelTry[];
  events: readonly ExecutionEvent[];
  /** The name of its workflow, or null. */
  agent: string | null;
}

/** Returns an execution as a trace: a call for each try of a model and each call of a tool. */
export function traceOf(traced: Traced, { content }: { content: boolean }): ExecutionTrace {
  const { seed, state, agent } = traced;
  const { executionId, revision, traceparent } = seed;
  const calls = [...chats(traced), ...toolCalls(traced.events, content)];
  return {
    executionId,
    ...(traceparent !== undefined && { traceparent }),
    agent,
    revision,
    statusDetail: state.statusDetail,
    isFailed: state.status === "failed",
    startedAt: state.startedAt ?? state.createdAt,
    finishedAt: state.finishedAt ?? state.updatedAt,
    calls: calls.sort((a, b) => a.at - b.at),
  };
}

function chats({ turns, tries }: Traced): TracedCall[] {
  return tries.map(({ step, model, at, durationMs, usage, error }, n) => {
    const reply = error === undefined ? findStep(turns, tries, step)?.reply : null;
    const isCut = reply?.calls.some(({ truncated }) => truncated === true) ?? false;
    const reason = reply && (isCut ? "length" : reply.calls.length > 0 ? "tool_calls" : "stop");
    return {
      kind: "chat",
      part: `try/${n}`,
      at,
      durationMs,
      model,
      usage: usage ?? null,
      finishReason: reason ?? null,
      error: error === undefined ? null : "model_error",
    };
  });
}

/** A call that is interrupted starts again: the last start counts. */
function toolCalls(events: readonly ExecutionEvent[], content: boolean): TracedCall[] {
  const starts = new Map<unknown, ExecutionEvent>();
  for (const event of events) {
    if (event.type === "tool.started") starts.set(event.data.callId, event);
  }
  return events.flatMap(({ type, at, data }): TracedCall[] => {
    const { callId, tool, ok, durationMs, result, error } = data;
    if (type !== "tool.finished" || typeof callId !== "string") return [];
    const start = starts.get(callId);
    const ended = Date.parse(at);
    const took = typeof durationMs === "number" ? durationMs : 0;
    const input = start?.data.input;
    return [
      {
        kind: "tool",
        part: callId,
        callId,
        tool: typeof tool === "string" ? tool : String(start?.data.tool ?? ""),
        at: start === undefined ? ended - took : Date.parse(start.at),
        durationMs: start === undefined ? took : ended - Date.parse(start.at),
        error: ok === false ? "tool_error" : null,
        ...(content && input !== undefined && { input }),
        ...(content && { result: result ?? error ?? null }),
      },
    ];
  });
}
