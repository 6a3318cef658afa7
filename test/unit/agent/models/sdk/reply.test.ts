import { describe, expect, it } from "vitest";
import { uniqueCallIds } from "../../../../../src/agent/models/sdk/reply.ts";
import type { Turn } from "../../../../../src/contract/conversation.ts";

const PROMPT: Turn = { role: "user", text: "go" };
const call = (callId: string): Turn => ({
  role: "assistant",
  text: "",
  calls: [{ callId, tool: "browse", input: {} }],
});

describe("uniqueCallIds", () => {
  it("keeps the model's own id", () => {
    expect(uniqueCallIds([PROMPT])("call_9xKj")).toBe("call_9xKj");
  });

  it("never gives an id twice", () => {
    const name = uniqueCallIds([PROMPT, call("call_2"), call("a")]);
    const ids = ["call_2", "call_2", "call_3", "a", "", ""].map(name);
    expect(new Set([...ids, "call_2", "a"]).size).toBe(8);
  });

  it.each(["", "two words", "x".repeat(65), '"><script>', "line\nbreak"])(
    "replaces an id such as %j",
    (id) => {
      expect(uniqueCallIds([PROMPT])(id)).toBe("call_1");
    },
  );
});
