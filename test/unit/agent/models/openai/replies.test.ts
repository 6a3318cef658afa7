import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../../../src/contract/conversation.ts";
import {
  answersRaw,
  type Behaviour,
  breaksOff,
  call,
  callsTools,
  fails,
  rawCall,
  refuses,
  says,
} from "../../../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../../support/model-server/server.ts";
import { API_KEY, replyOf } from "./scripted.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ apiKey: API_KEY });
});
afterEach(() => server.close());

const respond = (behaviour: Behaviour, ...more: Turn[]) => replyOf(server, behaviour, ...more);

describe("a reply", () => {
  it("is text with its tokens, cached ones counted separately", async () => {
    const usage = { inputTokens: 1_200, outputTokens: 34, cachedTokens: 1_000 };
    expect(await respond(says("A plan.", usage))).toEqual({ text: "A plan.", calls: [], usage });
  });

  it("is tool calls under the model's ids, with new ones for duplicates", async () => {
    const taken = call("browse", { url: "https://b.example" }, "call_0");
    const reply = await respond(
      callsTools(call("teleport", { to: "Mars" }, "c1"), taken, taken),
      { role: "assistant", text: "", calls: [{ callId: "call_0", tool: "browse", input: {} }] },
      { role: "tool", callId: "call_0", tool: "browse", answer: { ok: true, content: "page" } },
    );
    expect(reply.calls.map(({ tool, input }) => [tool, input])).toEqual([
      ["teleport", { to: "Mars" }],
      ["browse", { url: "https://b.example" }],
      ["browse", { url: "https://b.example" }],
    ]);
    const ids = reply.calls.map(({ callId }) => callId);
    expect(ids[0]).toBe("c1");
    expect(new Set([...ids, "call_0"]).size).toBe(4);
  });

  it("has the lines of its text as a plan if they stand before its first calls, or after a message", async () => {
    const text = "**Plan:**\n\n1. Read the page\n- Count its rows";
    const acting = { ...callsTools(call("browse", { url: "https://a.example" }, "c1")), text };
    const acted: Turn[] = [
      { role: "assistant", text, calls: [{ callId: "c0", tool: "browse", input: {} }] },
      { role: "tool", callId: "c0", tool: "browse", answer: { ok: true, content: "page" } },
    ];
    const ending = { ...callsTools(call("finish", { summary: "Done." })), text };
    const { plan } = await respond(acting);
    expect(plan).toEqual(["Read the page", "Count its rows"]);
    const changed = await respond(acting, ...acted, { role: "user", text: "Sum them too." });
    expect(changed.plan).toEqual(plan);
    for (const reply of [await respond(acting, ...acted), await respond(ending)]) {
      expect(reply).not.toHaveProperty("plan");
    }
  });

  it.each([
    ["broken JSON", '{"url": "https://example.com'],
    ["prose", "please open example.com"],
    ["a name given twice", '{"url":"https://a.example","url":"https://b.example"}'],
    ["nesting without end", `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
    ["a polluted prototype", '{"__proto__":{"polluted":true}}'],
  ])("returns a tool input that is %s as the received text, with the error", async (_, text) => {
    const reply = await respond(callsTools(rawCall("browse", text)));
    const input = text.slice(0, 2_000);
    const fault = expect.stringMatching(/is not valid JSON|must not set __proto__/);
    expect(reply.calls).toMatchObject([{ tool: "browse", input, fault }]);
  });

  it.each([
    ["9007199254740993", true],
    ["-12345678901234567890", true],
    ["9007199254740991", false],
    ["1234.5", false],
  ])("refuses a call whose number would be rounded: %s", async (number, isRefused) => {
    const text = `{"url": "https://a.example", "body": {"ids": [${number}]}}`;
    const reply = await respond(callsTools(rawCall("http_request", text)));
    const [made] = reply.calls;
    if (isRefused)
      expect(made).toMatchObject({ input: text, fault: expect.stringContaining("more digits") });
    else expect(made?.input).toMatchObject({ body: { ids: [Number(number)] } });
  });

  it("treats an empty input as no arguments", async () => {
    const reply = await respond(callsTools(rawCall("browse", "")));
    expect(reply.calls).toMatchObject([{ tool: "browse", input: {} }]);
  });

  it.each([
    ['{"name":"browse","arguments":{"url":"https://a.example"}}', 1],
    ['```json\n[{"name":"browse","parameters":{}},{"name":"finish","parameters":{}}]\n```', 2],
    ['<tool_call>{"name":"browse","arguments":{}}</tool_call>', 1],
  ])("has the calls that the model wrote as text: %s", async (text, count) => {
    const reply = await respond(says(text));
    expect(reply.calls).toHaveLength(count);
    expect(reply.calls[0]?.tool).toBe("browse");
    expect(reply.text).toBe("");
  });

  it.each([
    '{"name":"teleport","arguments":{}}',
    '{"name":"browse","price":3}',
    '[{"name":"browse","arguments":{}},{"name":"Tea"}]',
    'I will call {"name":"browse","arguments":{}} now.',
    "[]",
  ])("is text when it has no call: %s", async (text) => {
    expect(await respond(says(text))).toMatchObject({ text, calls: [] });
  });

  it("is not acted on if it is incomplete: the call says so", async () => {
    const reply = await respond(
      breaksOff("", call("browse", { url: "https://a.example" }), call("browse", { url: "http" })),
    );
    const cut = /^This call was cut off at the output limit of one reply, so it did not run\./;
    expect(reply.calls.map(({ fault }) => fault)).toEqual([undefined, expect.stringMatching(cut)]);
  });

  it("that is refused costs its tokens", async () => {
    await expect(respond(refuses("I can't help with that."))).rejects.toMatchObject({
      message: "The model refused: I can't help with that.",
      usage: { inputTokens: 100, outputTokens: 20 },
    });
  });

  it("is refused if the server's filter stopped it, with the text so far", async () => {
    const message = { role: "assistant", content: "First, take", refusal: null };
    const choice = { index: 0, message, finish_reason: "content_filter" };
    const body = { id: "1", object: "chat.completion", created: 1, model: "m", choices: [choice] };
    await expect(respond(answersRaw(JSON.stringify(body)))).rejects.toMatchObject({
      retryable: false,
      message: "The content filter of the model's server stopped the reply: First, take",
    });
  });

  it.each([
    ["<think>\nLet me see.\n</think>\n\nThe answer is 4.", "The answer is 4."],
    ["<thinking>See ```js\nx</thinking> The answer is 4.", "The answer is 4."],
    ["Let me see: 2 + 2\n</think>\n\nThe answer is 4.", "The answer is 4."],
    ["Four.\n<think>Is it?\nYes.</think>\nIt is 4.", "Four.\n\nIt is 4."],
    ["<think>Let me see, and see", ""],
  ])("has no model thoughts in its text: %j", async (text, left) => {
    expect(await respond(says(text))).toMatchObject({ text: left, calls: [] });
  });

  it.each([
    "Write <think> before and </think> after the thoughts.",
    "Such a template is\n```\n<think>\n{thoughts}\n</think>\n```",
    "`</think>` ends the thoughts.",
  ])("keeps a text about such tags: %j", async (text) => {
    expect(await respond(says(text))).toMatchObject({ text });
  });

  it("has the call that the model wrote after its thinking", async () => {
    const reply = await respond(says('<think>I browse.</think>{"name":"browse","arguments":{}}'));
    expect(reply).toMatchObject({ text: "", calls: [{ tool: "browse" }] });
  });

  it.each([
    fails(400, "Failed to call a function. tool_use_failed"),
    fails(500, "error parsing tool call: raw='{\"url\": ', err=unexpected end of JSON input"),
  ])("is discarded if the server could not parse the model's call: $status", async (failure) => {
    expect(await respond(failure)).toMatchObject({
      calls: [],
      fault: expect.stringMatching(/^Your reply had a call that could not be parsed/),
    });
  });
});
