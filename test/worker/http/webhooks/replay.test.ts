import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRow } from "../../../../src/contract/execution.ts";
import { replayAccepted } from "../../../../src/contract/inbound/log.ts";
import { AGENT, expectProblem, newAccount, send } from "../../../support/worker/client.ts";
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

  it("takes another payload, whose long numbers stay exact", async () => {
    const endpoint = await newEndpoint({}, INPUTS);
    const original = await endpoint.take({ id: "evt_1", total: 5 });
    const payload = '{ "id": 12345678901234567890, "total": 7.5, "}": ":" }';
    const answer = await replayed(endpoint, original, ` {"payload" : ${payload} } `);
    expect(answer.edited).toBe(true);
    const entry = await endpoint.entry(answer.requestId);
    expect(entry).toMatchObject({ edited: true, replayOf: original, eventId: "evt_1" });
    expect(entry.body?.trim()).toBe(payload);
    expect(entry.mappedInputs).toEqual({ id: "12345678901234567890", total: 7.5 });
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
    const payload = '{"id": 12345678901234567890}';
    const second = await replayed(
      endpoint,
      refused,
      `{"payload": ${payload}, "acceptUnverified": true}`,
    );
    expect((await endpoint.entry(second.requestId)).body?.trim()).toBe(payload);
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

  it("is of nothing that is somebody else's, or deleted", async () => {
    const endpoint = await newEndpoint();
    const requestId = await endpoint.take({ id: "evt_1" });
    const { apiKey: token } = await newAccount();
    const path = `/requests/${requestId}/replay`;
    await expectProblem(await endpoint.call(path, { method: "POST", token }), 404, "not_found");
    const other = await newEndpoint();
    await expectProblem(await post(other, requestId), 404, "not_found");
    await endpoint.call("", { method: "DELETE" });
    await expectProblem(await post(endpoint, requestId), 404, "not_found");
  });

  it("takes nothing but a payload", async () => {
    const endpoint = await newEndpoint();
    const requestId = await endpoint.take({ id: "evt_1" });
    await expectProblem(await post(endpoint, requestId, { body: {} }), 400, "invalid_request");
    const twice = '{"payload": {"a": 1, "a": 2}}';
    await expectProblem(await post(endpoint, requestId, twice), 400, "malformed_json");
  });
});
