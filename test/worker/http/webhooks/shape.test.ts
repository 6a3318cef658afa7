import { expect, it } from "vitest";
import { learnedShape } from "../../../../src/contract/webhooks/trials.ts";
import { newEndpoint, type TestEndpoint } from "../../../support/worker/webhooks.ts";

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
