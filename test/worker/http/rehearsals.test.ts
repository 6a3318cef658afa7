import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { rehearsalRecord } from "../../../src/contract/rehearsals.ts";
import { hookAnswer } from "../../../src/contract/webhooks/log.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  resultOf,
  textIn,
  untilStatus,
} from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const { apiKey, get, post, patch } = await newAccount({ credits: 100_000 });
const INPUTS = 5;

/** The prompt of a workflow whose executions each order at this address, and read it. */
const orders = (url: string, amount: number, read: JsonObject = {}) =>
  promptOf(
    { calls: [{ tool: "http_request", input: { url, ...read } }] },
    { calls: [{ tool: "http_request", input: { method: "POST", url, body: { amount } } }] },
    { finish: { summary: "Ordered.", data: { amount } } },
  );

async function workflowOf(prompt: string, settings: Record<string, unknown> = {}) {
  const body = { name: "order", prompt, model: "openai/scripted", ...settings };
  return textIn(await post("/api/v1/workflows", body), "workflowId");
}

async function ran(workflowId: string): Promise<string> {
  const id = await textIn(await post(`/api/v1/workflows/${workflowId}/run`, {}), "executionId");
  await untilStatus(apiKey, id, "completed", "failed");
  return id;
}

const rehearse = async (workflowId: string, body: Record<string, unknown>) =>
  textIn(await post(`/api/v1/workflows/${workflowId}/rehearse`, body), "rehearsalId");

async function completed(id: string) {
  const record = async () =>
    rehearsalRecord.parse(await (await get(`/api/v1/rehearsals/${id}`)).json());
  await expect.poll(async () => (await record()).status, { timeout: 30_000 }).toBe("completed");
  return await record();
}

describe("a rehearsal", () => {
  it("has no effects on past inputs, and names the two whose effect would change", async () => {
    const site = mailbox();
    const workflowId = await workflowOf(orders(site.url, 5));
    // Two were ordered by an earlier revision, at another amount.
    const path = `/api/v1/workflows/${workflowId}`;
    const change = (amount: number) => patch(path, { prompt: orders(site.url, amount) });
    await change(6);
    const before = await Promise.all([1, 2].map(() => ran(workflowId)));
    await change(5);
    await Promise.all(Array.from({ length: INPUTS - 2 }, () => ran(workflowId)));
    const reached = (await site.letters()).length;
    expect(reached).toBe(2 * INPUTS);
    const id = await rehearse(workflowId, { last: INPUTS });
    const { results, totals } = await completed(id);
    expect(await site.letters()).toHaveLength(reached);
    expect(totals).toMatchObject({ rehearsed: INPUTS, changed: 2, failed: 0 });
    const changed = results.filter(({ effects }) => effects.changed.length > 0);
    expect(changed.map(({ executionId }) => executionId).sort()).toEqual(before.sort());
    const call = (amount: number) =>
      expect.objectContaining({ input: expect.objectContaining({ body: { amount } }) });
    expect(changed[0]?.effects.changed).toEqual([{ before: call(6), after: call(5) }]);
    expect(changed[0]?.dataDiff).toEqual([{ path: "amount", before: 6, after: 5 }]);
    const unchanged = results.filter((result) => !changed.includes(result));
    expect(unchanged.map(({ effects }) => effects.same)).toEqual(Array(INPUTS - 2).fill(1));
    const [first] = results;
    const rehearsed = await resultOf(apiKey, first?.rehearsalExecutionId ?? "");
    expect(rehearsed.effects).toMatchObject([{ state: "rehearsed" }]);
    expect(rehearsed.creditsConsumed).toBeGreaterThan(0);
  });

  it("has no effects if all objects are lost while it runs", async () => {
    const site = mailbox();
    const gate = mailbox();
    const ordered = { method: "POST", url: site.url, body: { amount: 1 } };
    const workflowId = await workflowOf(
      promptOf(
        { calls: [{ tool: "http_request", input: ordered }] },
        { gate: gate.name, finish: { summary: "Ordered." } },
      ),
    );
    await ran(workflowId);
    await gate.answer("hold");
    const id = await rehearse(workflowId, { last: 1 });
    await gate.letters(2);
    await gate.answer(200);
    await abortAllDurableObjects();
    const { results } = await completed(id);
    expect(results).toMatchObject([{ status: "completed", effects: { same: 1 } }]);
    expect(await site.letters()).toHaveLength(1);
  });

  it("answers unrecorded reads as not recorded, and performs them with live reads", async () => {
    const [site, other] = [mailbox(), mailbox()];
    const workflowId = await workflowOf(orders(site.url, 5));
    await ran(workflowId);
    const draft = { prompt: orders(other.url, 5) };
    const recorded = await completed(await rehearse(workflowId, { draft, last: 1 }));
    expect(recorded.results[0]?.effects.changed).toHaveLength(1);
    expect(await other.letters()).toEqual([]);
    await completed(await rehearse(workflowId, { draft, last: 1, reads: "live" }));
    expect(await other.letters()).toMatchObject([{ method: "GET" }]);
    // A default that is written out asks for what is recorded.
    const reached = (await site.letters()).length;
    const written = { prompt: orders(site.url, 5, { method: "GET" }) };
    await completed(await rehearse(workflowId, { draft: written, last: 1, reads: "live" }));
    expect(await site.letters()).toHaveLength(reached);
  });

  it("reports the failed expectations of a draft", async () => {
    const site = mailbox();
    const settings = { expect: { callsTool: ["http_request"], maxCredits: 50 } };
    const workflowId = await workflowOf(orders(site.url, 5), settings);
    const of = await ran(workflowId);
    const draft = { prompt: promptOf({ finish: { summary: "Nothing to do." } }) };
    const failed = await completed(await rehearse(workflowId, { draft, executionIds: [of] }));
    expect(failed.results[0]).toMatchObject({
      failures: ["It does not call http_request."],
      effects: { same: 0, removed: [{ tool: "http_request" }] },
    });
    expect(failed.totals.failed).toBe(1);
    const passed = await completed(await rehearse(workflowId, { executionIds: [of] }));
    expect(passed.totals).toMatchObject({ failed: 0, changed: 0 });
  });

  it("names the webhook request whose inputs it used", async () => {
    const workflowId = await workflowOf(promptOf({ finish: { summary: "Done." } }));
    const direct = await ran(workflowId);
    const made = await post("/api/v1/webhooks", { name: "orders", workflowId });
    const endpointId = await textIn(made, "endpointId");
    const sent = hookAnswer.parse(await (await post(`/hooks/${endpointId}`, {})).json());
    await untilStatus(apiKey, sent.executionId ?? "", "completed");
    const named = await completed(await rehearse(workflowId, { requestIds: [sent.requestId] }));
    expect(named.results).toMatchObject([
      { requestId: sent.requestId, executionId: sent.executionId },
    ]);
    const { results } = await completed(await rehearse(workflowId, { executionIds: [direct] }));
    expect(results).toMatchObject([{ requestId: null, executionId: direct }]);
  });

  it("must pass before a change is saved, if the workflow requires it", async () => {
    const site = mailbox();
    const settings = { expect: { callsTool: ["http_request"] }, rehearseBeforeSave: true };
    const workflowId = await workflowOf(orders(site.url, 5), settings);
    await ran(workflowId);
    const path = `/api/v1/workflows/${workflowId}`;
    const save = (body: object) => patch(path, body);
    const refused = async (body: object) =>
      (await expectProblem(await save(body), 409, "conflict")).detail;
    const idle = { prompt: promptOf({ finish: { summary: "Nothing to do." } }) };
    expect(await refused(idle)).toContain("Rehearse this change before you save it");
    const failed = await rehearse(workflowId, { draft: idle, last: 1 });
    await completed(failed);
    expect(await refused(idle)).toBe(
      `The rehearsal ${failed} of this change failed on 1 of 1 inputs.`,
    );
    const better = { prompt: orders(site.url, 6) };
    await completed(await rehearse(workflowId, { draft: better, last: 1 }));
    expect(await refused({ ...better, maxSteps: 3 })).toContain("Rehearse this change");
    expect((await save({ name: "orders" })).status).toBe(200);
    expect((await save(better)).status).toBe(200);
    const restored = await post(`${path}/revisions/1/restore`, {});
    expect(await restored.json()).toMatchObject({ prompt: orders(site.url, 5), revision: 4 });
  });

  it("cannot be forked, and needs exactly one kind of inputs", async () => {
    const site = mailbox();
    const workflowId = await workflowOf(orders(site.url, 5));
    await ran(workflowId);
    const { results } = await completed(await rehearse(workflowId, { last: 1 }));
    const path = `${AGENT}/trigger/${results[0]?.rehearsalExecutionId}/fork`;
    await expectProblem(await post(path, { message: "On" }), 409, "conflict");
    const both = { last: 1, executionIds: [results[0]?.executionId] };
    const response = await post(`/api/v1/workflows/${workflowId}/rehearse`, both);
    await expectProblem(response, 400, "invalid_request");
  });
});
