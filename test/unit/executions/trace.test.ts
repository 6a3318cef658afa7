import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Traced, traceRequest } from "../../../src/executions/trace.ts";

/** OpenTelemetry's own definitions of the protocol, generated from its .proto files. */
const root = createRequire(import.meta.url)(
  "@opentelemetry/otlp-transformer/build/src/generated/root.js",
) as {
  opentelemetry: {
    proto: {
      collector: {
        trace: {
          v1: {
            ExportTraceServiceRequest: {
              fromObject(value: object): object;
              verify(value: object): string | null;
              encode(value: object): { finish(): Uint8Array };
              decode(bytes: Uint8Array): object;
              toObject(value: object, options: object): unknown;
            };
          };
        };
      };
    };
  };
};
const Request = root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

const hex = z.string().transform((base64) => Buffer.from(base64, "base64").toString("hex"));
const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: hex,
  spanId: hex,
  parentSpanId: hex.optional(),
  name: z.string(),
  kind: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z
    .array(attribute)
    .transform((all) =>
      Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]])),
    ),
  status: z.object({ code: z.string(), message: z.string() }).optional(),
});
const received = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});

/**
 * Receives a request as a collector does that speaks OTLP/HTTP: the JSON, in which ids are hexadecimal, is
 * read by the official definitions, brought over the wire and read again.
 */
function receive(traced: Traced) {
  const request = traceRequest(traced, { content: true });
  const text = JSON.stringify(request, (key, value: unknown) =>
    ["traceId", "spanId", "parentSpanId"].includes(key) && typeof value === "string"
      ? Buffer.from(value, "hex").toString("base64")
      : value,
  );
  const json = JSON.parse(text) as object;
  const message = Request.fromObject(json);
  expect(Request.verify(message)).toBeNull();
  const read = Request.decode(Request.encode(message).finish());
  const options = { longs: String, enums: String, bytes: String };
  // A field that the definitions do not know would be gone.
  const again = Request.toObject(Request.fromObject(json), options);
  expect(keysOf(again)).toEqual(keysOf(json));
  const { resourceSpans } = received.parse(Request.toObject(read, options));
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

function keysOf(value: unknown): string[] {
  const keys = new Set<string>();
  JSON.stringify(value, (key, each: unknown) => {
    if (!/^\d*$/.test(key)) keys.add(key);
    return each;
  });
  return [...keys].sort();
}

const EXECUTION = "019a8b2c-6f00-8c3d-9e4f-3b1d7a9a1f42";
const AT = 1_800_000_000_123;
const call = { callId: "call_1", tool: "http_request", input: { url: "https://a.example" } };
const iso = (at: number) => new Date(at).toISOString();
const trace: Traced = {
  seed: { executionId: EXECUTION, revision: 3 },
  state: {
    status: "completed",
    statusDetail: "done",
    createdAt: AT - 5,
    startedAt: AT,
    updatedAt: AT + 900,
    finishedAt: AT + 900,
  },
  agent: "Order check",
  turns: [
    {
      role: "assistant",
      text: "",
      calls: [call],
      start: { at: AT, step: 1, stepsLeft: 30, creditsLeft: 50, stepPrice: 1, secondsLeft: 60 },
    },
  ],
  tries: [
    {
      step: 1,
      model: "google/gemini-x",
      at: AT + 10,
      durationMs: 400,
      usage: { inputTokens: 1_200, outputTokens: 34, cachedTokens: 0 },
    },
  ],
  events: [
    { seq: 1, type: "tool.started", at: iso(AT + 420), version: 2, data: { ...call } },
    {
      seq: 2,
      type: "tool.finished",
      at: iso(AT + 500),
      version: 3,
      data: { callId: "call_1", tool: "http_request", ok: false, result: { status: 500 } },
    },
  ],
};

describe("the trace of an execution, decoded by OpenTelemetry's definitions", () => {
  it("is a span of the agent with a child for each call", () => {
    const [agent, chat, tool] = receive(trace);
    expect(agent).toEqual({
      traceId: EXECUTION.replaceAll("-", ""),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: "invoke_agent Order check",
      kind: "SPAN_KIND_INTERNAL",
      startTimeUnixNano: `${AT}000000`,
      endTimeUnixNano: `${AT + 900}000000`,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "Order check",
        "gen_ai.agent.version": "3",
        "gen_ai.conversation.id": EXECUTION,
      },
    });
    const traceId = agent?.traceId;
    const parentSpanId = agent?.spanId;
    expect(chat).toMatchObject({
      traceId,
      parentSpanId,
      name: "chat google/gemini-x",
      kind: "SPAN_KIND_CLIENT",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "gemini-x",
        "gen_ai.response.model": "gemini-x",
        "gen_ai.usage.input_tokens": "1200",
        "gen_ai.usage.output_tokens": "34",
        "gen_ai.response.finish_reasons": { values: [{ stringValue: "tool_calls" }] },
      },
    });
    expect(tool).toMatchObject({
      traceId,
      parentSpanId,
      name: "execute_tool http_request",
      kind: "SPAN_KIND_INTERNAL",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "http_request",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.call.arguments": '{"url":"https://a.example"}',
        "gen_ai.tool.call.result": '{"status":500}',
        "error.type": "tool_error",
      },
      status: { code: "STATUS_CODE_ERROR" },
    });
    expect(new Set([agent, chat, tool].map((each) => each?.spanId)).size).toBe(3);
  });

  it("of a failed execution names why, as an error", () => {
    const [agent] = receive({
      ...trace,
      state: { ...trace.state, status: "failed", statusDetail: "timed_out" },
    });
    expect(agent).toMatchObject({
      attributes: { "error.type": "timed_out" },
      status: { code: "STATUS_CODE_ERROR", message: "timed_out" },
    });
  });

  it("continues the trace that started it", () => {
    const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const traceparent = `00-${traceId}-${spanId}-01`;
    const spans = receive({ ...trace, seed: { ...trace.seed, traceparent } });
    expect(spans[0]?.parentSpanId).toBe(spanId);
    expect(new Set(spans.map((each) => each.traceId))).toEqual(new Set([traceId]));
  });
});
