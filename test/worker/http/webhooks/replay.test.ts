import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRow } from "../../../../src/contract/execution.ts";
import { replayAccepted } from "../../../../src/contract/webhooks/log.ts";
import { AGENT, env, expectProblem, send } from "../../../support/worker/client.ts";
import { newEndpoint, newWorkflow, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const INPUTS = [
  { name: "id", type: "string" as const, required: true },
  { name: "total", type: "number" as const },
];

const post = (endpoint: TestEndpoint, requestId: string, body?: unknown) =>
  endpoint.call(`/requests/${requestId}/replay`, { method: "POST", body });

async function replayed(endpoint: TestEndpoint, requestId: string, body?: unknown) {
  const response = await post(endpoint, requestId, body);
  expect(response.status).toBe(202);
  return replayAccepted.parse(await response.json());
}

describe("a replay", () => {
  it("runs the original's payload again as an entry of its own", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1", total: 5 });
    const before = await endpoint.entry(original);
    const answer = await replayed(endpoint, original);
    expect(answer).toMatchObject({
      status: "accepted",
      duplicate: false,
      replayOf: original,
      edited: false,
    });
    expect(answer.executionId).not.toBe(before.executionId);
    expect(await endpoint.entry(answer.requestId)).toMatchObject({
      body: before.body,
      headers: before.headers,
      eventId: "evt_1",
      duplicate: false,
      replayOf: original,
      edited: false,
      executionId: answer.executionId,
      mappedInputs: { id: "evt_1", total: 5 },
    });
    const after = await endpoint.entry(original);
    expect({ ...after, status: before.status, latencyMs: before.latencyMs }).toEqual(before);
  });

  it("starts an execution that the account sees as a replay", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1" });
    const { executionId } = await replayed(endpoint, original);
    const list = async () => {
      const response = await send(`${AGENT}/trigger/list?origin=replay`, {
        token: endpoint.apiKey,
      });
      const page = z.object({ executions: z.array(executionRow) }).parse(await response.json());
      return page.executions.map((row) => row.executionId);
    };
    await expect.poll(list).toEqual([executionId]);
  });

  it.each([
    ["first", '{"payload":PAYLOAD,"revision":"now"}'],
    [
      "last, between spaces",
      ' {"revision" : "now", "acceptUnverified":false , "payload" : PAYLOAD } ',
    ],
    ["behind a value that is written with escapes", '{"revision":"th\\u0065n","payload":PAYLOAD}'],
    ["under a name that is written with escapes", '{"p\\u0061yload":PAYLOAD,"revision":"now"}'],
  ])("takes another payload that stands %s, whose long numbers stay exact", async (_, body) => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1", total: 5 });
    const payload = '{"id":12345678901234567890,"total":7.5,"}":",\\"revision\\":\\"now\\"}"}';
    const answer = await replayed(
      endpoint,
      original,
      body.replace("PAYLOAD", () => payload),
    );
    expect(answer.edited).toBe(true);
    const entry = await endpoint.entry(answer.requestId);
    expect(entry).toMatchObject({ edited: true, replayOf: original, eventId: "evt_1" });
    expect(entry.body).toBe(payload);
    expect(entry.mappedInputs).toEqual({ id: "12345678901234567890", total: 7.5 });
  });

  it("runs under the revisions of then, with today's as soon as nothing else is asked", async () => {
    const first = { mapping: { fields: [{ to: "id", from: "order.number" }] } };
    const endpoint = await newEndpoint(first, INPUTS);
    const { apiKey, workflowId } = endpoint;
    const payload = { id: "evt_1", order: { number: "A-7" } };
    const original = await endpoint.take(payload);
    const atFirst = { revision: 1, workflowRevision: 1, mappedInputs: { id: "A-7" } };
    expect(await endpoint.entry(original)).toMatchObject(atFirst);
    const inputs = [{ name: "code", type: "string" }];
    const changes = [
      [`/api/v1/workflows/${workflowId}`, { prompt: "Sing {{code}}.", inputs }],
      [
        `/api/v1/webhooks/${endpoint.endpointId}`,
        { mapping: { fields: [{ to: "code", from: "id" }] } },
      ],
    ] as const;
    for (const [path, body] of changes) {
      expect((await send(path, { method: "PATCH", token: apiKey, body })).status).toBe(200);
    }

    const now = await replayed(endpoint, original);
    const then = await replayed(endpoint, original, { revision: "then" });
    const atLast = { revision: 2, workflowRevision: 2, mappedInputs: { code: "evt_1" } };
    expect(await endpoint.entry(now.requestId)).toMatchObject(atLast);
    expect(await endpoint.entry(then.requestId)).toMatchObject(atFirst);
    const task = await send(`${AGENT}/trigger/${then.executionId}/task`, { token: apiKey });
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

  it("runs the routes of then, each under its workflow's revision", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const { apiKey, endpointId, workflowId } = endpoint;
    const change = (body: object) =>
      send(`/api/v1/webhooks/${endpointId}`, { method: "PATCH", token: apiKey, body });
    const held = await endpoint.take({ id: "evt_0" });
    const route = { name: "orders", workflowId, when: { path: "id", exists: true } };
    await change({ routing: { routes: [route] } });
    const original = await endpoint.take({ id: "evt_1" });
    await change({ workflowId });
    const { requestId } = await replayed(endpoint, original, { revision: "then" });
    expect(await endpoint.entry(requestId)).toMatchObject({
      revision: 2,
      routes: [
        { name: "orders", matched: true, workflowRevision: 1, mappedInputs: { id: "evt_1" } },
      ],
    });
    const first = await replayed(endpoint, held, { revision: "then" });
    expect(await endpoint.entry(first.requestId)).toMatchObject({ revision: 1, routes: [] });
  });

  it("takes a payload as large as the endpoint does", async () => {
    const endpoint = await newEndpoint({ validation: { maxBytes: 10_485_760 } });
    const original = await endpoint.take({ id: "evt_1" });
    const { requestId } = await replayed(endpoint, original, { payload: "x".repeat(5_000_000) });
    expect((await endpoint.entry(requestId)).body).toHaveLength(5_000_002);
  });

  it("keeps a form a form, and a query a query", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const form = await endpoint.take("id=evt_1&total=5", {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    const get = await endpoint.take(undefined, { method: "GET", query: "?id=evt_2&total=6" });
    for (const [original, inputs] of [
      [form, { id: "evt_1", total: 5 }],
      [get, { id: "evt_2", total: 6 }],
    ] as const) {
      const { requestId } = await replayed(endpoint, original);
      expect((await endpoint.entry(requestId)).mappedInputs).toEqual(inputs);
    }
    const { requestId } = await replayed(endpoint, get, { payload: { id: "evt_3" } });
    expect(await endpoint.entry(requestId)).toMatchObject({
      method: "POST",
      query: {},
      mappedInputs: { id: "evt_3" },
    });
  });

  it("asks for no credentials, no age and no first time, once the caller accepts the unknown sender", async () => {
    const endpoint = await newEndpoint(
      {
        auth: { token: { secret: "a secret token of ours" } },
        replayProtection: { enabled: true, timestamp: { in: "body", path: "sent_at" } },
      },
      INPUTS,
    );
    const body = { id: "evt_1", sent_at: "2020-01-01T00:00:00Z" };
    const refused = (await endpoint.hook(body)).headers.get("X-Request-Id") ?? "";
    expect((await endpoint.entry(refused)).httpStatus).toBe(401);
    const asked = await expectProblem(await post(endpoint, refused), 409, "conflict");
    expect(asked.detail).toContain("acceptUnverified");
    const first = await replayed(endpoint, refused, { acceptUnverified: true });
    const payload = '{"id":12345678901234567890}';
    const second = await replayed(
      endpoint,
      refused,
      `{"payload": ${payload}, "acceptUnverified": true}`,
    );
    expect((await endpoint.entry(second.requestId)).body).toBe(payload);
    expect(second.executionId).not.toBe(first.executionId);
    expect(second.duplicate).toBe(false);
  });

  it("claims no event: the same one is still new when its sender brings it", async () => {
    const endpoint = await newEndpoint({ auth: { token: { secret: "a secret token of ours" } } });
    const body = { id: "evt_1" };
    const refused = (await endpoint.hook(body)).headers.get("X-Request-Id") ?? "";
    await replayed(endpoint, refused, { acceptUnverified: true });
    const headers = { "X-Webhook-Token": "a secret token of ours" };
    const response = await endpoint.hook(body, { headers });
    expect(await response.json()).toMatchObject({ status: "queued", duplicate: false });
  });

  it("goes by today's validation and mapping", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1", total: 5 });
    await endpoint.change({
      mapping: { fields: [{ to: "id", from: "total", transforms: [{ type: "string" }] }] },
    });
    const { requestId } = await replayed(endpoint, original);
    expect((await endpoint.entry(requestId)).mappedInputs).toEqual({ id: "5", total: 5 });
    await endpoint.change({ validation: { types: { total: "string" } } });
    await expectProblem(await post(endpoint, original), 422, "validation_failed");
  });

  it("is logged with all its errors where it is refused", async () => {
    const endpoint = await newEndpoint({ validation: { required: ["a", "b"] } }, INPUTS);
    const original = await endpoint.take({ a: 1, b: 2, id: "evt_1" });
    const response = await post(endpoint, original, { payload: { id: "evt_1" } });
    const requestId = response.headers.get("X-Request-Id") ?? "";
    const { errors } = await expectProblem(response, 422, "validation_failed");
    expect(errors?.map(({ path }) => path)).toEqual(["a", "b"]);
    const entry = await endpoint.entry(requestId);
    expect(entry).toMatchObject({
      status: "rejected",
      httpStatus: 422,
      replayOf: original,
      edited: true,
      executionId: null,
    });
    expect(entry.errors.map(({ path }) => path)).toEqual(["a", "b"]);
    const unmapped = await post(endpoint, original, { payload: { a: 1, b: 2 } });
    await expectProblem(unmapped, 422, "mapping_failed");
  });

  it("is held while no workflow is attached, and starts with the others", async () => {
    const endpoint = await newEndpoint();
    const original = await endpoint.take({ id: "evt_1" });
    const answer = await replayed(endpoint, original);
    expect(answer).toMatchObject({ status: "queued", executionId: null });
    const workflowId = await newWorkflow(endpoint.apiKey, INPUTS);
    await endpoint.change({ workflowId });
    await expect.poll(async () => (await endpoint.entry(answer.requestId)).status).toBe("running");
  });

  it("works on a disabled endpoint, and of a replay", async () => {
    const endpoint = await newEndpoint();
    const original = await endpoint.take({ id: "evt_1" });
    await endpoint.change({ enabled: false });
    const { requestId } = await replayed(endpoint, original);
    expect((await replayed(endpoint, requestId)).replayOf).toBe(requestId);
  });

  it("counts for nothing in the endpoint's rate", async () => {
    const endpoint = await newEndpoint({ requestsPerMinute: 1 });
    const original = await endpoint.take({ id: "evt_1" });
    await replayed(endpoint, original);
    await replayed(endpoint, original);
    expect((await endpoint.hook({ id: "evt_2" })).status).toBe(429);
  });

  it("needs a payload where only the beginning of the body was kept", async () => {
    const endpoint = await newEndpoint({ validation: { maxBytes: 20_000 } });
    const refused = await endpoint.hook({ text: "x".repeat(40_000) });
    expect(refused.status).toBe(413);
    const requestId = refused.headers.get("X-Request-Id") ?? "";
    await expectProblem(await post(endpoint, requestId, {}), 409, "conflict");
    await replayed(endpoint, requestId, { payload: { text: "short" } });
    await replayed(endpoint, requestId, { payload: null });
  });

  it("takes nothing but a payload", async () => {
    const endpoint = await newEndpoint();
    const requestId = await endpoint.take({ id: "evt_1" });
    await expectProblem(await post(endpoint, requestId, { body: {} }), 400, "invalid_request");
    const twice = '{"payload": {"a": 1, "a": 2}}';
    await expectProblem(await post(endpoint, requestId, twice), 400, "malformed_json");
  });
});
