import type { ModelTry, Turn } from "../contract/conversation.ts";
import type { ExecutionEvent } from "../contract/events.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { parseTraceparent, spanIdOf } from "../lib/trace-context.ts";
import type { MachineState } from "./machine/state.ts";
import { findStep } from "./step-view.ts";

/** Values of OTLP (opentelemetry-proto, trace/v1). */
const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;

/** Providers whose name in OpenTelemetry's conventions differs from that of the model. */
const PROVIDERS: Readonly<Record<string, string>> = { google: "gcp.gemini" };

/** An execution that has ended. */
export interface Traced {
  seed: Pick<ExecutionSeed, "executionId" | "revision" | "traceparent">;
  state: Pick<
    MachineState,
    "status" | "statusDetail" | "createdAt" | "startedAt" | "updatedAt" | "finishedAt"
  >;
  turns: readonly Turn[];
  tries: readonly ModelTry[];
  events: readonly ExecutionEvent[];
  /** The name of its workflow, or null. */
  agent: string | null;
}

/** A span, and when it began. */
interface Child {
  at: number;
  span: JsonObject;
}

/**
 * Returns the body of `POST /v1/traces` for an execution: a span of the agent, with one for each try of a model
 * and each call of a tool. With `content` those of tools have what they were given and returned.
 */
export function traceRequest(traced: Traced, { content }: { content: boolean }): JsonObject {
  const children = [...chats(traced), ...toolCalls(traced, content)].sort((a, b) => a.at - b.at);
  const spans = [root(traced), ...children.map(({ span }) => span)];
  const resource = { attributes: [text("service.name", "prompthook")] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "prompthook" }, spans }] }] };
}

function root({ seed, state, agent }: Traced): JsonObject {
  const parent = parseTraceparent(seed.traceparent);
  const { statusDetail, startedAt, createdAt, finishedAt, updatedAt } = state;
  const error = state.status === "failed" ? statusDetail : null;
  return {
    ...spanOf(seed, "root", { from: startedAt ?? createdAt, to: finishedAt ?? updatedAt, error }),
    ...(parent !== null && { parentSpanId: parent.spanId }),
    name: agent === null ? "invoke_agent" : `invoke_agent ${agent}`,
    kind: INTERNAL,
    attributes: [
      text("gen_ai.operation.name", "invoke_agent"),
      ...(agent === null ? [] : [text("gen_ai.agent.name", agent)]),
      ...(seed.revision === null ? [] : [text("gen_ai.agent.version", String(seed.revision))]),
      text("gen_ai.conversation.id", seed.executionId),
      ...faultOf(error),
    ],
  };
}

function chats({ seed, turns, tries }: Traced): Child[] {
  return tries.map(({ step, model, at, durationMs, usage, error: failure }, n) => {
    const error = failure === undefined ? null : "model_error";
    const reply = error === null ? findStep(turns, tries, step)?.reply : null;
    const isCut = reply?.calls.some(({ truncated }) => truncated === true) ?? false;
    const reason = reply && (isCut ? "length" : reply.calls.length > 0 ? "tool_calls" : "stop");
    const [provider = "", ...rest] = model.split("/");
    const name = rest.join("/");
    const span = {
      ...childOf(seed, `try/${n}`, { from: at, to: at + durationMs, error }),
      name: `chat ${model}`,
      kind: CLIENT,
      attributes: [
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.provider.name", PROVIDERS[provider] ?? provider),
        text("gen_ai.request.model", name),
        ...(usage === undefined
          ? []
          : [
              text("gen_ai.response.model", name),
              whole("gen_ai.usage.input_tokens", usage.inputTokens),
              whole("gen_ai.usage.output_tokens", usage.outputTokens),
            ]),
        ...(reason ? [texts("gen_ai.response.finish_reasons", [reason])] : []),
        ...faultOf(error),
      ],
    };
    return { at, span };
  });
}

/** A call that is interrupted starts again: the last start counts. */
function toolCalls({ seed, events }: Traced, content: boolean): Child[] {
  const starts = new Map<string, Extract<ExecutionEvent, { type: "tool.started" }>>();
  for (const event of events) {
    if (event.type === "tool.started") starts.set(event.data.callId, event);
  }
  return events.flatMap(({ type, at: endedAt, data }): Child[] => {
    if (type !== "tool.finished") return [];
    const { callId, ok, durationMs = 0, result, error: failure } = data;
    const start = starts.get(callId);
    const to = Date.parse(endedAt);
    const at = start === undefined ? to - durationMs : Date.parse(start.at);
    const tool = data.tool ?? start?.data.tool ?? "";
    const input = start?.data.input;
    const error = !ok ? "tool_error" : null;
    const span = {
      ...childOf(seed, callId, { from: at, to, error }),
      name: `execute_tool ${tool}`,
      kind: INTERNAL,
      attributes: [
        text("gen_ai.operation.name", "execute_tool"),
        text("gen_ai.tool.name", tool),
        text("gen_ai.tool.call.id", callId),
        ...(content && input !== undefined ? [shown("gen_ai.tool.call.arguments", input)] : []),
        ...(content ? [shown("gen_ai.tool.call.result", result ?? failure ?? null)] : []),
        ...faultOf(error),
      ],
    };
    return [{ at, span }];
  });
}

/** The time of a part of an execution in epoch milliseconds, and its error or null. */
interface Course {
  from: number;
  to: number;
  error: string | null;
}

function childOf(seed: Traced["seed"], part: string, course: Course): JsonObject {
  return { ...spanOf(seed, part, course), parentSpanId: spanIdOf(seed.executionId, "root") };
}

function spanOf(
  { executionId, traceparent }: Traced["seed"],
  part: string,
  { from, to, error }: Course,
): JsonObject {
  return {
    traceId: parseTraceparent(traceparent)?.traceId ?? executionId.replaceAll("-", ""),
    spanId: spanIdOf(executionId, part),
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(Math.max(from, to)),
    ...(error !== null && { status: { code: ERROR, message: error } }),
  };
}

/** Returns epoch milliseconds as OTLP's decimal string: more than a number holds exactly. */
function nanoseconds(at: number): string {
  return `${Math.round(at)}000000`;
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const whole = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
const texts = (key: string, values: string[]) => ({
  key,
  value: { arrayValue: { values: values.map((value) => ({ stringValue: value })) } },
});
const shown = (key: string, value: Json) =>
  text(key, typeof value === "string" ? value : JSON.stringify(value));
const faultOf = (error: string | null) => (error === null ? [] : [text("error.type", error)]);
