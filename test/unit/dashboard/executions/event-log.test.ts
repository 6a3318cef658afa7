import { describe, expect, it } from "vitest";
import { EVENT_TYPES, type EventType } from "../../../../src/contract/events.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";
import { describeEvent } from "../../../../src/dashboard/pages/executions/event-log.tsx";

const words = (type: EventType, data: JsonObject) =>
  describeEvent({ seq: 1, type, at: "2026-11-20T09:30:00.000Z", version: 1, data });

describe("an entry of the log in words", () => {
  it.each([
    [
      "status",
      { status: "failed", statusDetail: "timed_out", error: { message: "Too long." } },
      "Timed out",
      "Too long.",
      "bad",
    ],
    ["step.started", { step: 3 }, "Step 3 started", undefined, "idle"],
    [
      "step.finished",
      { step: 3, creditsConsumed: 1 },
      "Step 3 finished, 1 credit used",
      undefined,
      "idle",
    ],
    ["tool.started", { tool: "browse", description: "Opening it" }, "browse", "Opening it", "busy"],
    ["tool.finished", { tool: "browse", ok: true }, "browse succeeded", undefined, "good"],
    [
      "tool.finished",
      { tool: "browse", ok: false, error: { code: "x", message: "Gone." } },
      "browse failed",
      "Gone.",
      "bad",
    ],
    [
      "message.queued",
      { mode: "interrupt", text: "Stop" },
      "Interrupting message received",
      "Stop",
      "idle",
    ],
    [
      "message.dropped",
      { messageId: "m" },
      "Message not delivered: the execution ended first",
      undefined,
      "attention",
    ],
    ["output", { label: "Prices", type: "table" }, "Output: Prices", "table", "good"],
    ["question", { text: "Which?" }, "Question", "Which?", "attention"],
    ["log", { message: "Looking" }, "Log message", "Looking", "idle"],
  ] as const)("%s %j", (type, data, title, text, tone) => {
    expect(words(type, data)).toEqual({ title, ...(text !== undefined && { text }), tone });
  });

  it.each(EVENT_TYPES)("is found for %s, whatever its data are", (type) => {
    const odd = { step: "x", tool: 1, ok: "y", error: [], text: null, message: {}, label: false };
    for (const data of [{}, odd]) {
      const { title, text = "" } = words(type, data);
      expect(title).toEqual(expect.any(String));
      expect(text).toEqual(expect.any(String));
    }
  });

  it("shows the parts of a plan on lines of their own", () => {
    expect(words("plan", { parts: ["count", "sort"] })).toMatchObject({ text: "count\nsort" });
  });
});
