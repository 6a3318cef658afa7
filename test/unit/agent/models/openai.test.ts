import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAiModel } from "../../../../src/agent/models/openai.ts";
import { windowOf } from "../../../../src/agent/models/prompt/windows.ts";
import { ModelError, type Turn } from "../../../../src/contract/conversation.ts";
import { never, modelRequest as request, step, tools } from "../../../support/model-request.ts";
import {
  answersRaw,
  type Behaviour,
  breaksOff,
  call,
  callsTools,
  cutsOff,
  fails,
  finishes,
  hangs,
  rawCall,
  says,
  slowDown,
} from "../../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../support/model-server/server.ts";

const API_KEY = "sk-test-0123456789";
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ apiKey: API_KEY });
});
afterEach(() => server.close());

const WINDOW = windowOf("openai/gpt-5", undefined);
const model = (apiKey: string | undefined = API_KEY) =>
  openAiModel("scripted", { baseUrl: server.baseUrl, apiKey }, WINDOW);

function respond(behaviour: Behaviour, ...more: Turn[]) {
  server.script("scripted", [behaviour]);
  return model().respond(request(...more), never());
}

async function failure(behaviour: Behaviour): Promise<ModelError> {
  const error = await respond(behaviour).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

describe("a reply", () => {
  it("is text with the tokens that it cost, cached ones told apart", async () => {
    const usage = { inputTokens: 1_200, outputTokens: 34, cachedTokens: 1_000 };
    expect(await respond(says("A plan.", usage))).toEqual({ text: "A plan.", calls: [], usage });
  });

  it("is a tool call under the model's own id", async () => {
    const reply = await respond(callsTools(call("browse", { url: "https://example.com" }, "c1")));
    expect(reply.calls).toEqual([
      { callId: "c1", tool: "browse", input: { url: "https://example.com" } },
    ]);
  });

  it("ends with the call of finish", async () => {
    const reply = await respond(finishes("Found it.", { links: 2 }));
    expect(reply.calls).toMatchObject([
      { tool: "finish", input: { summary: "Found it.", data: { links: 2 } } },
    ]);
  });

  it("keeps parallel calls apart that came under one id", async () => {
    const reply = await respond(
      callsTools(
        call("browse", { url: "https://a.example" }, "call_0"),
        call("browse", { url: "https://b.example" }, "call_0"),
      ),
    );
    expect(reply.calls.map(({ input }) => input)).toEqual([
      { url: "https://a.example" },
      { url: "https://b.example" },
    ]);
    expect(new Set(reply.calls.map(({ callId }) => callId)).size).toBe(2);
  });

  it("gets a new id for a call whose id an earlier step used", async () => {
    const reply = await respond(
      callsTools(call("browse", {}, "call_0")),
      { role: "assistant", text: "", calls: [{ callId: "call_0", tool: "browse", input: {} }] },
      { role: "tool", callId: "call_0", tool: "browse", answer: { ok: true, content: "page" } },
    );
    expect(reply.calls[0]?.callId).not.toBe("call_0");
  });

  it.each([
    ["broken JSON", '{"url": "https://example.com'],
    ["prose", "please open example.com"],
    ["a name given twice", '{"url":"https://a.example","url":"https://b.example"}'],
    ["nesting without end", `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
    ["a polluted prototype", '{"__proto__":{"polluted":true}}'],
  ])("hands a tool input that is %s back as the text that came", async (_, text) => {
    const reply = await respond(callsTools(rawCall("browse", text)));
    expect(reply.calls).toMatchObject([{ tool: "browse", input: text }]);
  });

  it("takes an empty input as no arguments", async () => {
    const reply = await respond(callsTools(rawCall("browse", "")));
    expect(reply.calls).toMatchObject([{ tool: "browse", input: {} }]);
  });

  it.each([
    ['{"name":"browse","arguments":{"url":"https://a.example"}}', 1],
    ['```json\n[{"name":"browse","parameters":{}},{"name":"finish","parameters":{}}]\n```', 2],
    ['<tool_call>{"name":"browse","arguments":{}}</tool_call>', 1],
  ])("is the calls that the model wrote as text instead: %s", async (text, count) => {
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
  ])("is text when that is no call: %s", async (text) => {
    expect(await respond(says(text))).toMatchObject({ text, calls: [] });
  });

  it("is not acted on where it broke off: the call says so", async () => {
    const reply = await respond(
      breaksOff("", call("browse", { url: "https://a.example" }), call("browse", { url: "http" })),
    );
    expect(reply.calls.map(({ input }) => input)).toEqual([
      { url: "https://a.example" },
      "This call broke off at the most that one reply may hold. Write less at once.",
    ]);
  });

  it("hands a call of an unknown tool back as it is", async () => {
    const reply = await respond(callsTools(call("teleport", { to: "Mars" })));
    expect(reply.calls).toMatchObject([{ tool: "teleport", input: { to: "Mars" } }]);
  });
});

describe("a request", () => {
  it("says who the agent is, what the user wants and which tools there are", async () => {
    await respond(says("ok"));
    const [seen] = server.requests;
    expect(seen?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(seen?.body.messages[0]).toMatchObject({ role: "system" });
    expect(seen?.body.messages[1]).toEqual({
      role: "user",
      content: "List the links of https://example.com",
    });
    expect(seen?.body.tools?.map((tool) => tool.function)).toEqual(
      tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: inputSchema,
      })),
    );
  });

  it("carries calls and answers in a shape that a strict server takes", async () => {
    const reply = await respond(
      says("ok"),
      {
        role: "assistant",
        text: "First the page.",
        calls: [
          { callId: "c1", tool: "browse", input: { url: "https://example.com" } },
          { callId: "c2", tool: "no such/tool", input: "not JSON" },
        ],
      },
      { role: "user", text: "Hurry up." },
      { role: "tool", callId: "c1", tool: "browse", answer: { ok: true, content: { title: "T" } } },
    );
    expect(reply.text).toBe("ok");
    const [, , assistant, first, second, user] = server.requests[0]?.body.messages ?? [];
    expect(assistant).toMatchObject({
      content: "First the page.",
      tool_calls: [{ id: "c1" }, { id: "c2", function: { name: "no_such_tool" } }],
    });
    expect(first).toMatchObject({ role: "tool", tool_call_id: "c1" });
    expect(first?.content).toContain('{"title":"T"}');
    expect(second).toMatchObject({ role: "tool", tool_call_id: "c2" });
    expect(second?.content).toContain("not_run");
    expect(user).toEqual({ role: "user", content: "Hurry up." });
  });

  it("needs no key where the server asks for none", async () => {
    const open = await startModelServer();
    open.script("scripted", [says("hello")]);
    const local = openAiModel("scripted", { baseUrl: open.baseUrl, apiKey: undefined }, WINDOW);
    expect(await local.respond(request(), never())).toMatchObject({ text: "hello" });
    expect(open.requests[0]?.headers).not.toHaveProperty("authorization");
    await open.close();
  });
});

describe("a failure", () => {
  it("is retryable at 429, after the time that the server asks for", async () => {
    expect(await failure(slowDown(7))).toMatchObject({ retryable: true, retryAfterMs: 7_000 });
  });

  it("takes the finer retry-after-ms before Retry-After", async () => {
    const headers = { "retry-after": "7", "retry-after-ms": "250.5" };
    const error = await failure(fails(429, "slow down", headers));
    expect(error).toMatchObject({ retryable: true, retryAfterMs: 251 });
  });

  it("reads Retry-After as a date", async () => {
    const headers = { "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" };
    expect((await failure(fails(503, "busy", headers))).retryAfterMs).toBe(30_000);
  });

  it.each([408, 409, 425, 500, 502, 503, 529])("is retryable at %i", async (status) => {
    const error = await failure(fails(status));
    expect(error).toMatchObject({ retryable: true, retryAfterMs: null });
    expect(error.message).toContain(String(status));
  });

  it.each([400, 401, 403, 404, 422])("is final at %i", async (status) => {
    const error = await failure(fails(status));
    expect(error.retryable).toBe(false);
    expect(error.message).toContain(String(status));
  });

  it("says what the server did not like about the request", async () => {
    expect((await failure(fails(400, "temperature is not supported"))).message).toBe(
      "The model's server refused the request (400): temperature is not supported",
    );
  });

  it("never quotes the key, though the server does", async () => {
    const error = await failure(fails(400, `bad key ${API_KEY}, really ${API_KEY}`));
    expect(error.message).toContain("bad key [key], really [key]");
    const wrong = await model("sk-wrong-key")
      .respond(request(), never())
      .catch((thrown: unknown) => thrown);
    expect(wrong).toMatchObject({
      retryable: false,
      message: "The model's server does not accept the API key (401).",
    });
  });

  it("is retryable when the connection breaks in the middle of the answer", async () => {
    expect(await failure(cutsOff())).toMatchObject({ retryable: true });
  });

  it("is retryable when nothing listens", async () => {
    const { baseUrl } = server;
    await server.close();
    const gone = openAiModel("scripted", { baseUrl, apiKey: API_KEY }, WINDOW);
    await expect(gone.respond(request(), never())).rejects.toMatchObject({
      name: "ModelError",
      retryable: true,
      message: "The model's server could not be reached, or broke off.",
    });
    server = await startModelServer();
  });

  it.each([
    ["not JSON", "<html>Sign in to the hotel's network</html>"],
    ["another shape", '{"hello":"world"}'],
    ["without a choice", '{"choices":[]}'],
    ["empty", ""],
  ])("is retryable when the answer is %s", async (_, body) => {
    const error = await failure(answersRaw(body));
    expect(error).toMatchObject({
      retryable: true,
      message: "The model's answer could not be understood.",
    });
  });

  it("is retryable when a text broke off, which would pass for a result", async () => {
    expect(await failure(breaksOff("The first half of"))).toMatchObject({
      retryable: true,
      message: "The model's answer broke off at the most that it may write.",
    });
  });

  it.each([
    "This model's maximum context length is 8192 tokens.",
    "Input tokens exceed the configured limit of 272000 tokens.",
    "the request exceeds the available context size, try increasing it",
    "The input token count (317740) exceeds the maximum number of tokens allowed (131072).",
  ])(
    "is final when the conversation is too long, after one try with half of it: %s",
    async (said) => {
      server.script("scripted", [fails(400, said), fails(400, said)]);
      const error = await model()
        .respond(request(...step("c1", "x".repeat(20_000))), never())
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        retryable: false,
        message: `The conversation is too long for this model. Choose one with a larger window. The server says: ${said}`,
      });
      expect(server.requests).toHaveLength(2);
    },
  );

  it("is none when half of a too long conversation will do", async () => {
    const pages = Array.from({ length: 12 }, (_, page) => step(`c${page}`, "x".repeat(16_000)));
    server.script("scripted", [
      fails(400, "maximum context length is 60000"),
      says("Half is fine."),
    ]);
    const reply = await model().respond(request(...pages.flat()), never());
    expect(reply.text).toBe("Half is fine.");
    const [whole = 0, half = 0] = server.requests.map(({ body }) => JSON.stringify(body).length);
    expect(whole).toBeGreaterThan(150_000);
    expect(half).toBeLessThan(125_000);
  });

  it("is final when the answer is longer than anything of use", async () => {
    const error = await failure(says("x".repeat(1_100_000)));
    expect(error).toMatchObject({ retryable: false, message: "The model's answer is too long." });
  });
});

describe("an abort", () => {
  it("ends the call with the signal's reason and closes the connection", async () => {
    server.script("scripted", [hangs()]);
    const controller = new AbortController();
    const arrived = server.nextRequest();
    const reply = model().respond(request(), controller.signal);
    const seen = await arrived;
    const reason = new Error("stopped by the user");
    controller.abort(reason);

    await expect(reply).rejects.toBe(reason);
    await seen.disconnected;
  });

  it("sends nothing when it came before the call", async () => {
    const reason = new Error("stopped before");
    await expect(model().respond(request(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });
});
