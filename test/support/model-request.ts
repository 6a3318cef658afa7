import type { ModelRequest, Turn } from "../../src/contract/conversation.ts";
import type { Json } from "../../src/contract/json.ts";
import { STEP_START } from "./execution.ts";

/** Three tools, as models are told of them. */
export const tools = ["browse", "process_data", "finish"].map((name) => ({
  name,
  description: `The ${name} tool.`,
  inputSchema: { type: "object", properties: { url: { type: "string" } } },
}));

/** A request to a model: a prompt, and what came after it. */
export const modelRequest = (...more: Turn[]): ModelRequest => ({
  inputs: null,
  outputSchema: null,
  interactive: false,
  turns: [{ role: "user", text: "List the links of https://example.com" }, ...more],
  tools,
  now: new Date("2026-11-21T10:00:00.000Z"),
  start: STEP_START,
});

/** A step that opened one page. */
export const step = (callId: string, content: Json, tool = "browse"): Turn[] => [
  { role: "assistant", text: "", calls: [{ callId, tool, input: { url: "https://a.example" } }] },
  { role: "tool", callId, tool, answer: { ok: true, content } },
];

/** The signal of a call that nobody aborts. */
export const never = () => new AbortController().signal;
