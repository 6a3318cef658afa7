import { describe, expect, it } from "vitest";
import { promptBytes, windowOf } from "../../../../../src/agent/models/prompt/budget.ts";

const contextOf = (name: string) => windowOf(name, undefined).context;

describe("windowOf", () => {
  it.each([
    ["anthropic/claude-haiku-4-5", 200_000],
    ["openai/gpt-5-mini", 128_000],
    ["openai/gpt-4o-2024-08-06", 128_000],
    ["openai/o4-mini", 128_000],
    ["openai/gpt-4", 8_000],
    ["openai/gpt-4-0613", 8_000],
    ["workers-ai/@cf/openai/gpt-oss-120b", 128_000],
    ["workers-ai/@cf/moonshotai/kimi-k2.7-code", 128_000],
    ["workers-ai/@cf/qwen/qwen3-30b-a3b-fp8", 32_000],
    ["workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast", 24_000],
    ["workers-ai/@cf/meta/llama-3.1-8b-instruct", 8_000],
  ])("knows the window of %s", (name, context) => {
    expect(contextOf(name)).toBe(context);
  });

  it("takes a small one for granted where it knows none", () => {
    expect(contextOf("openai/llama3.3:70b")).toBe(32_000);
    expect(contextOf("workers-ai/@cf/some/new-model")).toBe(24_000);
  });

  it("believes the operator", () => {
    expect(windowOf("openai/llama3.3:70b", 131_072).context).toBe(131_072);
    expect(windowOf("openai/gpt-5", 16_000).context).toBe(16_000);
  });

  it("keeps room for the answer", () => {
    expect(windowOf("openai/gpt-5", undefined).answer).toBe(16_384);
    expect(windowOf("workers-ai/@cf/meta/llama-3.3-70b", undefined).answer).toBe(6_000);
  });
});

describe("promptBytes", () => {
  it("is what the answer leaves, at 2.5 bytes a token", () => {
    expect(promptBytes({ context: 24_000, answer: 6_000 })).toBe(45_000);
  });

  it("is no more than 240,000 however large the window", () => {
    expect(promptBytes({ context: 1_000_000, answer: 16_384 })).toBe(240_000);
  });
});
