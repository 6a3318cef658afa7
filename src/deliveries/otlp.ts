import type { Json, JsonObject } from "../contract/json.ts";
import type { ExecutionTrace, TracedCall } from "../contract/trace.ts";
import { parseTraceparent, spanIdOf, traceIdOf } from "../lib/trace-context.ts";

/** Values of OTLP (opentelemetry-proto, trace/v1). */
const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;

/** Providers whose name in OpenTelemetry's conventions differs from that of the model. */
const PROVIDERS: Readonly<Record<string, string>> = { google: "gcp.gemini" };

type Attribute = JsonObject;

/** Returns the body of `POST /v1/traces` for an execution; null makes an empty one, as a test. */
export function traceRequest(trace: ExecutionTrace | null): JsonObject {
  if (trace === null) return { resourceSpans: [] };
  const spans = [root(trace), ...trace.calls.map((call) => child(trace, call))];
  const resource = { attributes: [text("service.name", "prompthook")] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "prompthook" }, spans }] }] };
}

function root(trace: ExecutionTrace): JsonObject {
  const { executionId, agent, revision, traceparent, startedAt, finishedAt } = trace;
  const parent = parseTraceparent(traceparent);
  return {
    ...common(trace, "root", startedAt, finishedAt, trace.isFailed ? trace.statusDetail : null),
    ...(parent !== null && { parentSpanId: parent.spanId }),
    name: agent === null ? "invoke_agent" : `invoke_agent ${agent}`,
    kind: INTERNAL,
    attributes: [
      text("gen_ai.operation.name", "invoke_agent"),
      ...(agent === null ? [] : [text("gen_ai.agent.name", agent)]),
      ...(revision === null ? [] : [text("gen_ai.agent.version", String(revision))]),
      text("gen_ai.conversation.id", executionId),
      ...(trace.isFailed ? [text("error.type", trace.statusDetail)] : []),
    ],
  };
}

function child(trace: ExecutionTrace, call: TracedCall): JsonObject {
  const { part, at, durationMs, error } = call;
  const fault = error === null ? [] : [text("error.type", error)];
  const span = {
    ...common(trace, part, at, at + durationMs, error),
    parentSpanId: spanIdOf(trace.executionId, "root"),
  };
  return call.kind === "chat"
    ? { ...span, name: `chat ${call.model}`, kind: CLIENT, attributes: [...ofChat(call), ...fault] }
    : {
        ...span,
        name: `execute_tool ${call.tool}`,
        kind: INTERNAL,
        attributes: [...ofTool(call), ...fault],
      };
}

function ofChat({ model, usage, finishReason }: TracedCall & { kind: "chat" }): Attribute[] {
  const [provider = "", ...name] = model.split("/");
  const named = name.join("/");
  return [
    text("gen_ai.operation.name", "chat"),
    text("gen_ai.provider.name", PROVIDERS[provider] ?? provider),
    text("gen_ai.request.model", named),
    ...(usage === null
      ? []
      : [
          text("gen_ai.response.model", named),
          whole("gen_ai.usage.input_tokens", usage.inputTokens),
          whole("gen_ai.usage.output_tokens", usage.outputTokens),
        ]),
    ...(finishReason === null
      ? []
      : [
          {
            key: "gen_ai.response.finish_reasons",
            value: { arrayValue: { values: [{ stringValue: finishReason }] } },
          },
        ]),
  ];
}

function ofTool({ callId, tool, input, result }: TracedCall & { kind: "tool" }): Attribute[] {
  const asText = (value: Json) => (typeof value === "string" ? value : JSON.stringify(value));
  return [
    text("gen_ai.operation.name", "execute_tool"),
    text("gen_ai.tool.name", tool),
    text("gen_ai.tool.call.id", callId),
    ...(input === undefined ? [] : [text("gen_ai.tool.call.arguments", asText(input))]),
    ...(result === undefined ? [] : [text("gen_ai.tool.call.result", asText(result))]),
  ];
}

function common(
  { executionId, traceparent }: ExecutionTrace,
  part: string,
  from: number,
  to: number,
  error: string | null,
): JsonObject {
  return {
    traceId: traceIdOf(executionId, traceparent),
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

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } };
}

function whole(key: string, value: number): Attribute {
  return { key, value: { intValue: String(value) } };
}
