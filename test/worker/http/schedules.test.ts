import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRow } from "../../../src/contract/execution.ts";
import { scheduleRecord } from "../../../src/contract/schedule.ts";
import { AGENT, expectProblem, newAccount, send } from "../../support/worker/client.ts";
import { newWorkflow } from "../../support/worker/webhooks.ts";

const SCHEDULES = "/api/v1/schedules";

async function open() {
  const { apiKey: token } = await newAccount();
  const workflowId = await newWorkflow(token, [{ name: "id", required: true }]);
  const post = (body: Record<string, unknown>) =>
    send(SCHEDULES, { method: "POST", token, body: { workflowId, inputs: { id: "1" }, ...body } });
  const create = async (body: Record<string, unknown>) => {
    const response = await post(body);
    expect(response.status).toBe(201);
    return scheduleRecord.parse(await response.json());
  };
  const started = async () => {
    const response = await send(`${AGENT}/trigger/list?origin=schedule`, { token });
    const page = z.object({ executions: z.array(executionRow) }).parse(await response.json());
    return page.executions;
  };
  return { token, workflowId, post, create, started };
}

describe("a schedule", () => {
  it("starts one execution at its time", async () => {
    const { create, started, workflowId, token } = await open();
    const at = new Date(Date.now() + 1_500).toISOString();
    const made = await create({ at });
    expect(made).toMatchObject({ overlap: "skip", catchUp: "last", enabled: true, next: [at] });
    await expect.poll(async () => (await started()).length).toBe(1);
    expect(await started()).toMatchObject([
      { origin: "schedule", workflowId, metadata: { scheduleId: made.scheduleId } },
    ]);
    const path = `${SCHEDULES}/${made.scheduleId}`;
    expect(await (await send(path, { token })).json()).toMatchObject({ next: [] });
  });

  it("shows its next five times, is paused, run now and removed", async () => {
    const { create, started, token } = await open();
    const made = await create({ cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" });
    expect(made.next).toHaveLength(5);
    const path = `${SCHEDULES}/${made.scheduleId}`;
    const body = { enabled: false };
    const paused = await send(path, { method: "PATCH", token, body });
    expect(await paused.json()).toMatchObject({ enabled: false, next: [], cron: made.cron });
    expect((await send(`${path}/run`, { method: "POST", token })).status).toBe(202);
    expect(await started()).toHaveLength(1);
    expect((await send(path, { method: "DELETE", token })).status).toBe(204);
    expect((await send(path, { token })).status).toBe(404);
  });

  it("shows the time of a single run in UTC, and takes none that has passed", async () => {
    const { create, post, token } = await open();
    const made = await create({ at: "2038-01-01T00:00:00+02:00", enabled: false });
    expect(made.at).toBe("2037-12-31T22:00:00.000Z");
    const past = { at: "2020-01-01T00:00:00Z" };
    const path = `${SCHEDULES}/${made.scheduleId}`;
    const moved = await send(path, { method: "PATCH", token, body: past });
    for (const refused of [moved, await post(past)]) {
      const problem = await expectProblem(refused, 400, "invalid_request");
      expect(problem.detail).toBe("`at` must be in the future.");
    }
  });

  it("is paused for good when its workflow is deleted", async () => {
    const { create, token, workflowId } = await open();
    const { scheduleId } = await create({ everySeconds: 3_600 });
    const path = `${SCHEDULES}/${scheduleId}`;
    expect(
      (await send(`/api/v1/workflows/${workflowId}`, { method: "DELETE", token })).status,
    ).toBe(204);
    expect(await (await send(path, { token })).json()).toMatchObject({ enabled: false, next: [] });
    const body = { enabled: true };
    const again = await send(path, { method: "PATCH", token, body });
    const problem = await expectProblem(again, 400, "invalid_request");
    expect(problem.detail).toBe("`workflowId` must be a workflow of this account.");
  });

  it.each([
    [{}],
    [{ cron: "30 6 * * *", everySeconds: 60 }],
    [{ cron: "61 * * * *" }],
    [{ everySeconds: 60, timeZone: "Mars/Olympus" }],
    [{ everySeconds: 60, inputs: {} }],
    [{ everySeconds: 60, workflowId: "wf_00000000000000000000" }],
  ])("is refused as %j", async (body) => {
    const { post } = await open();
    await expectProblem(await post(body), 400, "invalid_request");
  });
});
