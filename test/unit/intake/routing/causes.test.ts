import { describe, expect, it } from "vitest";
import { idempotencyKeyOf } from "../../../../src/contract/execution.ts";
import { causesOf, withoutLoops } from "../../../../src/intake/routing/routes.ts";
import { executionIdOf, newExecutionId } from "../../../../src/lib/execution-id.ts";

const ENDPOINT = `ep_${"7a".repeat(20)}`;
const idFor = (endpointId: string) =>
  executionIdOf(
    endpointId,
    { at: Date.UTC(2026, 10, 20), place: 0 },
    { slot: 3, random: new Uint8Array([1, 2]) },
  );
const own = idFor(ENDPOINT);
const key = idempotencyKeyOf(own, "call_1");

const causes = (body: string | null, headers: Record<string, string> = {}) =>
  causesOf(ENDPOINT, { headers, body: body === null ? null : new TextEncoder().encode(body) });

describe("a request is attributed to the execution", () => {
  it("whose idempotency key is in a header or the body, each once", () => {
    expect(causes(null, { "Idempotency-Key": key })).toEqual([own]);
    const event = { request: { id: "req_1", idempotency_key: key } };
    expect(causes(JSON.stringify(event), { "X-Cause": key })).toEqual([own]);
  });

  it("only if this endpoint started it, and the key names one of its calls", () => {
    const other = idempotencyKeyOf(idFor(`ep_${"8b".repeat(20)}`), "call_1");
    const triggered = idempotencyKeyOf(newExecutionId(), "call_1");
    expect(causes(JSON.stringify([other, triggered, own, `${own}: see there`]))).toEqual([]);
    expect(causes(null)).toEqual([]);
  });
});

const matching = {
  matched: true,
  reason: "The route has no condition.",
  key: null,
  inputs: null,
  warnings: [],
  errors: [],
};

it("a route does not match a request caused by its own execution, with the reason; the others do", () => {
  const routes = [
    { ...matching, name: "a" },
    { ...matching, name: "b" },
  ];
  const { decisions, loops } = withoutLoops(routes, (name) => (name === "a" ? own : undefined));
  expect(decisions.map(({ matched }) => matched)).toEqual([false, true]);
  expect(loops).toEqual([decisions[0]?.reason]);
  expect(loops[0]).toContain(own);
});
