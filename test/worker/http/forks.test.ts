import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionStep, executionTask } from "../../../src/contract/task.ts";
import {
  AGENT,
  callsOf,
  eventsOf,
  expectProblem,
  newAccount,
  resultOf,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf, type ScriptedStep } from "../../support/worker/scripted.ts";

const { apiKey } = await newAccount();

const read: ScriptedStep = {
  calls: [{ tool: "emit_output", input: { label: "Row", type: "text", value: "1" } }],
};
const finish: ScriptedStep = { finish: { summary: "All done." } };
const post = (url: string, id?: string) => ({
  tool: "http_request",
  input: { method: "POST", url, body: { amount: 5 } },
  ...(id !== undefined && { id }),
});

const start = (steps: [ScriptedStep, ...ScriptedStep[]], settings: Record<string, unknown> = {}) =>
  trigger(apiKey, { prompt: promptOf(...steps), model: "openai/scripted", ...settings });

async function ended(
  steps: [ScriptedStep, ...ScriptedStep[]],
  settings: Record<string, unknown> = {},
): Promise<string> {
  const id = await start(steps, settings);
  await untilStatus(apiKey, id, "completed", "failed", "stopped");
  return id;
}

const ask = (id: string, body: object = {}, token = apiKey) =>
  callsOf(token).post(`${AGENT}/trigger/${id}/fork`, body);

const accepted = z.object({
  executionId: z.uuid(),
  forkOf: z.object({ executionId: z.uuid(), afterStep: z.int() }),
});

async function forked(id: string, body: object = {}) {
  const response = await ask(id, body);
  expect(response.status).toBe(202);
  const fork = accepted.parse(await response.json());
  await untilStatus(apiKey, fork.executionId, "completed", "failed", "stopped");
  return fork;
}

async function get<T>(id: string, part: string, shape: z.ZodType<T>): Promise<T> {
  return shape.parse(await (await callsOf(apiKey).get(`${AGENT}/trigger/${id}/${part}`)).json());
}

describe("a fork of an execution", () => {
  it("continues at the next step: one model call, no repeated tool, the price of one step", async () => {
    const original = await ended([...Array<ScriptedStep>(9).fill(read), finish] as [ScriptedStep], {
      maxSteps: 9,
      maxCredits: 200,
    });
    expect(await resultOf(apiKey, original)).toMatchObject({ error: { code: "step_limit" } });
    const before = JSON.stringify(await eventsOf(apiKey, original));
    const { executionId, forkOf } = await forked(original);
    expect(forkOf).toEqual({ executionId: original, afterStep: 9 });
    const result = await resultOf(apiKey, executionId);
    expect(result).toMatchObject({
      status: "completed",
      creditsConsumed: 1,
      usage: { modelSteps: 1, toolCalls: 0 },
      forkOf,
    });
    expect(result.outputs).toHaveLength(9);
    expect(JSON.stringify(await eventsOf(apiKey, original))).toBe(before);
  });

  it("sends the model the same bytes up to its step as the original", async () => {
    const original = await ended([read, read, read, finish]);
    const { executionId } = await forked(original, { afterStep: 2 });
    const [sent, again] = await Promise.all(
      [original, executionId].map((id) => get(id, "steps/3", executionStep)),
    );
    const known = sent?.messages.slice(0, -1) ?? [];
    expect(known.length).toBeGreaterThan(2);
    expect(again?.messages.slice(0, known.length)).toEqual(known);
  });

  it("continues a completed execution with a new message and settings, and each links the other", async () => {
    const original = await ended([read, finish, { text: "More.", ...finish }]);
    await expectProblem(await ask(original), 400, "invalid_request");
    const before = await get(original, "task", executionTask);
    const own = { model: "openai/other", tools: ["browse", "finish"], maxCredits: 7 };
    const message = "And the second one?";
    const { executionId, forkOf } = await forked(original, { message, ...own });
    expect(forkOf.afterStep).toBe(2);
    expect((await get(executionId, "steps/3", executionStep)).messages).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining(message) }),
    );
    expect(await get(executionId, "task", executionTask)).toMatchObject({ ...own, forkOf });
    expect(await get(original, "task", executionTask)).toEqual({ ...before, forks: [executionId] });
    const list = await (await callsOf(apiKey).get(`${AGENT}/trigger/list`)).text();
    expect(list).toContain(`"forkOf":${JSON.stringify(forkOf)}`);
  });

  it("does not repeat an effect of the step that failed", async () => {
    const site = mailbox();
    const calls = [post(site.url), { tool: "browse", input: { url: "https://example.com/" } }];
    // The reply costs one credit and the effect one, so that nothing is left for the second call.
    const original = await ended([{ calls }, finish], { maxCredits: 2 });
    expect(await resultOf(apiKey, original)).toMatchObject({
      status: "stopped",
      effects: [{ state: "confirmed" }],
    });
    const { executionId, forkOf } = await forked(original, { maxCredits: 20 });
    expect(forkOf.afterStep).toBe(1);
    expect(await resultOf(apiKey, executionId)).toMatchObject({
      status: "completed",
      creditsConsumed: 1,
      effects: [],
    });
    expect(await site.letters()).toHaveLength(1);
  });

  it("gives an effect after the cut its own key", async () => {
    const site = mailbox();
    const original = await ended([read, { calls: [post(site.url, "pay")] }, finish]);
    const { executionId } = await forked(original, { afterStep: 1 });
    const keys = (await site.letters()).map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([`${original}:pay`, `${executionId}:pay`]);
  });

  it("waits for a check of uncertain effects", async () => {
    const site = mailbox();
    await site.answer("hold");
    const original = await start([{ calls: [post(site.url)] }, read, finish]);
    await site.letters(1);
    await abortAllDurableObjects();
    await site.answer(200);
    await untilStatus(apiKey, original, "completed");
    const refused = await expectProblem(await ask(original, { afterStep: 1 }), 409, "conflict");
    expect(refused.detail).toContain("acknowledgeUncertain");
    await forked(original, { afterStep: 1, acknowledgeUncertain: true });
    expect(await site.letters()).toHaveLength(1);
  });

  it("is refused after an unknown step, and for another account's execution", async () => {
    const original = await ended([read, finish]);
    await expectProblem(await ask(original, { afterStep: 3 }), 400, "invalid_request");
    const { apiKey: stranger } = await newAccount();
    await expectProblem(await ask(original, {}, stranger), 404, "not_found");
  });
});
