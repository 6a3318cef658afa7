import { expect, it } from "vitest";
import { idempotencyKeyOf } from "../../../src/contract/execution.ts";
import { newEndpoint, newWorkflow } from "../../support/worker/webhooks.ts";

/** An event that a call of an execution caused, as its target reports it. */
const causedBy = (executionId: string | null | undefined) => ({
  type: "refund.created",
  request: { idempotency_key: idempotencyKeyOf(executionId ?? "none", "call_1") },
});

it("an event that an execution of the endpoint caused does not start it again, unless it is replayed", async () => {
  const endpoint = await newEndpoint({}, []);
  const first = await endpoint.entry(await endpoint.take({ type: "refund.asked" }));
  const event = causedBy(first.executionId);
  const caused = await endpoint.entry(await endpoint.take(event));
  expect(caused).toMatchObject({ status: "unrouted", executionId: null });
  expect(caused.warnings.join()).toContain(first.executionId ?? "an execution");

  const replay = await endpoint.call(`/requests/${caused.requestId}/replay`, { method: "POST" });
  expect(await replay.json()).toMatchObject({ executionId: expect.any(String) });
  const other = await newEndpoint({}, []);
  expect(await other.entry(await other.take(event))).toMatchObject({
    executionId: expect.any(String),
  });
});

it("an event that an execution of one route caused starts the other routes", async () => {
  const endpoint = await newEndpoint();
  const workflowId = await newWorkflow(endpoint.apiKey, []);
  const routes = [
    { name: "asked", workflowId, when: { path: "type", matches: "^refund" } },
    { name: "created", workflowId, when: { path: "type", equals: "refund.created" } },
  ];
  await endpoint.change({ workflowId: null, routing: { routes } });
  const first = await endpoint.entry(await endpoint.take({ type: "refund.asked" }));
  const caused = await endpoint.entry(await endpoint.take(causedBy(first.executionId)));
  expect(caused.routes).toMatchObject([
    { name: "asked", matched: false, executionId: null },
    { name: "created", matched: true, executionId: expect.any(String) },
  ]);
});
