import { Ai as Binding } from "cloudflare:ai";
import { describe, expect, inject, it } from "vitest";
import { factsOf } from "../../../../src/agent/models/catalogue.ts";
import { windowOf } from "../../../../src/agent/models/prompt/budget.ts";
import { workersAiModel } from "../../../../src/agent/models/workers-ai.ts";
import type { ModelReply, Turn } from "../../../../src/contract/conversation.ts";
import { modelRequest, never } from "../../../support/model-request.ts";
import { mailbox } from "../../../support/worker/objects.ts";
import { promptOf, type ScriptedStep } from "../../../support/worker/scripted.ts";

const NEW = "@cf/openai/scripted";
const OLD = "@cf/meta/llama-3.3-scripted";

/** The conversations that requests belonged to, as Cloudflare is told. */
const affinities: (string | null)[] = [];

/** The binding as it is deployed, but that what it calls at Cloudflare stands on loopback. */
const binding = new Binding({
  fetch: (input, init) => {
    const { pathname, search } = new URL(String(input));
    affinities.push(new Headers(init?.headers).get("x-session-affinity"));
    return fetch(inject("workersAiUrl") + pathname + search, init);
  },
});

const model = (name: string) =>
  workersAiModel(
    `workers-ai/${name}`,
    binding,
    windowOf(factsOf(`workers-ai/${name}`).contextWindow),
    "conversation-1",
  );

const requestOf = (steps: [ScriptedStep, ...ScriptedStep[]], ...more: Turn[]) => ({
  ...modelRequest(),
  turns: [{ role: "user" as const, text: promptOf(...steps) }, ...more],
});

const respond = (step: ScriptedStep, name = NEW): Promise<ModelReply> =>
  model(name).respond(requestOf([step]), never());

const failure = (status: number, message: string) =>
  respond({ error: { status, message } }).catch((thrown: unknown) => thrown);

describe("a model of Workers AI, by the real binding and library, at a scripted server", () => {
  it.each([NEW, OLD])("answers with text and what it cost, in the form of %s", async (name) => {
    const usage = { inputTokens: 1_200, outputTokens: 34, cachedTokens: 1_000 };
    expect(await respond({ text: "A plan.", usage }, name)).toEqual({
      text: "A plan.",
      calls: [],
      usage,
    });
  });

  it.each([NEW, OLD])("calls tools, in the form of %s, under ids of its own", async (name) => {
    const calls = [
      { tool: "browse", input: { url: "https://a.example" } },
      { tool: "browse", input: { url: "https://b.example" } },
    ];
    const reply = await respond({ calls }, name);
    expect(reply.calls.map(({ tool, input }) => ({ tool, input }))).toEqual(calls);
    const ids = reply.calls.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,64}$/);
  });

  it.each([NEW, OLD])("goes on with what its calls answered, as %s", async (name) => {
    const steps = [
      { calls: [{ tool: "browse", input: {} }] },
      { text: "I have read it." },
    ] satisfies [ScriptedStep, ScriptedStep];
    const { text, calls } = await model(name).respond(requestOf(steps), never());
    const answers = calls.map(
      ({ callId, tool }): Turn => ({
        role: "tool",
        callId,
        tool,
        answer: { ok: true, content: "page" },
      }),
    );
    const request = requestOf(steps, { role: "assistant", text, calls }, ...answers);
    expect(await model(name).respond(request, never())).toMatchObject({ text: "I have read it." });
  });

  it("is understood when it writes its call as text", async () => {
    const text = '{"name": "browse", "parameters": {"url": "https://a.example"}}';
    expect((await respond({ text }, OLD)).calls).toMatchObject([
      { tool: "browse", input: { url: "https://a.example" } },
    ]);
  });

  it("stays at the replica that has the conversation's beginning in its cache", async () => {
    await respond({ text: "ok" });
    expect(affinities.at(-1)).toBe("conversation-1");
  });

  it("may be tried again when there is no capacity", async () => {
    expect(await failure(429, "3040: Capacity temporarily exceeded")).toMatchObject({
      name: "ModelError",
      retryable: true,
      message: "The model's server asks to slow down (429): 3040: Capacity temporarily exceeded",
    });
  });

  it.each([
    [408, "3007: Request timeout", "The model's server failed (408): 3007: Request timeout"],
    [500, "3043: Internal server error", "Workers AI failed: 3043: Internal server error"],
    [504, "1031: upstream", "Workers AI failed: 1031: upstream"],
  ])("may be tried again after %i %s", async (status, said, message) => {
    expect(await failure(status, said)).toMatchObject({ retryable: true, message });
  });

  it("is final when the day's free allocation is used up", async () => {
    expect(await failure(429, "3036: You have used up your daily free allocation")).toMatchObject({
      retryable: false,
      message:
        "The daily free allocation of Workers AI is used up: 3036: You have used up your daily free allocation",
    });
  });

  it.each([
    [
      400,
      "5007: No such model @cf/x or task",
      /^Workers AI does not offer the model: 5007: No such model/,
    ],
    [403, "5018: The account is not allowed", /^Workers AI does not offer the model: 5018/],
    [400, "5006: required properties at '/' are 'prompt'", /^Workers AI refused the request: 5006/],
  ])("is final after %i %s", async (status, said, message) => {
    expect(await failure(status, said)).toMatchObject({
      retryable: false,
      message: expect.stringMatching(message),
    });
  });

  it("is final when the conversation is too long", async () => {
    const said =
      "5021: The estimated number of input and maximum output tokens (25000) exceeded this model context window limit (24000).";
    expect(await failure(413, said)).toMatchObject({
      retryable: false,
      message: `The conversation is too long for this model. Choose one with a larger window. The server says: ${said}`,
    });
  });

  it("is aborted with the signal's reason, which the server sees", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const controller = new AbortController();
    const reply = model(NEW).respond(requestOf([{ gate: gate.name }]), controller.signal);
    const rejected = expect(reply).rejects.toThrow("stopped by the user");
    await gate.letters(1);
    controller.abort(new Error("stopped by the user"));
    await rejected;
    expect(await gate.deserted()).toMatchObject([{ gone: true }]);
  });
});
