import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { auditEntry } from "../../../src/contract/audit.ts";
import { modelProviderRecord, modelTrial, usableModels } from "../../../src/contract/models.ts";
import { ANTHROPIC_API_KEY } from "../../support/worker/bindings.ts";
import {
  AGENT,
  env,
  expectProblem,
  newAccount,
  newKey,
  resultOf,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const PROVIDERS = "/api/v1/model-providers";
const KEY = "a-key-of-the-account-7Qx9";

const done = promptOf({ finish: { summary: "Done." } });

let apiKey: string;
let accountId: string;
beforeAll(async () => {
  ({ apiKey, accountId } = await newAccount());
});

const post = (body: object, token = apiKey) =>
  send(PROVIDERS, { method: "POST", token, body: { kind: "openai-compatible", ...body } });

async function added(body: object, token = apiKey) {
  const response = await post({ apiKey: KEY, baseUrl: inject("modelServerUrl"), ...body }, token);
  expect(response.status).toBe(201);
  return modelProviderRecord.parse(await response.json());
}

const change = (providerId: string, body: object, token = apiKey) =>
  send(`${PROVIDERS}/${providerId}`, { method: "PATCH", token, body });

const remove = (providerId: string, token = apiKey) =>
  send(`${PROVIDERS}/${providerId}`, { method: "DELETE", token });

async function trialOf(providerId: string, model?: string) {
  const body = { ...(model !== undefined && { model }) };
  const path = `${PROVIDERS}/${providerId}/test`;
  const response = await send(path, { method: "POST", token: apiKey, body });
  expect(response.status).toBe(200);
  return modelTrial.parse(await response.json());
}

async function modelsOf(token: string) {
  const response = await send("/api/v1/models", { token });
  return usableModels.parse(await response.json()).models;
}

const setDefault = (model: string | null, token: string) =>
  send("/api/v1/models/default", { method: "PUT", token, body: { model } });

async function ended(token: string, body: object) {
  const executionId = await trigger(token, { prompt: done, ...body });
  await untilStatus(token, executionId, "completed", "failed");
  return resultOf(token, executionId);
}

describe("a model provider of an account", () => {
  it("is answered without its key, which is stored nowhere in the clear", async () => {
    const made = await added({ name: "stored", models: [{ name: "scripted" }] });
    expect(made).toMatchObject({ name: "stored", apiKey: { set: true, last4: "7Qx9" } });
    await evictDurableObject(env.ACCOUNT.getByName(accountId));
    const one = await send(`${PROVIDERS}/${made.providerId}`, { token: apiKey });
    expect(await one.json()).toEqual(made);
    const list = await send(PROVIDERS, { token: apiKey });
    expect(await list.json()).toEqual({ modelProviders: [made], nextCursor: null });
    await runInDurableObject(env.ACCOUNT.getByName(accountId), async (_, { storage }) => {
      const rows = storage.sql.exec("SELECT * FROM model_providers").toArray();
      expect(rows).toMatchObject([
        { name: "stored", sealed_value: expect.stringMatching(/^v1\./) },
      ]);
      const all = [rows, storage.sql.exec("SELECT * FROM audit").toArray()];
      expect(JSON.stringify(all)).not.toContain(KEY);
    });
  });

  it("answers executions and workflows that name its models, with its own key", async () => {
    const { providerId } = await added({
      name: "mine",
      kind: "anthropic",
      baseUrl: inject("anthropicUrl"),
      apiKey: ANTHROPIC_API_KEY,
      models: [{ name: "scripted", inputPrice: 2, outputPrice: 10, contextWindow: 50_000 }],
    });
    expect(await ended(apiKey, { model: "mine/scripted" })).toMatchObject({
      status: "completed",
      model: "mine/scripted",
    });
    const workflow = { name: "w", prompt: done, model: ["mine/scripted", "builtin/demo"] };
    const created = await send("/api/v1/workflows", {
      method: "POST",
      token: apiKey,
      body: workflow,
    });
    expect(created.status).toBe(201);
    const executionId = await trigger(apiKey, { prompt: done, model: "mine/scripted" });
    await untilStatus(apiKey, executionId, "completed");
    const task = await send(`${AGENT}/trigger/${executionId}/task`, { token: apiKey });
    expect(await task.json()).toMatchObject({
      models: [{ model: "mine/scripted", contextWindow: 50_000, price: { input: 2, output: 10 } }],
    });
    const step = await send(`${AGENT}/trigger/${executionId}/steps/1`, { token: apiKey });
    const shown = await step.text();
    expect(shown).toContain("$MINE_API_KEY");
    expect(shown).not.toContain(ANTHROPIC_API_KEY);
    await change(providerId, { apiKey: "a-key-that-is-refused" });
    expect(await ended(apiKey, { model: "mine/scripted" })).toMatchObject({
      status: "failed",
      error: { code: "model_error", message: expect.stringContaining("(401)") },
    });
  });

  it("is tried with one call, whose outcome is told in words", async () => {
    const { providerId } = await added({ name: "tried", models: [{ name: "finishes" }] });
    expect(await trialOf(providerId)).toMatchObject({
      ok: true,
      message: expect.stringContaining("It works"),
    });
    expect(await trialOf(providerId, "nobody")).toMatchObject({ ok: false });
    const { providerId: refused } = await added({
      name: "refused",
      kind: "anthropic",
      baseUrl: inject("anthropicUrl"),
    });
    const { ok, message } = await trialOf(refused, "scripted");
    expect([ok, message]).toEqual([false, expect.stringContaining("does not accept the API key")]);
  });

  it("takes another host only together with its key", async () => {
    const { providerId } = await added({ name: "moved" });
    const elsewhere = { baseUrl: "https://other.example/v1" };
    const problem = await expectProblem(
      await change(providerId, elsewhere),
      400,
      "invalid_request",
    );
    expect(problem.errors?.[0]?.path).toBe("apiKey");
    const moved = await change(providerId, { ...elsewhere, apiKey: "another-key-3xYz" });
    expect(await moved.json()).toMatchObject({ ...elsewhere, apiKey: { last4: "3xYz" } });
    const described = await change(providerId, { models: [{ name: "m" }] });
    expect(await described.json()).toMatchObject({ ...elsewhere, models: [{ name: "m" }] });
  });

  it("can be asked no longer once it is deleted, also by what was accepted before", async () => {
    const { apiKey: token } = await newAccount();
    const { providerId } = await added({ name: "gone" }, token);
    const created = await send("/api/v1/workflows", {
      method: "POST",
      token,
      body: { name: "w", prompt: done, model: "gone/scripted" },
    });
    const { workflowId } = z.object({ workflowId: z.string() }).parse(await created.json());
    expect((await setDefault("gone/scripted", token)).status).toBe(200);
    expect((await remove(providerId, token)).status).toBe(204);
    await expectProblem(await remove(providerId, token), 404, "not_found");
    expect((await modelsOf(token))[0]).toMatchObject({ model: "openai/hangs", default: true });
    const run = await send(`/api/v1/workflows/${workflowId}/run`, { method: "POST", token });
    const problem = await expectProblem(run, 400, "invalid_request");
    expect(problem.detail).toContain("gone/scripted");
  });

  it.each([
    [{ name: "Upper" }, "name"],
    [{ name: "builtin" }, "name"],
    [{ baseUrl: undefined }, "baseUrl"],
    [{ baseUrl: "http://models.example/v1" }, "baseUrl"],
    [{ baseUrl: "https://10.0.0.1/v1" }, "baseUrl"],
    [{ baseUrl: "https://models.example/v1?key=1" }, "baseUrl"],
    [{ apiKey: "two words" }, "apiKey"],
    [{ apiKey: undefined }, "apiKey"],
    [{ models: [{ name: "a", inputPrice: 1 }] }, "models[0].outputPrice"],
  ])("is refused with %j", async (body, path) => {
    const provider = { name: "bad", apiKey: KEY, baseUrl: "https://models.example/v1", ...body };
    const problem = await expectProblem(await post(provider), 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe(path);
  });

  it("is read with models:read, and changed with models:write only", async () => {
    const { apiKey: token } = await newAccount();
    const { apiKey: few } = await newKey(token, { name: "few", scopes: ["models:read"] });
    expect((await send(PROVIDERS, { token: few })).status).toBe(200);
    await expectProblem(await post({ name: "x" }, few), 403, "insufficient_scope");
    await expectProblem(await setDefault("builtin/demo", few), 403, "insufficient_scope");
  });

  it("is in the audit log with each change, and its name is taken once", async () => {
    const { apiKey: token } = await newAccount();
    const { providerId } = await added({ name: "noted" }, token);
    const again = { name: "noted", apiKey: KEY, baseUrl: "https://models.example/v1" };
    await expectProblem(await post(again, token), 409, "conflict");
    await change(providerId, { models: [] }, token);
    await setDefault("noted/scripted", token);
    await remove(providerId, token);
    const entries = z
      .object({ entries: z.array(auditEntry) })
      .parse(await (await send("/api/v1/audit", { token })).json())
      .entries.map(({ action }) => action);
    expect(entries.slice(0, 4)).toEqual([
      "model_provider.deleted",
      "account.default_model_set",
      "model_provider.updated",
      "model_provider.created",
    ]);
  });
});

describe("the default model of an account", () => {
  it("stands for that of the service wherever no model is named", async () => {
    const { apiKey: token } = await newAccount();
    await added({ name: "mine", models: [{ name: "scripted" }] }, token);
    const chosen = await setDefault("mine/scripted", token);
    expect(usableModels.parse(await chosen.json()).models[0]).toMatchObject({
      model: "mine/scripted",
      source: "the account's provider mine",
      default: true,
    });
    expect(await ended(token, {})).toMatchObject({ model: "mine/scripted" });
    const created = await send("/api/v1/workflows", {
      method: "POST",
      token,
      body: { name: "w", prompt: done },
    });
    const { workflowId } = z.object({ workflowId: z.string() }).parse(await created.json());
    const run = await send(`/api/v1/workflows/${workflowId}/run`, { method: "POST", token });
    const { executionId } = z.object({ executionId: z.string() }).parse(await run.json());
    await untilStatus(token, executionId, "completed");
    await setDefault(null, token);
    expect((await modelsOf(token))[0]?.model).toBe("openai/hangs");
  });

  it("must be one that can be asked", async () => {
    const { apiKey: token } = await newAccount();
    const problem = await expectProblem(await setDefault("mine/m", token), 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("model");
  });
});
