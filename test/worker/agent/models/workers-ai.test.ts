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
  it.each([NEW, OLD])("answers with text, calls and usage, in the form of %s", async (name) => {
    const usage = { inputTokens: 1_200, outputTokens: 34, cachedTokens: 1_000 };
    expect(await respond({ text: "A plan.", usage }, name)).toEqual({
      text: "A plan.",
      calls: [],
      usage,
    });
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

  it.each([NEW, OLD])("continues with the answers of its calls, as %s", async (name) => {
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

  it("stays at the replica that has cached the start of the conversation", async () => {
    await respond({ text: "ok" });
    expect(affinities.at(-1)).toBe("conversation-1");
  });

  it.each([
    [429, "3040: No capacity", "The model's server asks to slow down (429): 3040: No capacity"],
    [408, "3007: Timeout", "The model's server failed (408): 3007: Timeout"],
    [500, "3043: Internal error", "Workers AI failed: 3043: Internal error"],
  ])("is retryable after %i %s", async (status, said, message) => {
    expect(await failure(status, said)).toMatchObject({ retryable: true, message });
  });

  const TOO_LONG =
    "5021: The estimated number of tokens (25000) exceeded this model context window limit (24000).";
  it.each([
    [429, "3036: No free allocation", /^The daily free allocation of Workers AI is used up: 3036/],
    [400, "5007: No such model", /^Workers AI does not offer the model: 5007: No such model/],
    [403, "5018: The account is not allowed", /^Workers AI does not offer the model: 5018/],
    [400, "5006: required properties", /^Workers AI refused the request: 5006/],
    [413, TOO_LONG, /^The conversation is too long for this model\..* The server says: 5021/],
  ])("is final after %i %s", async (status, said, message) => {
    expect(await failure(status, said)).toMatchObject({
      retryable: false,
      message: expect.stringMatching(message),
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
