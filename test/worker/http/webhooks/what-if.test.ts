import { beforeAll, describe, expect, it } from "vitest";
import { whatIfResult } from "../../../../src/contract/webhooks/trials.ts";
import { faultsOf } from "../../../support/worker/client.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const INPUTS = [{ name: "id", type: "string" as const, required: true }];

const ask = (endpoint: TestEndpoint, body: unknown) =>
  endpoint.call("/what-if", { method: "POST", body });

async function tried(endpoint: TestEndpoint, body: unknown) {
  const response = await ask(endpoint, body);
  expect(response.status).toBe(200);
  return whatIfResult.parse(await response.json());
}

describe("a draft tried on the log", () => {
  let endpoint: TestEndpoint;
  let ids: string[];

  beforeAll(async () => {
    endpoint = await newEndpoint({ eventId: { in: "body", path: "event" } }, INPUTS);
    ids = [];
    for (const total of [5, "6", 7]) ids.push(await endpoint.take({ id: "a", ref: "b", total }));
  });

  it("shows the results of the current settings and the draft for each request, without storing", async () => {
    const settings = await (await endpoint.call("")).json();
    const { requests, totals } = await tried(endpoint, {
      validation: { types: { total: "number" } },
      mapping: { fields: [{ to: "id", from: "ref" }] },
    });
    const counts = { looked: 3, refusedBefore: 0, refusedAfter: 1, changed: 3, truncated: false };
    expect(totals).toEqual(counts);
    expect(requests.map(({ requestId }) => requestId)).toEqual(ids.toReversed());
    const before = { ok: true, errors: [], mappedInputs: { id: "a" } };
    const errors = [{ stage: "validation", path: "total" }];
    expect(requests.slice(0, 2)).toMatchObject([
      { before, after: { ok: true, errors: [], mappedInputs: { id: "b" } }, changed: true },
      { before, after: { ok: false, errors, mappedInputs: null }, changed: true },
    ]);
    expect(await (await endpoint.call("")).json()).toEqual(settings);
    const log = (await endpoint.log()).requests.map(({ requestId }) => requestId);
    expect(log).toEqual(ids.toReversed());
  });

  it("shows the matching routes with reasons and starts", async () => {
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
    const none = at(false, null, null);
    expect(requests).toMatchObject([at(true, "b", { id: "a" }), none, none]);
  });

  it("is validated like a saved one", async () => {
    const routes = [{ name: "a", workflowId: endpoint.workflowId, when: { jsonata: "(" } }];
    for (const [body, path] of [
      [{ validation: { schema: { type: "thing" } } }, "validation.schema.type"],
      [{ validation: { required: ["a..b"] } }, "validation.required[0]"],
      [{ mapping: { fields: [{ to: "id", from: "a..b" }] } }, "mapping.fields[0].from"],
      [{ routing: { routes } }, "routing.routes[0].when.jsonata"],
    ] as const) {
      expect(await faultsOf(await ask(endpoint, body))).toEqual([path]);
    }
  });
});
