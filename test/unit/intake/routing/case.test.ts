import { describe, expect, it } from "vitest";
import type { CaseRule } from "../../../../src/contract/webhooks/routing.ts";
import { MAX_GATHERED, nextStep } from "../../../../src/intake/routing/case.ts";

const RULE: CaseRule = { onEvent: "collect", quietSeconds: 10, maxWaitSeconds: 60 };
const MEGABYTE = 1_048_576;

/** What a case does a second after its last event, which all arrived at once. */
const stepAfter = (sizes: readonly number[]) => {
  const waiting = sizes.map((bytes, at) => ({ startId: at + 1, at: 0, bytes, toldTo: null }));
  return nextStep({ rule: RULE, live: null, waiting }, 1_000);
};

describe("events that are collected", () => {
  it("wait until it is quiet while one execution can take them all", () => {
    const step = { do: "wait", until: 10_000 };
    expect(stepAfter([2 * MEGABYTE, 2 * MEGABYTE])).toEqual(step);
    expect(stepAfter(Array(MAX_GATHERED - 1).fill(1))).toEqual(step);
  });

  it("start at once when an execution can take no more of them", () => {
    const start = (startIds: number[]) => ({ do: "start", startIds });
    expect(stepAfter([2 * MEGABYTE, 2 * MEGABYTE, 1])).toEqual(start([1, 2]));
    expect(stepAfter([3 * MEGABYTE, 2 * MEGABYTE, 1])).toEqual(start([1]));
    const most = Array.from({ length: MAX_GATHERED }, (_, at) => at + 1);
    expect(stepAfter(Array(MAX_GATHERED).fill(1))).toEqual(start(most));
  });

  it("start alone where one is larger than an execution takes of several", () => {
    expect(stepAfter([5 * MEGABYTE, 1])).toEqual({ do: "start", startIds: [1] });
    expect(stepAfter([5 * MEGABYTE])).toEqual({ do: "wait", until: 10_000 });
  });
});
