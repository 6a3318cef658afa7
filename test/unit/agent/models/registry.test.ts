import { describe, expect, it } from "vitest";
import { NAMED_MODELS } from "../../../../src/agent/models/catalogue.ts";
import {
  checkModel,
  createModel,
  type ModelEnvironment,
} from "../../../../src/agent/models/registry.ts";
import type { ModelRequest } from "../../../../src/contract/conversation.ts";
import { parseSettings } from "../../../../src/env.ts";
import { STEP_START } from "../../../support/execution.ts";
import { finishes } from "../../../support/model-server/behaviour.ts";
import { startModelServer } from "../../../support/model-server/server.ts";

const { openai, anthropic, workersAi } = NAMED_MODELS;

const place = (
  env: Record<string, string>,
  bindings: ModelEnvironment["bindings"] = {},
): ModelEnvironment => ({
  settings: parseSettings(env),
  bindings,
});
const bare = place({});
const withKey = place({ OPENAI_API_KEY: "sk-test" });
const ownServer = place({ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" });

const request: ModelRequest = {
  inputs: null,
  outputSchema: null,
  interactive: false,
  turns: [{ role: "user", text: "Go." }],
  tools: [],
  now: new Date(),
  start: STEP_START,
};

describe("checkModel", () => {
  it("takes the demo model, which needs nothing", () => {
    expect(checkModel("builtin/demo", bare)).toEqual({ ok: true });
  });

  it("takes models of OpenAI where there is a key", () => {
    expect(checkModel(openai.name, withKey)).toEqual({ ok: true });
  });

  it("takes models of a server of one's own without a key", () => {
    expect(checkModel("openai/llama3.3:70b", ownServer)).toEqual({ ok: true });
  });

  it("takes models of Anthropic where there is a key", () => {
    const found = checkModel(anthropic.name, place({ ANTHROPIC_API_KEY: "sk-ant-1" }));
    expect(found).toEqual({ ok: true });
  });

  it.each([
    [openai.name, "needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key"],
    [anthropic.name, "needs ANTHROPIC_API_KEY"],
    [workersAi.name, "needs the AI binding: deploy the service"],
  ])("says what is missing for %s", (name, reason) => {
    expect(checkModel(name, bare)).toEqual({ ok: false, reason });
  });

  it.each(["mistral/large", "builtin/other", "builtin/demo-2", "OpenAI/gpt", "openai/", "x"])(
    "does not know %s and says which there are and what the others need",
    (name) => {
      expect(checkModel(name, withKey)).toEqual({
        ok: false,
        reason:
          "is not known; known are builtin/demo, openai/<model>, anthropic/<model> (needs ANTHROPIC_API_KEY), workers-ai/@cf/<model> (needs the AI binding: deploy the service)",
      });
    },
  );

  it("lets nobody reach another company's models by way of Workers AI", () => {
    expect(checkModel("workers-ai/openai/gpt-5", bare)).toMatchObject({
      reason: expect.stringMatching(/^is not known/),
    });
  });
});

describe("createModel", () => {
  it("makes a model that calls the configured server under the rest of its name", async () => {
    const server = await startModelServer({ apiKey: "sk-test" });
    server.script("meta-llama/Llama-4", [finishes("Done.")]);
    const there = place({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-test" });
    const model = createModel("openai/meta-llama/Llama-4", there, "conversation");
    const reply = await model.respond(request, new AbortController().signal);
    await server.close();

    expect(model.name).toBe("openai/meta-llama/Llama-4");
    expect(reply.calls).toMatchObject([{ tool: "finish", input: { summary: "Done." } }]);
  });

  it("has the demo model built in", () => {
    expect(createModel("builtin/demo", bare, "conversation").name).toBe("builtin/demo");
  });

  it("makes one that fails once and for all, saying why, of a name that cannot be used here", async () => {
    const model = createModel(openai.name, bare, "conversation");
    await expect(model.respond(request, new AbortController().signal)).rejects.toMatchObject({
      message: `The model ${openai.name} needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key.`,
      retryable: false,
    });
  });
});
