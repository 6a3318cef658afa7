import { beforeAll, describe, expect, inject, it } from "vitest";
import { usageBreakdown } from "../../../src/contract/usage.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  resultOf,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const model = "priced/scripted";
const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 0 };
const look = { calls: [{ tool: "process_data", input: {} }], usage };
const twoSteps = promptOf(look, { finish: { summary: "Done." }, usage });

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
  const provider = {
    name: "priced",
    kind: "openai-compatible",
    baseUrl: inject("modelServerUrl"),
    apiKey: "a-key",
    models: [{ name: "scripted", inputPrice: 2, outputPrice: 10 }],
  };
  await send("/api/v1/model-providers", { method: "POST", token: apiKey, body: provider });
});

async function ended(body: object) {
  const executionId = await trigger(apiKey, { prompt: twoSteps, model, ...body });
  await untilStatus(apiKey, executionId, "completed", "stopped", "failed");
  return await resultOf(apiKey, executionId);
}

describe("the price of an execution", () => {
  it("is in its result, its row and the usage by model", async () => {
    const { executionId, usage: used } = await ended({ maxCredits: 1_000 });
    expect(used).toMatchObject({ modelSteps: 2, costUsd: 6 });
    const list = await (await send(`${AGENT}/trigger/list`, { token: apiKey })).json();
    expect(list).toMatchObject({ executions: [{ executionId, model, costUsd: 6 }] });
    const path = "/api/v1/usage/breakdown?by=model&bucket=day";
    const breakdown = async () =>
      usageBreakdown.parse(await (await send(path, { token: apiKey })).json()).items;
    await expect.poll(breakdown).toMatchObject([{ id: model, costUsd: 6 }]);
  });

  it("ends it at its limit before the next step", async () => {
    expect(await ended({ maxCredits: 1_000, maxCostUsd: 2.5 })).toMatchObject({
      status: "stopped",
      presentedResult: { summary: "The limit of $2.5 was reached: $3 were used." },
      usage: { modelSteps: 1, costUsd: 3 },
    });
  });

  it("cannot be limited where it is not known, and is nothing for the embedded model", async () => {
    const body = { prompt: twoSteps, model: [model, "openai/scripted"], maxCostUsd: 1 };
    const refused = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(refused, 400, "invalid_request");
    expect(problem.errors?.[0]).toMatchObject({
      path: "maxCostUsd",
      message: expect.stringContaining("openai/scripted"),
    });
    const free = await ended({ model: "builtin/demo", prompt: "run 1 + 1", maxCostUsd: 0.01 });
    expect(free.usage.costUsd).toBe(0);
  });
});
