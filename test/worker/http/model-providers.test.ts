import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { modelProviderRecord, usableModels } from "../../../src/contract/models.ts";
import { usageBreakdown } from "../../../src/contract/usage.ts";
import { ANTHROPIC_API_KEY } from "../../support/worker/bindings.ts";
import {
  AGENT,
  env,
  expectProblem,
  faultsOf,
  newAccount,
  resultOf,
  textIn,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const PROVIDERS = "/api/v1/model-providers";
const KEY = "a-key-of-the-account-7Qx9";

const done = promptOf({ finish: { summary: "Done." } });

/** An account, and what it does with its providers. */
async function open() {
  const { apiKey, accountId, get, post, put, patch, remove } = await newAccount();
  const create = (body: object) => post(PROVIDERS, { kind: "openai-compatible", ...body });
  const createdId = async (path: string, body: object, id: string) =>
    textIn(await post(path, body), id);
  return {
    apiKey,
    get,
    post,
    create,
    object: env.ACCOUNT.getByName(accountId),
    async added(body: object) {
      const response = await create({ apiKey: KEY, baseUrl: inject("modelServerUrl"), ...body });
      expect(response.status).toBe(201);
      return modelProviderRecord.parse(await response.json());
    },
    change: (id: string, body: object) => patch(`${PROVIDERS}/${id}`, body),
    remove: (id: string) => remove(`${PROVIDERS}/${id}`),
    setDefault: (model: string | null) => put("/api/v1/models/default", { model }),
    defaultModel: async () =>
      usableModels.parse(await (await get("/api/v1/models")).json()).models[0],
    workflow: (settings: object) =>
      createdId("/api/v1/workflows", { name: "w", prompt: done, ...settings }, "workflowId"),
    run: (workflowId: string) => post(`/api/v1/workflows/${workflowId}/run`),
    async ended(body: object) {
      const executionId = await trigger(apiKey, { prompt: done, ...body });
      await untilStatus(apiKey, executionId, "completed", "failed", "stopped");
      return resultOf(apiKey, executionId);
    },
  };
}

describe("a model provider of an account", () => {
  it("is returned without its key, which is never stored in plain text", async () => {
    const { added, object, get } = await open();
    const made = await added({ name: "stored", models: [{ name: "scripted" }] });
    expect(made).toMatchObject({ name: "stored", apiKey: { set: true, last4: "7Qx9" } });
    await evictDurableObject(object);
    expect(await (await get(`${PROVIDERS}/${made.providerId}`)).json()).toEqual(made);
    const page = { modelProviders: [made], nextCursor: null };
    expect(await (await get(PROVIDERS)).json()).toEqual(page);
    await runInDurableObject(object, async (_, { storage }) => {
      const rows = storage.sql.exec("SELECT * FROM model_providers").toArray();
      expect(rows).toMatchObject([
        { name: "stored", sealed_value: expect.stringMatching(/^v1\./) },
      ]);
      const all = [rows, storage.sql.exec("SELECT * FROM audit").toArray()];
      expect(JSON.stringify(all)).not.toContain(KEY);
    });
  });

  it("answers executions and workflows that name its models, with its own key", async () => {
    const { added, ended, workflow, get, change } = await open();
    const { providerId } = await added({
      name: "mine",
      kind: "anthropic",
      baseUrl: inject("anthropicUrl"),
      apiKey: ANTHROPIC_API_KEY,
      models: [{ name: "scripted", inputPrice: 2, outputPrice: 10, contextWindow: 50_000 }],
    });
    const model = "mine/scripted";
    const result = await ended({ model });
    expect(result).toMatchObject({ status: "completed", model });
    await workflow({ model: [model, "builtin/demo"] });
    const path = `${AGENT}/trigger/${result.executionId}`;
    expect(await (await get(`${path}/task`)).json()).toMatchObject({
      models: [{ model, contextWindow: 50_000, price: { input: 2, output: 10 } }],
    });
    const step = await (await get(`${path}/steps/1`)).text();
    expect(step).toContain("$MINE_API_KEY");
    expect(step).not.toContain(ANTHROPIC_API_KEY);
    await change(providerId, { apiKey: "a-key-that-is-refused" });
    expect(await ended({ model })).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: expect.stringContaining("(401)") },
    });
  });

  it("accepts another host only together with its key", async () => {
    const { added, change } = await open();
    const { providerId } = await added({ name: "moved" });
    const elsewhere = { baseUrl: "https://other.example/v1" };
    expect(await faultsOf(await change(providerId, elsewhere))).toEqual(["apiKey"]);
    const moved = await change(providerId, { ...elsewhere, apiKey: "another-key-3xYz" });
    expect(await moved.json()).toMatchObject({ ...elsewhere, apiKey: { last4: "3xYz" } });
    const described = await change(providerId, { models: [{ name: "m" }] });
    expect(await described.json()).toMatchObject({ ...elsewhere, models: [{ name: "m" }] });
  });

  it("is refused once it is deleted, even to workflows that name it, and the audit log records it", async () => {
    const { added, create, remove, change, setDefault, workflow, run, defaultModel, get } =
      await open();
    const { providerId } = await added({ name: "gone" });
    const again = { name: "gone", apiKey: KEY, baseUrl: "https://models.example/v1" };
    await expectProblem(await create(again), 409, "conflict");
    await change(providerId, { models: [] });
    const workflowId = await workflow({ model: "gone/scripted" });
    expect((await setDefault("gone/scripted")).status).toBe(200);
    expect((await remove(providerId)).status).toBe(204);
    await expectProblem(await remove(providerId), 404, "not_found");
    expect(await defaultModel()).toMatchObject({ model: "openai/hangs", default: true });
    const problem = await expectProblem(await run(workflowId), 400, "invalid_request");
    expect(problem.detail).toContain("gone/scripted");
    const actions = ["model_provider.deleted", "account.default_model_set", "workflow.created"];
    const before = ["model_provider.updated", "model_provider.created"];
    expect(await (await get("/api/v1/audit?limit=5")).json()).toMatchObject({
      entries: [...actions, ...before].map((action) => ({ action })),
    });
  });

  it("is refused if its address is missing or forbidden", async () => {
    const { create } = await open();
    for (const baseUrl of [
      undefined,
      "http://models.example/v1",
      "https://10.0.0.1/v1",
      "https://models.example/v1?key=1",
    ]) {
      const response = await create({ name: "bad", apiKey: KEY, baseUrl });
      expect(await faultsOf(response), baseUrl).toEqual(["baseUrl"]);
    }
  });
});

describe("the default model of an account", () => {
  it("replaces the service's default if no model is named", async () => {
    const { apiKey, added, setDefault, ended, workflow, run, defaultModel } = await open();
    await added({ name: "mine", models: [{ name: "scripted" }] });
    const chosen = await setDefault("mine/scripted");
    expect(usableModels.parse(await chosen.json()).models[0]).toMatchObject({
      model: "mine/scripted",
      source: "the account's provider mine",
      default: true,
    });
    expect(await ended({})).toMatchObject({ model: "mine/scripted" });
    const executionId = await textIn(await run(await workflow({})), "executionId");
    await untilStatus(apiKey, executionId, "completed");
    await setDefault(null);
    expect((await defaultModel())?.model).toBe("openai/hangs");
  });

  it("must be usable", async () => {
    const { setDefault } = await open();
    expect(await faultsOf(await setDefault("mine/m"))).toEqual(["model"]);
  });
});

describe("the price of an execution", async () => {
  const { added, ended, get, post } = await open();
  const model = "priced/scripted";
  await added({ name: "priced", models: [{ name: "scripted", inputPrice: 2, outputPrice: 10 }] });
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 0 };
  const look = { calls: [{ tool: "process_data", input: {} }], usage };
  const prompt = promptOf(look, { finish: { summary: "Done." }, usage });

  it("is in its result, its row and the usage by model", async () => {
    const { executionId, usage: used } = await ended({ prompt, model, maxCredits: 1_000 });
    expect(used).toMatchObject({ modelSteps: 2, costUsd: 6 });
    const list = await (await get(`${AGENT}/trigger/list`)).json();
    expect(list).toMatchObject({ executions: [{ executionId, model, costUsd: 6 }] });
    const breakdown = async () => {
      const response = await get("/api/v1/usage/breakdown?by=model&bucket=day");
      return usageBreakdown.parse(await response.json()).items;
    };
    await expect.poll(breakdown).toMatchObject([{ id: model, costUsd: 6 }]);
  });

  it("ends it at its limit before the next step", async () => {
    const limits = { maxCredits: 1_000, maxCostUsd: 2.5 };
    expect(await ended({ prompt, model, ...limits })).toMatchObject({
      status: "stopped",
      presentedResult: { summary: "The limit of $2.5 was reached: $3 were used." },
      usage: { modelSteps: 1, costUsd: 3 },
    });
  });

  it("cannot be limited if it is unknown, and is zero for the embedded model", async () => {
    const body = { prompt, model: [model, "openai/scripted"], maxCostUsd: 1 };
    const refused = await post(`${AGENT}/trigger`, body);
    const problem = await expectProblem(refused, 400, "invalid_request");
    expect(problem.errors?.[0]).toMatchObject({
      path: "maxCostUsd",
      message: expect.stringContaining("openai/scripted"),
    });
    const free = await ended({ model: "builtin/demo", prompt: "run 1 + 1", maxCostUsd: 0.01 });
    expect(free.usage.costUsd).toBe(0);
  });
});
