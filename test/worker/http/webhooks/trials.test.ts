import { beforeAll, describe, expect, it } from "vitest";
import {
  learnedShape,
  releaseTrial,
  whatIfResult,
} from "../../../../src/contract/webhooks/trials.ts";
import { expectProblem, faultsOf } from "../../../support/worker/client.ts";
import { newEndpoint, newWorkflow, type TestEndpoint } from "../../../support/worker/webhooks.ts";

const INPUTS = [{ name: "id", type: "string" as const, required: true }];

const ask = (endpoint: TestEndpoint, body: unknown) =>
  endpoint.call("/what-if", { method: "POST", body });

async function whatIf(endpoint: TestEndpoint, body: unknown) {
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
    const { requests, totals } = await whatIf(endpoint, {
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
    const { requests, totals } = await whatIf(endpoint, { routing: { routes } });
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
    const validation = { required: ["a..b"] };
    expect(await faultsOf(await ask(endpoint, { validation }))).toEqual(["validation.required[0]"]);
  });
});

const EVENTS = 4;

/** An endpoint that holds four requests, and a workflow that none of them can be mapped to. */
async function holding() {
  const endpoint = await newEndpoint();
  const ids: string[] = [];
  for (let n = 1; n <= EVENTS; n += 1) ids.push(await endpoint.take({ number: n }));
  const inputs = [{ name: "orderId", type: "integer" as const, required: true }];
  return { endpoint, ids, workflowId: await newWorkflow(endpoint.apiKey, inputs) };
}

const release = (endpoint: TestEndpoint, body?: unknown) =>
  endpoint.call("/release", { method: "POST", ...(body !== undefined && { body }) });

async function releaseTrialOf(endpoint: TestEndpoint, draft: Record<string, unknown> = {}) {
  const response = await release(endpoint, { dryRun: true, ...draft });
  expect(response.status).toBe(200);
  return releaseTrial.parse(await response.json());
}

const mapping = { fields: [{ to: "orderId", from: "number" }] };

it("held requests with errors start in order once they are released under another mapping", async () => {
  const { endpoint, ids, workflowId } = await holding();
  await endpoint.change({ workflowId });
  const entries = () => Promise.all(ids.map((id) => endpoint.entry(id)));
  await expect
    .poll(async () => (await entries()).map(({ errors: [first] }) => first?.rule))
    .toEqual(ids.map(() => "required"));
  await endpoint.change({ mapping });
  const response = await release(endpoint);
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ held: EVENTS });
  await expect
    .poll(async () => (await entries()).map(({ mappedInputs }) => mappedInputs))
    .toEqual(ids.map((_, n) => ({ orderId: n + 1 })));
  // Ids of executions sort by the time of the release.
  const order = (await entries()).map(({ executionId }) => executionId);
  expect(order).not.toContain(null);
  expect(order).toEqual(order.toSorted());
});

describe("a dry run of a release", () => {
  it("counts for a workflow that is not attached, and changes nothing", async () => {
    const { endpoint, ids, workflowId } = await holding();
    const counts = { held: EVENTS, looked: EVENTS, wouldBeUnrouted: 0, truncated: false };
    expect(await releaseTrialOf(endpoint, { workflowId })).toMatchObject({
      ...counts,
      wouldStart: 0,
      wouldStayHeld: EVENTS,
    });
    expect(await releaseTrialOf(endpoint, { workflowId, mapping })).toEqual({
      ...counts,
      wouldStart: EVENTS,
      wouldStayHeld: 0,
      sample: [],
    });
    const routes = [{ name: "some", workflowId, mapping, when: { path: "number", gt: 2 } }];
    expect(await releaseTrialOf(endpoint, { routing: { routes } })).toMatchObject({
      wouldStart: 2,
      wouldBeUnrouted: 2,
    });
    const [first = ""] = ids;
    expect(await endpoint.entry(first)).toMatchObject({ status: "queued", errors: [] });
  });

  it("needs a workflow to start, and accepts a draft of the account's workflows", async () => {
    const { endpoint, workflowId } = await holding();
    const other = await newEndpoint({}, []);
    await expectProblem(await release(endpoint, { dryRun: true }), 409, "conflict");
    await expectProblem(await release(endpoint), 409, "conflict");
    const foreign = { dryRun: true, workflowId: other.workflowId };
    expect(await faultsOf(await release(endpoint, foreign))).toEqual(["workflowId"]);
    expect(await faultsOf(await release(endpoint, { workflowId }))).toEqual(["workflowId"]);
  });
});

async function shapeOf(endpoint: TestEndpoint) {
  return learnedShape.parse(await (await endpoint.call("/shape")).json());
}

async function onceLearned(endpoint: TestEndpoint, count: number) {
  await expect.poll(async () => (await shapeOf(endpoint)).learnedFrom).toBe(count);
  return shapeOf(endpoint);
}

const order = (at: number) => ({
  id: `evt_${at}`,
  order: { id: 1_000 + at, total: at + 0.5, ...(at % 2 && { coupon: "TEN" }) },
});

it("the learned shape can be saved as it is: it refuses a changed type, and maps the workflow's inputs", async () => {
  const endpoint = await newEndpoint({}, [{ name: "orderId" }]);
  for (let at = 0; at < 12; at += 1) await endpoint.take(order(at));
  const { schema, mapping } = await onceLearned(endpoint, 12);
  expect(mapping.fields).toEqual([
    { to: "orderId", from: "order.id", transforms: [{ type: "string" }] },
  ]);
  await endpoint.change({ validation: { schema }, mapping });
  const taken = await endpoint.take(order(50));
  expect((await endpoint.entry(taken)).mappedInputs).toEqual({ orderId: "1050" });
  expect((await endpoint.hook({ ...order(51), order: { id: "x", total: 1 } })).status).toBe(422);
});
