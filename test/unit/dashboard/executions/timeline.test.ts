import { describe, expect, it } from "vitest";
import { type EventType, executionEvent } from "../../../../src/contract/events.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";
import { hasEvent, timelineOf } from "../../../../src/dashboard/pages/executions/timeline.ts";

const START = "2026-11-20T09:30:00.000Z";

/** The rows of events, each with the milliseconds at which it happened. */
function rowsOf(...events: (readonly [EventType, number, JsonObject])[]) {
  const all = events.map(([type, ms, data], index) => {
    const at = new Date(Date.parse(START) + ms).toISOString();
    return executionEvent.parse({ seq: index + 1, type, at, version: 1, data });
  });
  return timelineOf(all, START).rows;
}

const BROWSE = { callId: "c1", tool: "browse" };

describe("a timeline", () => {
  it("has a row for the model's part of a step and one for each tool call, whose credits add up", () => {
    const usage = {
      modelSteps: 1,
      toolCalls: 1,
      inputTokens: 100,
      cachedTokens: 0,
      outputTokens: 20,
    };
    const input = { url: "https://a.example/" };
    const rows = rowsOf(
      ["status", 0, { status: "active", statusDetail: "queued" }],
      ["status", 10, { status: "active", statusDetail: "planning" }],
      ["step.started", 10, { step: 1 }],
      ["tool.started", 500, { ...BROWSE, description: "Opening it", input }],
      ["tool.finished", 900, { ...BROWSE, ok: true, result: "x", durationMs: 400, credits: 2 }],
      ["output", 900, { outputId: "out_1", label: "Picture", type: "file", nodeType: "FILE" }],
      ["step.finished", 910, { step: 1, credits: 3, usage }],
    );
    expect(rows).toMatchObject([
      {
        kind: "model",
        step: 1,
        span: { from: 10, to: 500 },
        credits: 1,
        tokens: { input: 100, output: 20 },
      },
      {
        kind: "call",
        seqs: [4, 5, 6],
        title: "Opening it",
        span: { from: 500, to: 900 },
        credits: 2,
        input,
        result: "x",
        error: null,
        outputs: [{ outputId: "out_1", label: "Picture" }],
      },
    ]);
    expect(rows.map((row) => hasEvent(row, 5))).toEqual([false, true]);
  });

  it("leaves running rows open, and closes them when the execution ends", () => {
    const started = ["tool.started", 5, { ...BROWSE }] as const;
    expect(rowsOf(started)).toMatchObject([{ span: { from: 5, to: null } }]);
    const stopped = ["status", 9, { status: "stopped", statusDetail: "user_request" }] as const;
    expect(rowsOf(started, stopped)).toMatchObject([{ span: { from: 5, to: 9 } }]);
  });

  it("shows a call that a crash repeated once, and one that was refused before it started", () => {
    const error = { code: "denied", message: "No." };
    const rows = rowsOf(
      ["tool.started", 1, { ...BROWSE }],
      ["tool.started", 7, { ...BROWSE }],
      ["tool.finished", 9, { ...BROWSE, ok: true }],
      ["tool.finished", 9, { callId: "c2", tool: "send_email", ok: false, error }],
    );
    expect(rows).toMatchObject([
      { seqs: [1, 2, 3], span: { from: 1, to: 9 } },
      { seqs: [4], title: "send_email", error },
    ]);
  });

  it("shows each wait with its duration and its reason", () => {
    const waiting = { status: "waiting_for_input" } as const;
    const active = { status: "active" } as const;
    const rows = rowsOf(
      ["status", 0, { ...active, statusDetail: "queued" }],
      ["status", 4_000, { ...active, statusDetail: "planning" }],
      ["step.started", 4_000, { step: 1 }],
      ["question", 5_000, { kind: "question", text: "Which?" }],
      ["status", 5_000, { ...waiting, statusDetail: "question" }],
      ["status", 65_000, { ...active, statusDetail: "running" }],
      ["log", 66_000, { message: "The model call failed: busy." }],
      ["status", 66_000, { ...active, statusDetail: "retrying" }],
      ["status", 67_000, { ...active, statusDetail: "running" }],
      ["question", 68_000, { kind: "approval", tool: "send_email", text: "May I?" }],
      ["status", 68_000, { ...waiting, statusDetail: "approval" }],
    );
    expect(rows.map((row) => row.kind === "wait" && [row.title, row.text, row.span])).toEqual([
      ["Waiting in the queue", "", { from: 0, to: 4_000 }],
      false,
      ["Waiting for an answer", "Which?", { from: 5_000, to: 65_000 }],
      ["Waiting to try again", "The model call failed: busy.", { from: 66_000, to: 67_000 }],
      ["Waiting for approval", "May I?", { from: 68_000, to: null }],
    ]);
  });

  it("shows messages with their fate, plans and the failure, but no plain steps", () => {
    const error = { code: "timed_out", message: "Too long." };
    const rows = rowsOf(
      ["plan", 0, { parts: ["count", "sort"] }],
      ["message.queued", 1, { messageId: "m", mode: "interrupt", text: "Stop" }],
      ["message.dropped", 2, { messageId: "m" }],
      ["status", 4, { status: "active", statusDetail: "running" }],
      ["status", 5, { status: "failed", statusDetail: "timed_out", error }],
    );
    expect(rows.map((row) => row.kind === "note" && [row.title, row.text, row.tone])).toEqual([
      ["Plan", "• count\n• sort", "idle"],
      ["Message, not delivered: the execution ended first", "Stop", "attention"],
      ["Too long.", "", "bad"],
    ]);
  });
});
