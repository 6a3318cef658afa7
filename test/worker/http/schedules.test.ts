import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRow } from "../../../src/contract/execution.ts";
import { type ScheduleRecord, scheduleRecord } from "../../../src/contract/schedule.ts";
import { AGENT, expectProblem, newAccount, send } from "../../support/worker/client.ts";
import { env, mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const SCHEDULES = "/api/v1/schedules";

async function open(workflow: Record<string, unknown> = {}) {
  const { apiKey: token, accountId } = await newAccount();
  const inputs = [{ name: "id", required: true }];
  const made = await send("/api/v1/workflows", {
    method: "POST",
    token,
    body: { name: "look", prompt: "Look at it.", inputs, ...workflow },
  });
  const { workflowId } = z.object({ workflowId: z.string() }).parse(await made.json());
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
  const record = async ({ scheduleId }: ScheduleRecord) =>
    scheduleRecord.parse(await (await send(`${SCHEDULES}/${scheduleId}`, { token })).json());
  return { token, accountId, workflowId, post, create, started, record };
}

const soon = () => new Date(Date.now() + 1_500).toISOString();

describe("a schedule", () => {
  it("starts one execution at its time", async () => {
    const prompt = promptOf({ finish: { summary: "Done." } });
    const { create, started, workflowId, record } = await open({
      prompt,
      model: "openai/scripted",
    });
    const at = soon();
    const made = await create({ at, name: "report" });
    expect(made).toMatchObject({
      name: "report",
      overlap: "skip",
      catchUp: "last",
      enabled: true,
      next: [at],
      lastRuns: [],
    });
    await expect.poll(async () => (await started()).length).toBe(1);
    const [{ executionId } = { executionId: "" }] = await started();
    expect(await started()).toMatchObject([
      {
        origin: "schedule",
        workflowId,
        metadata: { scheduleId: made.scheduleId, scheduledFor: at },
      },
    ]);
    const run = { scheduledFor: at, executionId, skipped: null };
    await expect
      .poll(() => record(made))
      .toMatchObject({ next: [], lastRuns: [{ ...run, status: "completed" }] });
  });

  it("tells each execution its time, in the input that the workflow declares for it", async () => {
    const inputs = [
      { name: "id", required: true },
      { name: "scheduledAt", type: "timestamp", required: true },
    ];
    const { create, started, token } = await open({ inputs });
    const at = soon();
    const { scheduleId } = await create({ at });
    await expect.poll(async () => (await started()).length).toBe(1);
    const inputsOf = async () => {
      const [{ executionId } = { executionId: "" }] = await started();
      const task = await send(`${AGENT}/trigger/${executionId}/task`, { token });
      return z.looseObject({ inputs: z.unknown() }).parse(await task.json()).inputs;
    };
    expect(await inputsOf()).toEqual({ id: "1", scheduledAt: at });
    const before = new Date().toISOString();
    await send(`${SCHEDULES}/${scheduleId}/run`, { method: "POST", token });
    const now = z.object({ scheduledAt: z.string() }).parse(await inputsOf()).scheduledAt;
    expect(now >= before).toBe(true);
  });

  it("starts a run that waits as soon as the earlier execution has ended", async () => {
    const site = mailbox();
    await site.answer("hold");
    const prompt = promptOf(
      { calls: [{ tool: "http_request", input: { url: site.url } }] },
      { finish: { summary: "Done." } },
    );
    const { accountId, create, started } = await open({ prompt, model: "openai/scripted" });
    const made = await create({ at: soon(), overlap: "queue" });
    await site.letters(1);
    // A second run, whose own time would come much later.
    await runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) => {
      storage.sql.exec("UPDATE schedules SET waiting = 1, waiting_for = '[7]', look_at = NULL");
    });
    await site.answer(200);
    await expect.poll(async () => (await started()).length).toBe(2);
    expect((await started())[0]?.metadata).toEqual({
      scheduleId: made.scheduleId,
      scheduledFor: new Date(7).toISOString(),
    });
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
