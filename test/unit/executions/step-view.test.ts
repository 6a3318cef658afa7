import { describe, expect, it } from "vitest";
import type { ModelTry, Turn } from "../../../src/contract/conversation.ts";
import { findStep, requestOf, stepView } from "../../../src/executions/step-view.ts";
import { STEP_START, seedOf } from "../../support/execution.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 500_000 };
const failed: ModelTry = {
  step: 1,
  model: "openai/a",
  at: 1_000,
  durationMs: 200,
  error: "The model's server failed (503).",
  status: 503,
};
const replied: ModelTry = {
  step: 1,
  model: "anthropic/b",
  at: 2_000,
  durationMs: 900,
  firstTokenMs: 300,
  tokensPerSecond: 20,
  usage,
};
const call = {
  callId: "c1",
  tool: "http_request",
  input: { url: "https://a.example", password: "p" },
};
const turns: Turn[] = [
  { role: "user", text: "Do it" },
  { role: "assistant", text: "", calls: [], fault: "Empty.", start: { ...STEP_START, step: 1 } },
  { role: "assistant", text: "Yes.", calls: [call], start: { ...STEP_START, step: 1 } },
  {
    role: "tool",
    callId: "c1",
    tool: "http_request",
    answer: { ok: true, content: { token: "t" } },
  },
];
const seed = seedOf({
  inputs: { apiKey: "k", count: 2 },
  chosen: [
    {
      model: "anthropic/b",
      contextWindow: 8_000,
      price: { input: 2, cachedInput: 0.2, output: 10 },
    },
  ],
});
const sent = { messages: [{ role: "user" as const, text: "Do it" }], curl: "curl ..." };

describe("a step", () => {
  it("has its reply with the conversation before it, and all of its tries", () => {
    const found = findStep(turns, [failed, replied], 1);
    expect(found).toMatchObject({ before: turns.slice(0, 2), reply: turns[2] });
    if (found === null) throw new Error("there is a step");
    expect(stepView(found, sent, seed)).toMatchObject({
      step: 1,
      model: "anthropic/b",
      ...sent,
      reply: { text: "Yes.", calls: [{ callId: "c1", tool: "http_request" }] },
      tries: [
        { model: "openai/a", status: 503, error: failed.error, durationMs: 200 },
        { model: "anthropic/b", durationMs: 900 },
      ],
      usage: { inputTokens: 1_000_000, cachedInputTokens: 500_000, costUsd: 2.1 },
      durationMs: 1_900,
      firstTokenMs: 300,
      tokensPerSecond: 20,
    });
  });

  it("has no reply if the model gave none, and does not exist if nothing is stored", () => {
    const prompt = turns.slice(0, 1);
    expect(findStep(prompt, [failed], 1)).toMatchObject({ reply: null, tries: [failed] });
    expect(findStep(turns, [failed, replied], 2)).toBeNull();
  });

  it("hides the secrets of its inputs, calls and answers", () => {
    const next: Turn = {
      role: "assistant",
      text: "",
      calls: [],
      start: { ...STEP_START, step: 2 },
    };
    const found = findStep([...turns, next], [], 2);
    if (found === null) throw new Error("there is a step");
    const shown = JSON.stringify(requestOf(found, seed, { tools: [] }));
    expect(shown).toContain('"count":2');
    for (const secret of ['"k"', '"p"', '"t"']) expect(shown).not.toContain(secret);
  });
});
