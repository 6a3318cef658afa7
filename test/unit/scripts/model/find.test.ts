import { afterEach, beforeEach, expect, test } from "vitest";
import type { Variables } from "../../../../scripts/local/environment.ts";
import { modelAdvice, modelLine } from "../../../../scripts/local/model/banner.ts";
import { findModel, type ModelSearch } from "../../../../scripts/local/model/find.ts";
import { localServers, ollamaOrigin } from "../../../../scripts/local/model/servers.ts";
import { tryUnder } from "../../../../scripts/local/model/trial.ts";
import { NAMED_MODELS } from "../../../../src/agent/models/catalogue.ts";
import { startAnthropicServer } from "../../../support/model-server/anthropic.ts";
import { call, callsTools, finishes, says } from "../../../support/model-server/behaviour.ts";
import { startGeminiServer } from "../../../support/model-server/google.ts";
import { startOllamaList, startStudioList } from "../../../support/model-server/local.ts";
import { startOllamaServer } from "../../../support/model-server/ollama.ts";
import { startModelServer } from "../../../support/model-server/server.ts";

const GOOD = "sk-good-0123456789";
const WRONG = "sk-wrong-0123456789";
const NOWHERE = "127.0.0.1:9";

/** The fake providers; every test sets their addresses, so that no request leaves this machine. */
let fakes: Awaited<ReturnType<typeof startFakes>>;
let lines: string[];

async function startFakes() {
  const [anthropic, openai, google, chat] = await Promise.all([
    startAnthropicServer({ apiKey: GOOD }),
    startModelServer({ apiKey: GOOD }),
    startGeminiServer({ apiKey: GOOD }),
    startOllamaServer(),
  ]);
  anthropic.script(idOf("anthropic"), () => finishes("OK"));
  openai.script(idOf("openai"), () => finishes("OK"));
  google.script(idOf("google"), () => finishes("OK"));
  return { anthropic, openai, google, chat };
}

const idOf = (name: "anthropic" | "openai" | "google") =>
  NAMED_MODELS[name].name.split("/")[1] ?? "";

beforeEach(async () => {
  fakes = await startFakes();
  lines = [];
});

afterEach(async () => {
  await Promise.all(Object.values(fakes).map((each) => each.close()));
});

interface Given {
  project?: Variables;
  shell?: Variables;
  chosen?: string;
  shellKeys?: ModelSearch["shellKeys"];
  ollama?: string;
  studio?: string;
}

const find = ({ project = {}, shell = {}, chosen, shellKeys, ollama, studio }: Given) => {
  const addresses = {
    ANTHROPIC_BASE_URL: fakes.anthropic.baseUrl,
    OPENAI_BASE_URL: fakes.openai.baseUrl,
    GEMINI_BASE_URL: fakes.google.baseUrl,
  };
  return findModel({
    environment: { project: { ...addresses, ...project }, shell },
    chosen: chosen ?? null,
    shellKeys: shellKeys ?? { answers: {}, ask: null },
    servers: localServers(ollama ?? NOWHERE, studio ?? `http://${NOWHERE}`),
    tryModel: tryUnder,
    say: (line) => lines.push(line),
  });
};

/** The requests that reached any of the providers. */
const sent = () => Object.values(fakes).flatMap((each): unknown[] => each.requests).length;

test.each([
  ["ANTHROPIC_API_KEY", "anthropic"],
  ["OPENAI_API_KEY", "openai"],
  ["GEMINI_API_KEY", "google"],
] as const)(
  "chooses the provider whose key %s is in .env, after one call with one tool",
  async (variable, name) => {
    const found = await find({ project: { [variable]: GOOD } });
    expect(found).toMatchObject({
      model: NAMED_MODELS[name].name,
      reason: `${variable} of .env`,
      unused: [],
    });
    expect(found.variables).toMatchObject({ [variable]: GOOD, DEFAULT_MODEL: found.model });
    expect(sent()).toBe(1);
    const [request] = fakes[name].requests;
    expect(request?.body.tools).toHaveLength(1);
    expect(lines[0]).toBe(
      `Trying ${found.model} (${variable} of .env) with one call to ${new URL(fakes[name].baseUrl).host} ...`,
    );
    expect(lines[1]).toMatch(/^ {2}It works \(\d+\.\d s\)\.$/);
  },
);

test("does not use a key of the shell without permission, and explains how to", async () => {
  const found = await find({ shell: { OPENAI_API_KEY: GOOD, ANTHROPIC_API_KEY: "" } });
  expect(found).toMatchObject({ model: "builtin/demo", answers: {} });
  expect(found.variables.OPENAI_API_KEY).toBeUndefined();
  expect(sent()).toBe(0);
  const advice = modelAdvice(found, "npm start");
  expect(advice).toContain("OPENAI_API_KEY of your shell was not used");
  expect(advice).toContain("npm start -- --model openai     (or set USE_SHELL_KEYS=true)");
  expect(advice).not.toContain(GOOD);
});

const YES: [string, Given][] = [
  ["a yes on the terminal", { shellKeys: { answers: {}, ask: async () => true } }],
  ["a yes that was given before", { shellKeys: { answers: { OPENAI_API_KEY: true }, ask: null } }],
  ["USE_SHELL_KEYS=true", { project: { USE_SHELL_KEYS: "true" } }],
  ["--model openai", { chosen: "openai" }],
  ["DEFAULT_MODEL", { project: { DEFAULT_MODEL: NAMED_MODELS.openai.name } }],
];

test.each(YES)("uses a key of the shell after %s", async (_, given) => {
  const found = await find({ ...given, shell: { OPENAI_API_KEY: GOOD } });
  expect(found).toMatchObject({ model: NAMED_MODELS.openai.name, unused: [] });
  expect(found.variables.OPENAI_API_KEY).toBe(GOOD);
  expect(fakes.openai.requests).toHaveLength(1);
});

const ALLOWED = { answers: { OPENAI_API_KEY: true }, ask: fail };
const NO: [string, Given][] = [
  ["a no on the terminal", { shellKeys: { answers: {}, ask: async () => false } }],
  ["a no that was given before", { shellKeys: { answers: { OPENAI_API_KEY: false }, ask: fail } }],
  ["USE_SHELL_KEYS=false", { project: { USE_SHELL_KEYS: "false" }, shellKeys: ALLOWED }],
  ["a yes to another key", { shellKeys: { answers: { ANTHROPIC_API_KEY: true }, ask: null } }],
  ["--model of another provider", { chosen: "anthropic" }],
  ["the demo", { shellKeys: "never", chosen: "openai" }],
];

test.each(NO)("does not use a key of the shell after %s", async (_, given) => {
  const found = await find({ ...given, shell: { OPENAI_API_KEY: GOOD } });
  expect(found.model).toBe("builtin/demo");
  expect(found.variables.OPENAI_API_KEY).toBeUndefined();
  expect(found.unused).toMatchObject([{ variable: "OPENAI_API_KEY" }]);
  for (const { headers } of fakes.openai.requests) expect(headers.authorization).toBeUndefined();
  expect(fakes.anthropic.requests).toEqual([]);
});

async function fail(question: string): Promise<boolean> {
  throw new Error(`Asked: ${question}`);
}

test("asks once for all keys of the shell, and only if nothing before them works", async () => {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return false;
  };
  const shell = { OPENAI_API_KEY: GOOD, GEMINI_API_KEY: GOOD };
  const { answers } = await find({ shell, shellKeys: { answers: {}, ask } });
  expect(questions).toEqual([
    "Found OPENAI_API_KEY and GEMINI_API_KEY in your shell. Use them for the agents of this service? Their calls cost money. [y/N] ",
  ]);
  expect(answers).toEqual({ OPENAI_API_KEY: false, GEMINI_API_KEY: false });
  await find({ shell, shellKeys: { answers, ask: fail } });
  await find({
    shell,
    project: { ANTHROPIC_API_KEY: GOOD },
    shellKeys: { answers: {}, ask: fail },
  });
});

test("reports a key that does not work without showing it, and tries the next", async () => {
  const found = await find({ project: { ANTHROPIC_API_KEY: WRONG, GEMINI_API_KEY: GOOD } });
  expect(found.reason).toBe("GEMINI_API_KEY of .env");
  expect(lines[1]).toContain("The model's server does not accept the API key (401)");
  expect(lines[2]).toContain(`Trying ${NAMED_MODELS.google.name}`);
  expect(lines.join("\n")).not.toContain(WRONG);
  expect(modelAdvice(found, "npm start")).toContain(
    "(ANTHROPIC_API_KEY of .env) was tried and is not used: ",
  );
});

test("prefers the key of the project to that of the shell", async () => {
  const project = { OPENAI_API_KEY: GOOD };
  const { variables, unused } = await find({ project, shell: { OPENAI_API_KEY: WRONG } });
  expect(variables.OPENAI_API_KEY).toBe(GOOD);
  expect(unused).toEqual([]);
});

test("skips a DEFAULT_MODEL that does not exist, with a note", async () => {
  const project = { DEFAULT_MODEL: "openai/gone", OPENAI_API_KEY: GOOD };
  const found = await find({ project });
  expect(lines[1]).toContain("does not know the model");
  expect(found.model).toBe(NAMED_MODELS.openai.name);
  expect(modelLine(found)).toContain("OPENAI_API_KEY of .env; DEFAULT_MODEL in .env changes it");
});

test("uses builtin/demo without a call if DEFAULT_MODEL names it", async () => {
  const project = { DEFAULT_MODEL: "builtin/demo", OPENAI_API_KEY: GOOD };
  expect(await find({ project })).toMatchObject({ reason: "DEFAULT_MODEL of .env" });
  expect(sent()).toBe(0);
  expect(lines).toEqual([]);
});

test("chooses a model with tools of Ollama, and skips those without", async () => {
  const ollama = await startOllamaList(
    {
      "nomic-embed-text:latest": ["embedding"],
      "phi3:mini": ["completion"],
      "qwen3:8b": ["completion", "tools"],
    },
    fakes.chat,
  );
  fakes.chat.script("qwen3:8b", [finishes("OK")]);
  const { host } = new URL(ollama.origin);
  const found = await find({ ollama: host });
  await ollama.close();
  expect(found).toMatchObject({ model: "ollama/qwen3:8b", reason: `Ollama at ${host}` });
  expect(found.variables.MODEL_SERVERS).toBe(`ollama=http://${host}/v1`);
  expect(lines).toContain(
    "  Ollama: passed over, without tools: nomic-embed-text:latest, phi3:mini",
  );
  expect(fakes.chat.requests.map(({ body }) => body.model)).toEqual(["qwen3:8b"]);
});

test("does not call an Ollama whose models all lack tools", async () => {
  const ollama = await startOllamaList({ "phi3:mini": ["completion"] }, fakes.chat);
  const found = await find({ ollama: ollama.origin });
  await ollama.close();
  expect(found.model).toBe("builtin/demo");
  expect(lines.at(-1)).toBe("  Ollama has no model that calls tools.");
  expect(ollama.paths).toEqual(["/api/tags", "/api/show"]);
});

test("skips a model that answers its trial without a tool call", async () => {
  const models = { "chatty:1b": undefined, "qwen3:8b": undefined };
  const ollama = await startOllamaList(models, fakes.chat);
  fakes.chat.script("chatty:1b", [says("OK")]);
  fakes.chat.script("qwen3:8b", [callsTools(call("finish", { summary: "OK" }))]);
  const found = await find({ ollama: ollama.origin });
  await ollama.close();
  expect(found.model).toBe("ollama/qwen3:8b");
  expect(lines).toContain(
    "  It does not call tools: it answered without the one that it was offered.",
  );
});

test("chooses a model of LM Studio, a loaded one first", async () => {
  const studio = await startStudioList(
    [
      { key: "qwen/big" },
      { key: "google/plain", tools: false, loaded: true },
      { key: "nomic/embed", type: "embedding", loaded: true },
      { key: "qwen/small", loaded: true },
    ],
    fakes.chat,
  );
  fakes.chat.script("qwen/small", [finishes("OK")]);
  const found = await find({ studio: studio.origin });
  await studio.close();
  expect(found.model).toBe("lmstudio/qwen/small");
  expect(found.variables.MODEL_SERVERS).toBe(`lmstudio=${studio.origin}/v1`);
  expect(lines).toContain("  LM Studio: passed over, without tools: google/plain");
});

test("names the places it searched and three ways to a real model if it finds none", async () => {
  const found = await find({});
  expect(lines).toEqual([
    `Looking for models on this machine: Ollama (${NOWHERE}), LM Studio (${NOWHERE}) ...`,
  ]);
  expect(modelLine(found)).toContain("builtin/demo   (no other model was found");
  const advice = modelAdvice(found, "npm start");
  expect(advice).toContain("ANTHROPIC_API_KEY=");
  expect(advice).toContain("ollama pull");
  expect(advice).toContain("MODEL_SERVERS=");
});

test.each([
  ["", "http://127.0.0.1:11434"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:8000", "http://127.0.0.1:8000"],
  [":8000", "http://127.0.0.1:8000"],
  ["laptop.local", "http://laptop.local:11434"],
  ["http://laptop.local:1", "http://laptop.local:1"],
  ["https://models.example", "https://models.example"],
  ["not an address", null],
])("reads OLLAMA_HOST=%s like Ollama", (host, origin) => {
  expect(ollamaOrigin(host)).toBe(origin);
});
