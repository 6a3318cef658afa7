import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAiModel } from "../../../../../src/agent/models/openai.ts";
import { never, modelRequest as request, step } from "../../../../support/model-request.ts";
import {
  answersRaw,
  type Behaviour,
  cutsOff,
  fails,
  says,
  slowDown,
} from "../../../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../../support/model-server/server.ts";
import { API_KEY, failureOf, scriptedModel, WINDOW } from "./scripted.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ apiKey: API_KEY });
});
afterEach(() => server.close());

const model = (apiKey?: string) => scriptedModel(server, apiKey);
const failure = (behaviour: Behaviour) => failureOf(server, behaviour);

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
      message: "The model's server could not be reached, or the connection was lost.",
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
      message: "The model's reply could not be parsed.",
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
    expect(error).toMatchObject({ retryable: false, message: "The model's reply is too long." });
  });
});
