import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { executionRow } from "../../../src/contract/execution.ts";
import { scheduleRecord } from "../../../src/contract/schedule.ts";
import {
  AGENT,
  allPages,
  expectProblem,
  faultsOf,
  newAccount,
  textIn,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const SCHEDULES = "/api/v1/schedules";

async function open(workflow: object = {}) {
  const { apiKey, accountId, get, post, patch, remove } = await newAccount();
  const inputs = [{ name: "id", required: true }];
  const definition = { name: "look", prompt: "Look at it.", inputs, ...workflow };
  const workflowId = await textIn(await post("/api/v1/workflows", definition), "workflowId");
  const schedule = (body: object) => post(SCHEDULES, { workflowId, inputs: { id: "1" }, ...body });
  return {
    accountId,
    workflowId,
    get,
    post,
    patch,
    remove,
    schedule,
    /** A new schedule, its path, and how it is now. */
    async create(body: object) {
      const response = await schedule(body);
      expect(response.status).toBe(201);
      const made = scheduleRecord.parse(await response.json());
      const path = `${SCHEDULES}/${made.scheduleId}`;
      const record = async () => scheduleRecord.parse(await (await get(path)).json());
      return { ...made, path, record };
    },
    started: () =>
      allPages(
        apiKey,
        `${AGENT}/trigger/list?limit=100&origin=schedule`,
        "executions",
        executionRow,
      ),
  };
}

const soon = () => new Date(Date.now() + 1_500).toISOString();

describe("a schedule", () => {
  it("starts one execution at its time", async () => {
    const prompt = promptOf({ finish: { summary: "Done." } });
    const { create, started, workflowId } = await open({ prompt, model: "openai/scripted" });
    const at = soon();
    const { record, ...made } = await create({ at, name: "report" });
    const defaults = { overlap: "skip", catchUp: "last", enabled: true };
    expect(made).toMatchObject({ name: "report", ...defaults, next: [at], lastRuns: [] });
    await expect.poll(async () => (await started()).length).toBe(1);
    const metadata = { scheduleId: made.scheduleId, scheduledFor: at };
    const [execution] = await started();
    expect(execution).toMatchObject({ origin: "schedule", workflowId, metadata });
    const run = { scheduledFor: at, executionId: execution?.executionId, skipped: null };
    const ended = { next: [], lastRuns: [{ ...run, status: "completed" }] };
    await expect.poll(record).toMatchObject(ended);
  });

  it("passes each execution its time, in the input declared for it", async () => {
    const time = { name: "scheduledAt", type: "timestamp", required: true };
    const { create, started, get, post, patch, workflowId } = await open({
      inputs: [{ name: "id", required: true }, time],
    });
    const at = soon();
    const { path } = await create({ at });
    await expect.poll(async () => (await started()).length).toBe(1);
    const inputs = async () => {
      const [execution] = await started();
      const task = await get(`${AGENT}/trigger/${execution?.executionId}/task`);
      return (await task.json<{ inputs: { scheduledAt: string } }>()).inputs;
    };
    expect(await inputs()).toEqual({ id: "1", scheduledAt: at });
    const before = new Date().toISOString();
    await post(`${path}/run`);
    expect((await inputs()).scheduledAt >= before).toBe(true);
    await patch(`/api/v1/workflows/${workflowId}`, { inputs: [{ name: "page", required: true }] });
    const problem = await expectProblem(await post(`${path}/run`), 400, "invalid_request");
    expect(problem.detail).toContain("`inputs.id` is not an input of the workflow");
  });

  it("shows the time of a single run in UTC, and refuses a past one", async () => {
    const { create, schedule, patch } = await open();
    const made = await create({ at: "2038-01-01T00:00:00+02:00", enabled: false });
    expect(made.at).toBe("2037-12-31T22:00:00.000Z");
    const past = { at: "2020-01-01T00:00:00Z" };
    for (const refused of [await patch(made.path, past), await schedule(past)]) {
      const problem = await expectProblem(refused, 400, "invalid_request");
      expect(problem.detail).toBe("`at` must be in the future.");
    }
  });

  it("is paused permanently when its workflow is deleted", async () => {
    const { create, patch, remove, workflowId } = await open();
    const { path, record } = await create({ everySeconds: 3_600 });
    expect((await remove(`/api/v1/workflows/${workflowId}`)).status).toBe(204);
    expect(await record()).toMatchObject({ enabled: false, next: [] });
    const problem = await expectProblem(
      await patch(path, { enabled: true }),
      400,
      "invalid_request",
    );
    expect(problem.detail).toBe("`workflowId` must be a workflow of this account.");
  });

  it("that was created while its workflow was being deleted is paused by its first time", async () => {
    const { create, workflowId } = await open();
    const { record } = await create({ at: soon() });
    await env.DB.prepare("DELETE FROM workflows WHERE workflow_id = ?").bind(workflowId).run();
    const skipped = { executionId: null, skipped: "workflow_deleted" };
    await expect.poll(record).toMatchObject({ enabled: false, lastRuns: [skipped] });
  });

  it("is refused with invalid times, inputs or workflow", async () => {
    const { schedule } = await open();
    for (const [body, path] of [
      [{}, ""],
      [{ cron: "61 * * * *" }, "cron"],
      [{ everySeconds: 60, timeZone: "Mars/Olympus" }, "timeZone"],
      [{ everySeconds: 60, inputs: {} }, "inputs.id"],
      [{ everySeconds: 60, workflowId: "wf_00000000000000000000" }, "workflowId"],
    ] as const) {
      expect(await faultsOf(await schedule(body)), JSON.stringify(body)).toEqual([path]);
    }
  });
  it.each([
    [{ cron: "61 * * * *" }, "cron"],
    [{ cron: "0 6 * * *", timeZone: "Mars/Olympus" }, "timeZone"],
    [{ timeZone: "Mars/Olympus" }, "timeZone"],
  ])("is not changed to an invalid time: %j", async (change, path) => {
    const { create, patch } = await open();
    const { path: schedule, record } = await create({ cron: "0 7 * * *" });
    expect(await faultsOf(await patch(schedule, change))).toEqual([path]);
    expect(await record()).toMatchObject({ cron: "0 7 * * *", timeZone: "UTC", revision: 1 });
  });
});
