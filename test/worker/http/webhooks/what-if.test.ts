import { beforeAll, describe, expect, it } from "vitest";
import { whatIfResult } from "../../../../src/contract/webhooks/trials.ts";
import { expectProblem } from "../../../support/worker/client.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const INPUTS = [{ name: "id", type: "string" as const, required: true }];

async function tried(endpoint: TestEndpoint, body: unknown) {
  const response = await endpoint.call("/what-if", { method: "POST", body });
  expect(response.status).toBe(200);
  return whatIfResult.parse(await response.json());
}

describe("a draft of a mapping for an endpoint without a workflow", () => {
  it("shows the inputs that it would give", async () => {
    const endpoint = await newEndpoint();
    await endpoint.take({ order: { id: 7 } });
    const fields = [{ to: "orderId", from: "order.id" }];
    const { requests } = await tried(endpoint, { mapping: { fields } });
    expect(requests[0]?.after.mappedInputs).toEqual({ orderId: 7 });
    expect((await endpoint.log()).requests[0]?.mappedInputs).toBeNull();
  });
});

describe("a draft tried on the log", () => {
  let endpoint: TestEndpoint;
  let ids: string[];

  beforeAll(async () => {
    endpoint = await newEndpoint({ eventId: { in: "body", path: "event" } }, INPUTS);
    ids = [];
    for (const total of [5, "6", 7]) ids.push(await endpoint.take({ id: "a", ref: "b", total }));
  });

  it("shows, request by request, what today's settings and the draft make of it", async () => {
    const { requests, totals } = await tried(endpoint, {
      validation: { types: { total: "number" } },
      mapping: { fields: [{ to: "id", from: "ref" }] },
    });
    expect(totals).toEqual({
      looked: 3,
      refusedBefore: 0,
      refusedAfter: 1,
      changed: 3,
      truncated: false,
    });
    expect(requests.map(({ requestId }) => requestId)).toEqual(ids.toReversed());
    const before = { ok: true, errors: [], mappedInputs: { id: "a" } };
    expect(requests[0]).toMatchObject({
      before,
      after: { ok: true, errors: [], mappedInputs: { id: "b" } },
      changed: true,
    });
    expect(requests[1]).toMatchObject({
      before,
      after: { ok: false, errors: [{ stage: "validation", path: "total" }], mappedInputs: null },
      changed: true,
    });
  });

  it("shows the routes that would match, each with its reason and what would start", async () => {
    const { workflowId } = endpoint;
    const isLarge = { path: "total", gt: 6 };
    const routes = [
      { name: "large", workflowId, when: isLarge, key: { path: "ref" } },
      { name: "none", workflowId, when: { not: { path: "id", exists: true } } },
    ];
    const { requests, totals } = await tried(endpoint, { routing: { routes } });
    expect(totals).toMatchObject({ looked: 3, changed: 3, refusedAfter: 0 });
    const at = (matched: boolean, key: string | null, mappedInputs: object | null) => ({
      before: { mappedInputs: { id: "a" }, routes: [] },
      after: {
        mappedInputs: null,
        routes: [
          { name: "large", matched, reason: expect.stringContaining("total"), key, mappedInputs },
          { name: "none", matched: false },
        ],
      },
    });
    expect(requests).toMatchObject([
      at(true, "b", { id: "a" }),
      at(false, null, null),
      at(false, null, null),
    ]);
    const broken = [{ name: "a", workflowId, when: { jsonata: "(" } }];
    const response = await endpoint.call("/what-if", {
      method: "POST",
      body: { routing: { routes: broken } },
    });
    await expectProblem(response, 400, "invalid_request");
  });

  it("stores and starts nothing", async () => {
    const log = await endpoint.log();
    const read = async () => (await endpoint.call("")).json();
    const settings = await read();
    await tried(endpoint, { validation: { required: ["nothing"] } });
    expect(await read()).toEqual(settings);
    const after = await endpoint.log();
    expect(after.requests.map(({ requestId }) => requestId)).toEqual(
      log.requests.map(({ requestId }) => requestId),
    );
  });

  it("checks the draft as saving it would", async () => {
    const drafts = [
      { validation: { schema: { type: "thing" } } },
      { validation: { required: ["a..b"] } },
      { mapping: { fields: [{ to: "id", from: "a..b" }] } },
      { mapping: { fields: [{ to: "no name" }] } },
      { last: 0 },
      { last: 201 },
      { draft: {} },
    ];
    for (const body of drafts) {
      const response = await endpoint.call("/what-if", { method: "POST", body });
      await expectProblem(response, 400, "invalid_request");
    }
  });
});
