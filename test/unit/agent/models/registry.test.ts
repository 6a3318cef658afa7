import { describe, expect, it } from "vitest";
import { NAMED_MODELS } from "../../../../src/agent/models/catalogue.ts";
import {
  chosenModel,
  createModel,
  type ModelEnvironment,
  modelFault,
  usableModels,
} from "../../../../src/agent/models/registry.ts";
import { parseSettings } from "../../../../src/env.ts";
import { modelRequest, never } from "../../../support/model-request.ts";
import { finishes } from "../../../support/model-server/behaviour.ts";
import { startModelServer } from "../../../support/model-server/server.ts";

const { openai, anthropic, google, workersAi } = NAMED_MODELS;

const place = (
  env: Record<string, string>,
  bindings: ModelEnvironment["bindings"] = {},
): ModelEnvironment => ({
  settings: parseSettings(env),
  bindings,
});
const bare = place({});
const withKey = place({ OPENAI_API_KEY: "sk-test" });

const request = { ...modelRequest(), tools: [] };

describe("modelFault", () => {
  it.each([
    ["builtin/demo", bare],
    [openai.name, withKey],
    [anthropic.name, place({ ANTHROPIC_API_KEY: "sk-ant-1" })],
    ["openai/llama3.3:70b", place({ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" })],
  ])("accepts %s if its settings are complete", (name, there) => {
    expect(modelFault(name, there)).toBeNull();
  });

  it.each([
    [openai.name, "needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key"],
    [anthropic.name, "needs ANTHROPIC_API_KEY"],
    [workersAi.name, "needs the AI binding: deploy with [ai] in wrangler.toml"],
  ])("says what is missing for %s", (name, reason) => {
    expect(modelFault(name, bare)).toBe(reason);
  });

  it.each(["mistral/large", "builtin/demo-2", "OpenAI/gpt", "openai/", "workers-ai/openai/gpt-5"])(
    "rejects the unknown %s, and lists the available models and what others need",
    (name) => {
      expect(modelFault(name, withKey)).toBe(
        "is not known; known are builtin/demo, openai/<model>, anthropic/<model> (needs ANTHROPIC_API_KEY), google/<model> (needs GEMINI_API_KEY), workers-ai/@cf/<model> (needs the AI binding: deploy with [ai] in wrangler.toml)",
      );
    },
  );
});

describe("usableModels", () => {
  it("lists the default first, each with its known properties", () => {
    const there = place({
      DEFAULT_MODEL: "ollama/qwen3",
      MODEL_SERVERS: "ollama",
      GEMINI_API_KEY: "k",
    });
    expect(usableModels(there)).toEqual([
      {
        model: "ollama/qwen3",
        contextWindow: 32_000,
        source: "MODEL_SERVERS",
        supports: { tools: true, images: false, streaming: true },
        default: true,
      },
      expect.objectContaining({ model: "builtin/demo", source: "built in", default: false }),
      {
        model: google.name,
        contextWindow: 1_000_000,
        price: { input: 0.75, cachedInput: 0.075, output: 3.75 },
        source: "GEMINI_API_KEY",
        supports: { tools: true, images: true, streaming: true },
        default: false,
      },
    ]);
  });

  it("uses the window that the operator states", () => {
    const there = place({ OPENAI_API_KEY: "k", MODEL_CONTEXT_TOKENS: "16000" });
    expect(chosenModel(openai.name, there)).toMatchObject({ contextWindow: 16_000 });
  });
});

describe("servers of their own names", () => {
  it("use the usual address for their name, or the configured one", () => {
    const { settings } = place({ MODEL_SERVERS: "ollama, gateway=https://llm.example/v1" });
    expect(settings.MODEL_SERVERS).toEqual({
      ollama: "http://127.0.0.1:11434/v1",
      gateway: "https://llm.example/v1",
    });
  });

  it.each(["gateway", "openai=https://x.example", "Ollama=http://x.example", "x=nowhere"])(
    "cannot be %s",
    (text) => {
      expect(() => place({ MODEL_SERVERS: text })).toThrow("MODEL_SERVERS must name servers as");
    },
  );

  it("are asked under their own names, with their own keys", async () => {
    const server = await startModelServer({ apiKey: "sk-own" });
    server.script("meta-llama/big", [finishes("Done.")]);
    const there = place({
      MODEL_SERVERS: `gateway=${server.baseUrl}`,
      MODEL_SERVER_KEYS: "gateway=sk-own",
    });
    const reply = await createModel("gateway/meta-llama/big", there, "c").respond(request, never());
    await server.close();
    expect(reply.calls).toMatchObject([{ tool: "finish" }]);
  });
});

describe("createModel", () => {
  it("creates one that fails permanently with the reason, for an unusable name", async () => {
    const model = createModel(openai.name, bare, "conversation");
    await expect(model.respond(request, never())).rejects.toMatchObject({
      message: `The model ${openai.name} needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key.`,
      retryable: false,
    });
  });
});
