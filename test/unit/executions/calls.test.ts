import { describe, expect, it } from "vitest";
import { createToolset } from "../../../src/agent/tools/toolset.ts";
import type { Turn } from "../../../src/contract/conversation.ts";
import type { Json } from "../../../src/contract/json.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../../../src/contract/tools/call.ts";
import { classifyCall, heldBack, requestedCall, staleCall } from "../../../src/executions/calls.ts";
import type { PendingCall } from "../../../src/executions/machine/state.ts";
import { callOf, seedOf } from "../../support/execution.ts";
import { ownTools } from "../../support/own-tools.ts";

const toolsetOf = (seed: ExecutionSeed) => createToolset({ ...seed, own: ownTools(), remote: [] });

describe("understanding a call", () => {
  const understand = (
    tool: string,
    given: object,
    { fault, ...changes }: Partial<ExecutionSeed> & { fault?: string } = {},
  ) => {
    const seed = seedOf(changes);
    const call = { callId: "c1", tool, input: given as never, ...(fault && { fault }) };
    return classifyCall(call, seed, toolsetOf(seed));
  };

  const url = "https://example.com/a?key=secret";
  const target = "POST https://example.com/a";

  it.each([
    ["browse", { url }, { kind: "read", price: 1 }],
    ["http_request", { url }, { kind: "read", price: 1 }],
    ["http_request", { url, method: "POST" }, { kind: "effect", price: 1, target }],
    ["emit_output", { label: "x", type: "text", value: "y" }, { kind: "local", price: 1 }],
    ["finish", { summary: "done" }, { kind: "control", price: 0 }],
    ["ask_user", { question: "?" }, { kind: "control", price: 0 }],
  ])(
    "distinguishes reads, local work, effects and control calls: %s %j",
    (tool, given, expected) => {
      expect(understand(tool, given)).toMatchObject(expected);
    },
  );

  it.each([
    ["a tool that it does not have", "dance", {}, { tools: ["browse"] as ["browse"] }],
    ["a tool that it may not use", "browse", { url }, { tools: [] }],
    ["a question where nobody answers", "ask_user", { question: "?" }, { interactive: false }],
  ])("refuses %s, and lists the existing ones", (_, tool, given, changes) => {
    expect(understand(tool, given, changes)).toMatchObject({
      refused: { error: { code: "unknown_tool", message: expect.stringContaining("finish") } },
    });
  });

  it.each([
    ["invalid_input", "url", { url: 7 }, undefined],
    ["unreadable_call", "It is not valid JSON.", {}, "It is not valid JSON."],
  ])("refuses with %s and the reason", (code, message, given, fault) => {
    const changes = fault === undefined ? {} : { fault };
    expect(understand("browse", given, changes)).toMatchObject({
      refused: { error: { code, message: expect.stringContaining(message) } },
    });
  });

  it("keeps the input only of a call that needs approval", () => {
    const given = { url: "https://example.com" };
    const asks = understand("browse", given, { approvals: ["browse"] });
    expect(asks).toMatchObject({ needsApproval: true, input: given });
    expect(understand("browse", given)).not.toHaveProperty("input");
  });
});

describe("the input of a call", () => {
  const turns: Turn[] = [
    { role: "user", text: "Do it" },
    { role: "assistant", text: "", calls: [{ callId: "c1", tool: "browse", input: { url: "a" } }] },
    { role: "tool", callId: "c1", tool: "browse", answer: { ok: true, content: null } },
    { role: "assistant", text: "", calls: [{ callId: "c2", tool: "browse", input: { url: "b" } }] },
  ];

  it("is that of the reply with the call, and an internal error without one", () => {
    expect(requestedCall(turns, "c1").input).toEqual({ url: "a" });
    expect(requestedCall(turns, "c2").input).toEqual({ url: "b" });
    expect(() => requestedCall(turns, "c3")).toThrow("not in the conversation");
  });
});

describe("a call that was understood before a restart", () => {
  const seed = seedOf();
  const box = toolsetOf(seed);
  const input = { method: "POST", url: "https://example.com/pay" };
  const call = callOf("effect", "c1", { target: "POST https://example.com/pay" });

  it("is run if its meaning is unchanged", () => {
    expect(staleCall(call, input, seed, box)).toBeNull();
  });

  it("is refused if its tool is gone, its input is no longer valid, or its target differs", () => {
    const codeOf = (changes: Partial<PendingCall>, given: Json = input) => {
      const answer = staleCall({ ...call, ...changes }, given, seed, box);
      return answer !== null && !answer.ok ? answer.error.code : null;
    };
    expect(codeOf({ tool: "mcp__shop__pay" })).toBe("unknown_tool");
    expect(codeOf({}, { method: "POST" })).toBe("invalid_input");
    expect(codeOf({ target: "POST https://example.com/other" })).toBe("tool_changed");
    expect(codeOf({ kind: "read", target: "" })).toBe("tool_changed");
  });
});

describe("an effect that cannot carry a note", () => {
  const cutsOf = (callIds: readonly string[]) =>
    callIds.flatMap((callId) => (callId.startsWith("cut") ? ["2 MiB"] : []));
  const answered = (callId: string, tool: string, answer: ToolAnswer): Turn => ({
    role: "tool",
    callId,
    tool,
    answer,
  });
  const told = (callId: string) =>
    answered(callId, "http_request", failedAnswer("truncated_source", ""));
  const read = (callId: string) => answered(callId, "browse", { ok: true, content: null });
  const outcome = (
    turns: Turn[],
    cutReads: string[],
    changes: Partial<PendingCall> = {},
    input: Json = {},
  ) => {
    const call = callOf("effect", "c1", changes);
    const reads = { turns, cutsOf, cutReadsBefore: () => cutReads };
    return heldBack({ callId: "c1", tool: call.tool, input }, call, reads);
  };
  const refused = { refused: { ok: false, error: { code: "truncated_source" } } };

  it("is refused once for each cut source", () => {
    expect(outcome([read("cut1")], ["cut1"])).toMatchObject(refused);
    expect(outcome([read("cut1"), told("c0")], ["cut1"])).not.toHaveProperty("refused");
    expect(outcome([read("cut1"), told("c0"), read("cut2")], ["cut1", "cut2"])).toMatchObject(
      refused,
    );
    expect(outcome([told("c0")], ["cut1"], { tool: "mcp__crm__add" })).toMatchObject(refused);
  });

  it("is not refused if none of its sources was cut", () => {
    expect(outcome([read("whole")], [])).not.toHaveProperty("refused");
    const whole = { sources: ["whole"] };
    expect(outcome([read("cut1")], ["cut1"], {}, whole)).not.toHaveProperty("refused");
    expect(outcome([], [], {}, { sources: ["cut1"] })).toMatchObject(refused);
    // The arguments of a remote tool are its own.
    const remote = { tool: "mcp__crm__add" };
    expect(outcome([read("cut1")], ["cut1"], remote, whole)).toMatchObject(refused);
  });

  it.each([{ kind: "read" as const }, { tool: "send_email" }, { tool: "write_spreadsheet" }])(
    "is not a read, an e-mail or a spreadsheet: %j",
    (changes) => {
      expect(outcome([read("cut1")], ["cut1"], changes)).not.toHaveProperty("refused");
    },
  );
});
