import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { decisionRecord } from "../../../src/contract/decisions.ts";
import { executionState } from "../../../src/contract/execution.ts";
import {
  AGENT,
  env,
  eventsOf,
  expectProblem,
  newAccount,
  textIn,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const decisionPage = z.object({ decisions: z.array(decisionRecord) });
const prompt = promptOf({ finish: { summary: "Done." } });

async function limitedWorkflow(limits: object) {
  const { apiKey, accountId, get, post } = await newAccount();
  const body = { name: "limited", prompt, model: "openai/scripted", limits };
  const workflowId = await textIn(await post("/api/v1/workflows", body), "workflowId");
  const run = () => post(`/api/v1/workflows/${workflowId}/run`);
  const started = async () => textIn(await run(), "executionId");
  const statusOf = async (executionId: string) =>
    executionState.parse(await (await get(`${AGENT}/trigger/${executionId}/status`)).json());
  return { apiKey, get, post, object: env.ACCOUNT.getByName(accountId), run, started, statusOf };
}

describe("the limits of a workflow", () => {
  it("refuse executions with 429 above their number in an hour", async () => {
    const { run, started } = await limitedWorkflow({ executionsPerHour: 2, onExceeded: "fail" });
    await started();
    await started();
    const problem = await expectProblem(await run(), 429, "rate_limited");
    expect(problem.detail).toContain("2 executions an hour");
  });

  it("refuse executions once the credits of a day are consumed", async () => {
    const limits = { creditsPerDay: 1, onExceeded: "fail" };
    const { run, started, apiKey } = await limitedWorkflow(limits);
    await untilStatus(apiKey, await started(), "completed");
    await expect.poll(async () => (await run()).status).toBe(429);
  });

  it("queue further executions, and start them when the window has moved on", async () => {
    const limits = { executionsPerHour: 1 };
    const { apiKey, post, object, started, statusOf } = await limitedWorkflow(limits);
    await untilStatus(apiKey, await started(), "completed");
    const held = await started();
    await runDurableObjectAlarm(object);
    expect(await statusOf(held)).toMatchObject({ status: "active", statusDetail: "queued" });
    const said = await post(`${AGENT}/trigger/${held}/message`, { message: "Hurry." });
    const { detail } = await expectProblem(said, 429, "rate_limited");
    expect(detail).toContain("a limit of its workflow");
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("UPDATE limit_use SET started_at = started_at - 3600000");
    });
    await runDurableObjectAlarm(object);
    await untilStatus(apiKey, held, "completed");
  });

  it("let a queued execution be stopped, but not continued, and it makes no step", async () => {
    const { apiKey, post, started } = await limitedWorkflow({ executionsPerHour: 1 });
    await untilStatus(apiKey, await started(), "completed");
    const held = await started();
    await expectProblem(await post(`${AGENT}/trigger/${held}/fork`, {}), 409, "conflict");
    expect((await post(`${AGENT}/trigger/${held}/stop`)).status).toBe(200);
    const statuses = await eventsOf(apiKey, held, "status");
    expect(statuses.map(({ data }) => data.statusDetail)).toEqual(["queued", "user_request"]);
    expect(await eventsOf(apiKey, held, "step.started")).toEqual([]);
  });

  it.each([
    ["approve", "completed", "done"],
    ["deny", "failed", "denied"],
  ] as const)(
    "ask a person, who may %s further executions",
    async (decision, status, statusDetail) => {
      const limits = { executionsPerHour: 1, onExceeded: "ask" };
      const { apiKey, get, post, started, statusOf } = await limitedWorkflow(limits);
      await untilStatus(apiKey, await started(), "completed");
      const asked = await started();
      await untilStatus(apiKey, asked, "waiting_for_input");
      const list = await get("/api/v1/decisions?state=open");
      const { decisions } = decisionPage.parse(await list.json());
      expect(decisions).toMatchObject([{ executionId: asked, kind: "approval", tool: "start" }]);
      expect(decisions[0]?.title).toContain("1 execution an hour");
      await post(`/api/v1/decisions/${decisions[0]?.decisionId}`, { decision });
      await untilStatus(apiKey, asked, status);
      expect(await statusOf(asked)).toMatchObject({ status, statusDetail });
    },
  );
});

it("a request above the limit of its endpoint is logged as failed with limit_reached", async () => {
  const limits = { executionsPerHour: 1, onExceeded: "fail" };
  const endpoint = await newEndpoint({ limits }, []);
  await endpoint.take({ id: 1 });
  const requestId = await endpoint.take({ id: 2 });
  await expect.poll(async () => (await endpoint.entry(requestId)).status).toBe("failed");
  expect(JSON.stringify((await endpoint.entry(requestId)).errors)).toContain("limit_reached");
});
