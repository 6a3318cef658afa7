import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRow } from "../../../../src/contract/execution.ts";
import { replayAccepted } from "../../../../src/contract/webhooks/log.ts";
import { AGENT, env, expectProblem } from "../../../support/worker/client.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const INPUTS = [
  { name: "id", type: "string" as const, required: true },
  { name: "total", type: "number" as const },
];
const TOKEN = "a secret token of ours";

const post = (endpoint: TestEndpoint, requestId: string, body?: unknown) =>
  endpoint.call(`/requests/${requestId}/replay`, { method: "POST", body });

async function replayed(endpoint: TestEndpoint, requestId: string, body?: unknown) {
  const response = await post(endpoint, requestId, body);
  expect(response.status).toBe(202);
  return replayAccepted.parse(await response.json());
}

describe("a replay", () => {
  it("runs the original payload as a new entry, whose execution has the origin of a replay", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1", total: 5 });
    const before = await endpoint.entry(original);
    const answer = await replayed(endpoint, original);
    const { executionId } = answer;
    const facts = { duplicate: false, replayOf: original, edited: false };
    expect(answer).toMatchObject({ status: "accepted", ...facts });
    expect(executionId).not.toBe(before.executionId);
    expect(await endpoint.entry(answer.requestId)).toMatchObject({
      ...facts,
      body: before.body,
      headers: before.headers,
      eventId: "evt_1",
      executionId,
      mappedInputs: { id: "evt_1", total: 5 },
    });
    const after = await endpoint.entry(original);
    expect({ ...after, status: before.status, latencyMs: before.latencyMs }).toEqual(before);
    const page = z.object({ executions: z.array(executionRow) });
    const list = async () => {
      const response = await endpoint.get(`${AGENT}/trigger/list?origin=replay`);
      return page.parse(await response.json()).executions.map((row) => row.executionId);
    };
    await expect.poll(list).toEqual([executionId]);
  });

  it("accepts another payload, and keeps its long numbers exact in any form", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1", total: 5 });
    const payload = '{"id":12345678901234567890,"total":7.5,"}":",\\"revision\\":\\"now\\"}"}';
    const body = ` {"revision" : "n\\u006fw" , "p\\u0061yload" : ${payload} } `;
    const answer = await replayed(endpoint, original, body);
    expect(await endpoint.entry(answer.requestId)).toMatchObject({
      edited: true,
      replayOf: original,
      eventId: "evt_1",
      body: payload,
      mappedInputs: { id: "12345678901234567890", total: 7.5 },
    });
  });

  it("runs under the earlier revisions on request, and under the current ones by default", async () => {
    const first = { mapping: { fields: [{ to: "id", from: "order.number" }] } };
    const endpoint = await newEndpoint(first, INPUTS);
    const { workflowId, get, patch } = endpoint;
    const original = await endpoint.take({ id: "evt_1", order: { number: "A-7" } });
    const atFirst = { revision: 1, workflowRevision: 1, mappedInputs: { id: "A-7" } };
    expect(await endpoint.entry(original)).toMatchObject(atFirst);
    const inputs = [{ name: "code", type: "string" }];
    await patch(`/api/v1/workflows/${workflowId}`, { prompt: "Sing {{code}}.", inputs });
    await endpoint.change({ mapping: { fields: [{ to: "code", from: "id" }] } });

    const now = await replayed(endpoint, original);
    const then = await replayed(endpoint, original, { revision: "then" });
    const atLast = { revision: 2, workflowRevision: 2, mappedInputs: { code: "evt_1" } };
    expect(await endpoint.entry(now.requestId)).toMatchObject(atLast);
    expect(await endpoint.entry(then.requestId)).toMatchObject(atFirst);
    const task = await get(`${AGENT}/trigger/${then.executionId}/task`);
    expect(await task.json()).toMatchObject({ revision: 1, inputs: { id: "A-7" } });
    await env.DB.prepare("DELETE FROM revisions WHERE resource_id = ?").bind(workflowId).run();
    const pruned = await post(endpoint, original, { revision: "then" });
    expect((await expectProblem(pruned, 410, "gone")).detail).toContain(workflowId);
    // As older code stored it.
    await runInDurableObject(env.INBOX.getByName(endpoint.endpointId), (_, { storage }) => {
      storage.sql.exec("UPDATE requests SET facts = json_remove(facts, '$.revision')");
    });
    const older = await post(endpoint, original, { revision: "then" });
    await expectProblem(older, 409, "conflict");
  });

  it("runs the earlier routes, each under its workflow's revision", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const { workflowId } = endpoint;
    const held = await endpoint.take({ id: "evt_0" });
    const route = { name: "orders", workflowId, when: { path: "id", exists: true } };
    await endpoint.change({ routing: { routes: [route] } });
    const original = await endpoint.take({ id: "evt_1" });
    await endpoint.change({ workflowId });
    const { requestId } = await replayed(endpoint, original, { revision: "then" });
    const mappedInputs = { id: "evt_1" };
    expect(await endpoint.entry(requestId)).toMatchObject({
      revision: 2,
      routes: [{ name: "orders", matched: true, workflowRevision: 1, mappedInputs }],
    });
    const first = await replayed(endpoint, held, { revision: "then" });
    expect(await endpoint.entry(first.requestId)).toMatchObject({ revision: 1, routes: [] });
  });

  it("accepts a payload as large as the endpoint accepts", async () => {
    const endpoint = await newEndpoint({ validation: { maxBytes: 10_485_760 } });
    const original = await endpoint.take({ id: "evt_1" });
    const { requestId } = await replayed(endpoint, original, { payload: "x".repeat(2_000_000) });
    expect((await endpoint.entry(requestId)).body).toHaveLength(2_000_002);
  });

  it("of an unverified request must be allowed, and claims no event: the sender's copy is still new", async () => {
    const endpoint = await newEndpoint({ auth: { token: { secret: TOKEN } } });
    const body = { id: "evt_1" };
    const refused = await endpoint.hook(body);
    const requestId = refused.headers.get("X-Request-Id") ?? "";
    await expectProblem(await post(endpoint, requestId), 409, "conflict");
    await replayed(endpoint, requestId, { acceptUnverified: true });
    const response = await endpoint.hook(body, { headers: { "X-Webhook-Token": TOKEN } });
    expect(await response.json()).toMatchObject({ status: "queued", duplicate: false });
  });

  it("works on a disabled endpoint, even of a replay, and does not count for its rate", async () => {
    const endpoint = await newEndpoint({ requestsPerMinute: 1 });
    const original = await endpoint.take({ id: "evt_1" });
    await endpoint.change({ enabled: false });
    const { requestId } = await replayed(endpoint, original);
    expect((await replayed(endpoint, requestId)).replayOf).toBe(requestId);
    await endpoint.change({ enabled: true });
    expect((await endpoint.hook({ id: "evt_2" })).status).toBe(429);
  });
});
