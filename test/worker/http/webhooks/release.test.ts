import { describe, expect, it } from "vitest";
import { releaseTrial } from "../../../../src/contract/webhooks/trials.ts";
import { expectProblem, faultsOf } from "../../../support/worker/client.ts";
import { newEndpoint, newWorkflow, type TestEndpoint } from "../../../support/worker/webhooks.ts";

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

async function tried(endpoint: TestEndpoint, draft: Record<string, unknown> = {}) {
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
    expect(await tried(endpoint, { workflowId })).toMatchObject({
      ...counts,
      wouldStart: 0,
      wouldStayHeld: EVENTS,
    });
    expect(await tried(endpoint, { workflowId, mapping })).toEqual({
      ...counts,
      wouldStart: EVENTS,
      wouldStayHeld: 0,
      sample: [],
    });
    const routes = [{ name: "some", workflowId, mapping, when: { path: "number", gt: 2 } }];
    expect(await tried(endpoint, { routing: { routes } })).toMatchObject({
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
