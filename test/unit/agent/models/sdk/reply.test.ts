import { describe, expect, it } from "vitest";
import { callIdsOf, uniqueCallId } from "../../../../../src/agent/models/sdk/reply.ts";

describe("uniqueCallId", () => {
  it("keeps the model's own id", () => {
    expect(uniqueCallId("call_9xKj", new Set())).toBe("call_9xKj");
  });

  it("never gives an id twice", () => {
    const taken = new Set(["call_2"]);
    const ids = ["call_2", "call_2", "call_3", "", ""].map((id) => uniqueCallId(id, taken));
    expect(new Set([...ids, "call_2"]).size).toBe(6);
  });

  it.each(["", "two words", "x".repeat(65), '"><script>', "line\nbreak"])(
    "replaces an id such as %j",
    (id) => {
      expect(uniqueCallId(id, new Set())).toBe("call_1");
    },
  );
});

describe("callIdsOf", () => {
  it("finds the ids of all replies", () => {
    const ids = callIdsOf([
      { role: "user", text: "go" },
      { role: "assistant", text: "", calls: [{ callId: "a", tool: "browse", input: {} }] },
      { role: "tool", callId: "a", tool: "browse", answer: { ok: true, content: null } },
      { role: "assistant", text: "", calls: [{ callId: "b", tool: "browse", input: {} }] },
    ]);
    expect([...ids]).toEqual(["a", "b"]);
  });
});
