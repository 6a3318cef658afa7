import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { never, modelRequest as request, step } from "../../../../support/model-request.ts";
import {
  answersRaw,
  type Behaviour,
  fails,
  outOfQuota,
  says,
} from "../../../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../../support/model-server/server.ts";
import { API_KEY, failureOf, scriptedModel } from "./scripted.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ apiKey: API_KEY });
});
afterEach(() => server.close());

const model = (apiKey?: string) => scriptedModel(server, apiKey);
const failure = (behaviour: Behaviour) => failureOf(server, behaviour);

describe("a failure", () => {
  it.each([
    [402, false, "account at the model's server has no credit left"],
    [403, false, "does not allow the request"],
    [408, true, "failed"],
    [409, true, "failed"],
    [425, true, "failed"],
    [503, true, "failed"],
  ])("at %i is retryable: %s, and states the server's message", async (status, retryable, what) => {
    const error = await failure(fails(status, "no temperature"));
    expect(error).toMatchObject({ retryable, retryAfterMs: null });
    expect(error.message).toContain(`${what} (${status}): no temperature`);
  });

  it.each([301, 307])("is a redirect, which takes no prompt elsewhere: %i", async (status) => {
    const error = await failure(fails(status, "moved", { Location: `${server.baseUrl}/moved` }));
    expect(error).toMatchObject({ retryable: false, status });
    expect(error.message).toContain("redirect, which is not followed");
  });

  it.each([
    ["OpenAI", '{"error": {"message": "No \\n luck", "type": "server_error"}}'],
    ["Anthropic", '{"type": "error", "error": {"type": "api_error", "message": "No luck"}}'],
    ["Gemini", '[{"error": {"code": 500, "message": "No luck", "status": "INTERNAL"}}]'],
    ["vLLM", '{"object": "error", "message": "No luck", "type": "Error", "code": 500}'],
    ["LM Studio", '{"error": "No luck"}'],
    ["FastAPI", '{"detail": [{"loc": ["body"], "msg": "No luck"}]}'],
    ["Cloudflare", '{"success": false, "errors": [{"code": 7003, "message": "No luck"}]}'],
    ["a proxy", "No luck"],
  ])("states the message in the form of %s", async (_, body) => {
    const { message } = await failure(answersRaw(body, 500));
    expect(message).toBe("The model's server failed (500): No luck");
  });

  it.each(["", "<html><h1>Bad gateway</h1></html>", "{}", '{"error": {"code": 7}}'])(
    "has no message if the server sends none: %s",
    async (body) => {
      const { message } = await failure(answersRaw(body, 502));
      expect(message).toMatch(/^The model's server failed \(502\)(?:: Bad Gateway|\.)$/);
    },
  );

  it("states the error that a server sends as a success", async () => {
    const body = '{"error": {"message": "Provider returned error", "code": 502}}';
    expect(await failure(answersRaw(body))).toMatchObject({
      retryable: true,
      message: "The model's server failed: Provider returned error",
    });
  });

  it.each(["insufficient_quota", "project_spend_limit_exceeded", "billing_not_active"])(
    "is final at 429 if the account has no credit: %s",
    async (code) => {
      expect(await failure(outOfQuota(code))).toMatchObject({
        retryable: false,
        message:
          "The account at the model's server has no quota left (429): You exceeded your current quota, please check your plan and billing details.",
      });
    },
  );

  it("never quotes the key, though the server does", async () => {
    const error = await failure(fails(400, `bad key ${API_KEY}, really ${API_KEY}`));
    expect(error.message).toContain("bad key [key], really [key]");
    const wrong = await model("sk-wrong-key")
      .respond(request(), never())
      .catch((thrown: unknown) => thrown);
    expect(wrong).toMatchObject({
      retryable: false,
      message:
        "The model's server does not accept the API key (401): Incorrect API key provided: Bearer [key].",
    });
    const masked = "Incorrect API key provided: sk-te******6789. You can find your API key at";
    expect((await failure(fails(401, masked))).message).toContain("provided: [key] You can find");
  });

  it.each([
    ["not JSON", "<html>Sign in to the hotel's network</html>"],
    ["without a choice", '{"choices":[]}'],
  ])("is retryable when the answer is %s", async (_, body) => {
    const error = await failure(answersRaw(body));
    expect(error).toMatchObject({
      retryable: true,
      message: "The model's reply could not be parsed.",
    });
  });

  it.each([
    "prompt is too long: 205106 tokens > 200000 maximum",
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

  it("is avoided if half of a too long conversation succeeds", async () => {
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

  it("is final when the answer exceeds the size limit", async () => {
    const error = await failure(says("x".repeat(1_100_000)));
    expect(error).toMatchObject({ retryable: false, message: "The model's reply is too long." });
  });
});
