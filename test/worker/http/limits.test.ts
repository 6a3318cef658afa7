import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { decisionRecord } from "../../../src/contract/decisions.ts";
import { executionState } from "../../../src/contract/execution.ts";
import { logEntry } from "../../../src/contract/webhooks/log.ts";
import {
  AGENT,
  env,
  expectProblem,
  newAccount,
  send,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const decisionPage = z.object({ decisions: z.array(decisionRecord) });
const prompt = promptOf({ finish: { summary: "Done." } });

async function limitedWorkflow(limits: object) {
  const { apiKey, accountId } = await newAccount();
  const body = { name: "limited", prompt, model: "openai/scripted", limits };
  const made = await send("/api/v1/workflows", { method: "POST", token: apiKey, body });
  expect(made.status).toBe(201);
  const { workflowId } = z.object({ workflowId: z.string() }).parse(await made.json());
  const run = () => send(`/api/v1/workflows/${workflowId}/run`, { method: "POST", token: apiKey });
  const started = async () => {
    const response = await run();
    expect(response.status).toBe(202);
    return z.object({ executionId: z.string() }).parse(await response.json()).executionId;
  };
  const statusOf = async (executionId: string) => {
    const path = `${AGENT}/trigger/${executionId}/status`;
    return executionState.parse(await (await send(path, { token: apiKey })).json());
  };
  return { apiKey, object: env.ACCOUNT.getByName(accountId), run, started, statusOf };
}

describe("the limits of a workflow", () => {
  it("refuse further executions with 429, by their number in an hour", async () => {
    const { run, started } = await limitedWorkflow({ executionsPerHour: 2, onExceeded: "fail" });
    await started();
    await started();
    const problem = await expectProblem(await run(), 429, "rate_limited");
    expect(problem.detail).toContain("2 executions an hour");
  });

  it("refuse further executions once the earlier ones consumed the credits of a day", async () => {
    const limits = { creditsPerDay: 1, onExceeded: "fail" };
    const { run, started, apiKey } = await limitedWorkflow(limits);
    await untilStatus(apiKey, await started(), "completed");
    await expect.poll(async () => (await run()).status).toBe(429);
  });

  it("hold further executions as queued, and let them start when the window has moved on", async () => {
    const { apiKey, object, started, statusOf } = await limitedWorkflow({ executionsPerHour: 1 });
    await untilStatus(apiKey, await started(), "completed");
    const held = await started();
    await runDurableObjectAlarm(object);
    expect(await statusOf(held)).toMatchObject({ status: "active", statusDetail: "queued" });
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("UPDATE limit_use SET started_at = started_at - 3600000");
    });
    await runDurableObjectAlarm(object);
    await untilStatus(apiKey, held, "completed");
  });

  it.each([
    ["approve", "completed", "done"],
    ["deny", "failed", "denied"],
  ] as const)(
    "ask a person about further executions, who may %s them",
    async (decision, status, statusDetail) => {
      const limits = { executionsPerHour: 1, onExceeded: "ask" };
      const { apiKey, started, statusOf } = await limitedWorkflow(limits);
      await untilStatus(apiKey, await started(), "completed");
      const asked = await started();
      await untilStatus(apiKey, asked, "waiting_for_input");
      const list = await send("/api/v1/decisions?state=open", { token: apiKey });
      const { decisions } = decisionPage.parse(await list.json());
      expect(decisions).toMatchObject([{ executionId: asked, kind: "approval", tool: "start" }]);
      expect(decisions[0]?.title).toContain("1 executions an hour");
      const path = `/api/v1/decisions/${decisions[0]?.decisionId}`;
      await send(path, { method: "POST", token: apiKey, body: { decision } });
      await untilStatus(apiKey, asked, status);
      expect(await statusOf(asked)).toMatchObject({ status, statusDetail });
    },
  );

  it.each([{}, { onExceeded: "hold" }, { executionsPerHour: 0 }, { creditsPerDay: 1.5 }])(
    "cannot be %j",
    async (limits) => {
      const { apiKey } = await newAccount();
      const body = { name: "limited", prompt, limits };
      const made = await send("/api/v1/workflows", { method: "POST", token: apiKey, body });
      const problem = await expectProblem(made, 400, "invalid_request");
      expect(problem.errors?.[0]?.path).toMatch(/^limits/);
    },
  );
});

it("a request beyond the limit of its endpoint is in the log as failed with limit_reached", async () => {
  const limits = { executionsPerHour: 1, onExceeded: "fail" };
  const endpoint = await newEndpoint({ limits }, []);
  await endpoint.take({ id: 1 });
  const requestId = await endpoint.take({ id: 2 });
  const entry = async () =>
    logEntry.parse(await (await endpoint.call(`/requests/${requestId}`)).json());
  await expect.poll(async () => (await entry()).status).toBe("failed");
  expect(JSON.stringify((await entry()).errors)).toContain("limit_reached");
});
