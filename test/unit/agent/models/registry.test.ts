import { describe, expect, it } from "vitest";
import { checkModel, createModel } from "../../../../src/agent/models/registry.ts";
import { parseSettings } from "../../../../src/env.ts";
import { finishes } from "../../../support/model-server/behaviour.ts";
import { startModelServer } from "../../../support/model-server/server.ts";

const bare = parseSettings({});
const withKey = parseSettings({ OPENAI_API_KEY: "sk-test" });
const ownServer = parseSettings({ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" });

describe("checkModel", () => {
  it("takes the planner, which needs nothing", () => {
    expect(checkModel("builtin/planner", bare)).toEqual({ ok: true });
  });

  it("takes models of OpenAI where there is a key", () => {
    expect(checkModel("openai/gpt-5", withKey)).toEqual({ ok: true });
  });

  it("takes models of a server of one's own without a key", () => {
    expect(checkModel("openai/llama3.3:70b", ownServer)).toEqual({ ok: true });
  });

  it("says what is missing for models of OpenAI", () => {
    expect(checkModel("openai/gpt-5", bare)).toEqual({
      ok: false,
      reason: "needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key",
    });
  });

  it.each(["anthropic/claude", "builtin/other", "builtin/planner-2", "OpenAI/gpt", "x"])(
    "does not know %s and says which there are",
    (name) => {
      expect(checkModel(name, withKey)).toEqual({
        ok: false,
        reason: "is not known; known are builtin/planner and openai/<model>",
      });
    },
  );

  it("says what the known ones would need, where they are not set up", () => {
    expect(checkModel("anthropic/claude", bare)).toMatchObject({
      reason: expect.stringMatching(/openai\/<model> once there is OPENAI_API_KEY/),
    });
  });
});

describe("createModel", () => {
  it("makes a model that calls the configured server under the rest of its name", async () => {
    const server = await startModelServer({ apiKey: "sk-test" });
    server.script("meta-llama/Llama-4", [finishes("Done.")]);
    const settings = parseSettings({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-test" });
    const model = createModel("openai/meta-llama/Llama-4", settings);
    const reply = await model.respond(
      {
        inputs: null,
        outputSchema: null,
        interactive: false,
        turns: [{ role: "user", text: "Go." }],
        tools: [],
        now: new Date(),
      },
      new AbortController().signal,
    );
    await server.close();

    expect(model.name).toBe("openai/meta-llama/Llama-4");
    expect(reply.calls).toMatchObject([{ tool: "finish", input: { summary: "Done." } }]);
  });

  it("has the planner built in", () => {
    expect(createModel("builtin/planner", bare).name).toBe("builtin/planner");
  });

  it("refuses a model that was not checked", () => {
    expect(() => createModel("openai/gpt-5", bare)).toThrow("needs OPENAI_API_KEY");
  });
});
