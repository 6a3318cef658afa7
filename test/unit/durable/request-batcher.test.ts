import { describe, expect, it } from "vitest";
import { RequestBatcher } from "../../../src/durable/request-batcher.ts";

const NOW = 1_700_000_000_000;

function batcherAfter(arrivals: number): RequestBatcher {
  const batcher = new RequestBatcher();
  for (let n = 0; n < arrivals; n += 1) batcher.record(NOW);
  return batcher;
}

/** Whether a promise is fulfilled before the event loop has turned once. */
function isImmediate(promise: Promise<void>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([promise.then(() => true), turn]);
}

it("does not delay a request outside a burst", async () => {
  expect(batcherAfter(49).isBusy(NOW)).toBe(false);
  expect(await isImmediate(batcherAfter(1).join(NOW))).toBe(true);
});

describe("a burst", () => {
  it("is 50 requests within a quarter of a second, and over after that", () => {
    const batcher = batcherAfter(50);
    expect(batcher.isBusy(NOW + 249)).toBe(true);
    expect(batcher.isBusy(NOW + 250)).toBe(false);
  });

  it("continues in one turn, in the order of arrival", async () => {
    const batcher = batcherAfter(50);
    const seen: string[] = [];
    const first = batcher.join(NOW).then(() => {
      seen.push("first");
      // Whatever runs between the two of one turn is a microtask.
      setImmediate(() => seen.push("next turn"));
    });
    const second = batcher.join(NOW).then(() => seen.push("second"));
    expect(seen).toEqual([]);
    await Promise.all([first, second]);
    await new Promise(setImmediate);
    expect(seen).toEqual(["first", "second", "next turn"]);
  });

  it("starts a new batch after the last one continued", async () => {
    const batcher = batcherAfter(50);
    await batcher.join(NOW);
    const again = batcher.join(NOW);
    expect(await isImmediate(again)).toBe(false);
    await again;
  });
});
