import { describe, expect, it } from "vitest";
import { createToolset } from "../../../src/agent/tools/registry.ts";
import type { Turn } from "../../../src/contract/conversation.ts";
import type { Json } from "../../../src/contract/json.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
import { classifyCall, heldBack, requestedCall, staleCall } from "../../../src/executions/calls.ts";
import type { PendingCall } from "../../../src/executions/machine/state.ts";
import { callOf, seedOf } from "../../support/execution.ts";

describe("understanding a call", () => {
  const understand = (tool: string, given: object, changes: Partial<ExecutionSeed> = {}) => {
    const seed = seedOf(changes);
    return classifyCall(
      { callId: "c1", tool, input: given as never },
      seed,
      createToolset({ ...seed, capabilities: { browser: false, search: false }, remote: [] }),
    );
  };

  it("knows reads, local work, effects and control calls apart, and their prices", () => {
    const url = "https://example.com/a?key=secret";
    expect(understand("browse", { url })).toMatchObject({ kind: "read", price: 1 });
    expect(understand("http_request", { url })).toMatchObject({ kind: "read", price: 1 });
    expect(understand("http_request", { url, method: "POST" })).toMatchObject({
      kind: "effect",
      price: 1,
      target: "POST https://example.com/a",
    });
    expect(understand("emit_output", { label: "x", type: "text", value: "y" })).toMatchObject({
      kind: "local",
      price: 1,
    });
    expect(understand("finish", { summary: "done" })).toMatchObject({ kind: "control", price: 0 });
    expect(understand("ask_user", { question: "?" })).toMatchObject({ kind: "control", price: 0 });
  });

  it("refuses a tool that there is not, naming those that there are", () => {
    const call = understand("dance", {}, { tools: ["browse"], interactive: false });
    expect(call).toMatchObject({
      refused: {
        error: { code: "unknown_tool", message: expect.stringContaining("browse, finish") },
      },
    });
  });

  it("refuses tools that this execution may not use", () => {
    expect(understand("browse", { url: "https://a.example" }, { tools: [] })).toHaveProperty(
      "refused.error.code",
      "unknown_tool",
    );
    expect(understand("ask_user", { question: "?" }, { interactive: false })).toHaveProperty(
      "refused.error.code",
      "unknown_tool",
    );
  });

  it("refuses input that the tool does not take, saying what is wrong", () => {
    expect(understand("browse", { url: 7 })).toMatchObject({
      refused: { error: { code: "invalid_input", message: expect.stringContaining("url") } },
    });
  });

  it("refuses a call that cannot be read, saying what is wrong", () => {
    const box = createToolset({
      ...seedOf(),
      capabilities: { browser: false, search: false },
      remote: [],
    });
    const call = { callId: "c1", tool: "browse", input: '{"url', fault: "It is not valid JSON." };
    expect(classifyCall(call, seedOf(), box)).toMatchObject({
      refused: { error: { code: "unreadable_call", message: "It is not valid JSON." } },
    });
  });

  it("keeps the input of a call that needs approval, and only of such a one", () => {
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

  it("is what the reply had that asked for it", () => {
    expect(requestedCall(turns, "c1").input).toEqual({ url: "a" });
    expect(requestedCall(turns, "c2").input).toEqual({ url: "b" });
  });

  it("is an error of ours when nobody asked for it", () => {
    expect(() => requestedCall(turns, "c3")).toThrow("not in the conversation");
  });
});

describe("a call that was understood before a restart", () => {
  const seed = seedOf();
  const box = createToolset({
    ...seed,
    capabilities: { browser: false, search: false },
    remote: [],
  });
  const input = { method: "POST", url: "https://example.com/pay" };
  const call = callOf("effect", "c1", { target: "POST https://example.com/pay" });

  it("is run when it still means the same", () => {
    expect(staleCall(call, input, seed, box)).toBeNull();
  });

  it("is refused when its tool is gone, its input no longer fits, or its target is another", () => {
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
  const told = (callId: string): Turn => ({
    role: "tool",
    callId,
    tool: "http_request",
    answer: { ok: false, error: { code: "truncated_source", message: "" } },
  });
  const read = (callId: string): Turn => ({
    role: "tool",
    callId,
    tool: "browse",
    answer: { ok: true, content: null },
  });
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

  it("is refused once for each source that was cut", () => {
    expect(outcome([read("cut1")], ["cut1"])).toMatchObject(refused);
    expect(outcome([read("cut1"), told("c0")], ["cut1"])).not.toHaveProperty("refused");
    expect(outcome([read("cut1"), told("c0"), read("cut2")], ["cut1", "cut2"])).toMatchObject(
      refused,
    );
    expect(outcome([told("c0")], ["cut1"], { tool: "mcp__crm__add" })).toMatchObject(refused);
  });

  it("is not refused if nothing was cut that it is based on", () => {
    expect(outcome([read("whole")], [])).not.toHaveProperty("refused");
    const whole = { sources: ["whole"] };
    expect(outcome([read("cut1")], ["cut1"], {}, whole)).not.toHaveProperty("refused");
    expect(outcome([], [], {}, { sources: ["cut1"] })).toMatchObject(refused);
    // The arguments of a remote tool are its own.
    const remote = { tool: "mcp__crm__add" };
    expect(outcome([read("cut1")], ["cut1"], remote, whole)).toMatchObject(refused);
  });

  it("is another thing than a read, an e-mail or a spreadsheet", () => {
    for (const changes of [
      { kind: "read" as const },
      { tool: "send_email" },
      { tool: "write_spreadsheet" },
    ]) {
      expect(outcome([read("cut1")], ["cut1"], changes)).not.toHaveProperty("refused");
    }
  });
});
