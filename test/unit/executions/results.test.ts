import { describe, expect, it } from "vitest";
import type { ModelReply } from "../../../src/contract/conversation.ts";
import { answerOutput, readFinish, withFinish } from "../../../src/executions/results.ts";

const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
const says = (text: string): ModelReply => ({ text, calls: [], usage });
const input = (reply: ModelReply) => withFinish(reply, "final").calls[0]?.input;

describe("a reply without calls", () => {
  it("is the model's last word", () => {
    expect(withFinish(says(" All done. "), "final")).toMatchObject({
      text: "",
      calls: [{ callId: "final", tool: "finish", input: { summary: "All done." } }],
    });
  });

  it.each([
    ['{"total": 3}', "The result has the field total.", { total: 3 }],
    ['```json\n{"total": 3}\n```', "The result has the field total.", { total: 3 }],
    ["[1, 2]", "The result has 2 items.", [1, 2]],
  ])(
    "gives its JSON as data, with a sentence about it as the summary: %s",
    (text, summary, data) => {
      expect(input(says(text))).toEqual({ summary, data });
    },
  );

  it("is cut to the length of a summary, in whole characters, with a note", () => {
    const [call] = withFinish(says(`${"x".repeat(31_999)}😀${"x".repeat(500_000)}`), "final").calls;
    expect(call).toMatchObject({ input: { summary: "x".repeat(31_999) }, truncated: true });
    const [whole] = withFinish(says("x".repeat(32_000)), "final").calls;
    expect(whole).not.toHaveProperty("truncated");
  });

  it("has no lone surrogates", () => {
    expect(input(says("half \ud83d"))).toEqual({ summary: "half \ufffd" });
    expect(input(says('{"\\ud83d": "\\ude00"}'))).toMatchObject({ data: { "\ufffd": "\ufffd" } });
  });

  it("is discarded if it is empty", () => {
    const fault = expect.stringMatching(/^Your reply was empty\. Call a tool/);
    expect(withFinish(says(" \n"), "final")).toMatchObject({ calls: [], fault });
  });

  it("does not end the execution if it has a fault", () => {
    const cut = { ...says("The first half"), fault: "Cut off." };
    expect(withFinish(cut, "final")).toEqual(cut);
  });
});

it("keeps a reply with at most 32 calls", () => {
  const calls = Array.from({ length: 40 }, (_, n) => ({
    callId: `c${n}`,
    tool: "browse",
    input: {},
  }));
  const kept = withFinish({ text: "I look", calls, usage }, "final");
  expect(kept.text).toBe("I look");
  expect(kept.calls).toEqual(calls.slice(0, 32));
});

it("has no lone surrogates in the text, plan and calls of a reply", () => {
  const calls = [{ callId: "c", tool: "emit_output", input: { value: ["\ude00", "😀"] } }];
  const kept = withFinish({ text: "\ud83d", plan: ["\ud83d"], calls, usage }, "final");
  expect(kept).toMatchObject({ text: "\ufffd", plan: ["\ufffd"] });
  expect(kept.calls).toMatchObject([{ input: { value: ["\ufffd", "😀"] } }]);
});

describe("a summary", () => {
  const completed = (summary: string, rest: object = {}) => readFinish({ summary, ...rest }, null);

  it("is unchanged if it is text", () => {
    for (const summary of [
      "All done.",
      "42 %",
      "{total: 3}",
      "[1] is a footnote",
      "Here it is: {}",
    ]) {
      expect(completed(summary)).toEqual({ status: "completed", summary });
    }
  });

  it("has no model thoughts", () => {
    expect(completed("<think>Is it?</think>It is 4.")).toMatchObject({ summary: "It is 4." });
    expect(completed('<think>As JSON.</think>{"sum":4}')).toMatchObject({ data: { sum: 4 } });
  });

  it("that is JSON does not replace the data", () => {
    expect(completed('{"a":1}', { data: "the value" })).toMatchObject({
      summary: "The result has the field a.",
      data: "the value",
    });
  });

  it.each<[string, string, object]>([
    [
      '{"name":"Ann","age":7}',
      "The result has the fields name and age.",
      { data: { name: "Ann", age: 7 } },
    ],
    ["[1]", "The result has 1 item.", { data: [1] }],
    ["{}", "The result is empty.", { data: {} }],
    ["42", "The answer is 42.", { data: 42 }],
    ["false", "The answer is false.", { data: false }],
    // These have no exact value as numbers.
    ["1.50", "The answer is 1.50.", {}],
    ["12345678901234567890", "The answer is 12345678901234567890.", {}],
  ])("that is the JSON %s becomes the data, and a sentence replaces it", (text, summary, rest) => {
    expect(completed(text)).toEqual({ status: "completed", summary, ...rest });
  });
});

describe("the input of finish", () => {
  const schema = { type: "object", properties: { price: { type: "number" } } };

  it("has no null for absent data or fields", () => {
    const failed = { status: "failed", reason: "cannot_do", summary: "No price." };
    expect(readFinish({ ...failed, data: null }, schema)).toEqual(failed);
    const given = { status: "completed", reason: null, summary: "Done.", data: { price: null } };
    expect(readFinish(given, schema)).toMatchObject({ data: {} });
    const bare = { status: "completed", summary: "Done." };
    expect(readFinish({ ...bare, data: null }, null)).toEqual(bare);
    expect(readFinish({ ...bare, data: null }, { type: "null" })).toMatchObject({ data: null });
  });
});

describe("the output of an answer", () => {
  const label = "Answer";
  const text = { label, nodeType: "TEXT", type: "text", mediaType: "text/plain" };
  const json = {
    label,
    nodeType: "STRUCTURED_RESULT",
    type: "json",
    mediaType: "application/json",
  };

  it.each<[string, Parameters<typeof answerOutput>[0], object]>([
    ["its text", { summary: "It is 42.", truncated: false }, { ...text, value: "It is 42." }],
    [
      "data that is text",
      { summary: "Done.", data: "a letter", truncated: false },
      { ...text, value: "a letter" },
    ],
    ["data as JSON", { summary: "It is 42.", data: 42, truncated: false }, { ...json, value: 42 }],
    [
      "a part of it, marked",
      { summary: "It is", truncated: true },
      { ...text, value: "It is", truncated: true },
    ],
  ])("is %s", (_, answer, output) => {
    expect(answerOutput(answer)).toEqual(output);
  });
});
