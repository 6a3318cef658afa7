import { describe, expect, it } from "vitest";
import { Crowd } from "../../../src/durable/crowd.ts";

const NOW = 1_700_000_000_000;

function crowdOf(arrivals: number): Crowd {
  const crowd = new Crowd();
  for (let n = 0; n < arrivals; n += 1) crowd.arrive(NOW);
  return crowd;
}

/** Whether a promise is fulfilled before the event loop has turned once. */
function isImmediate(promise: Promise<void>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([promise.then(() => true), turn]);
}

describe("whoever comes alone", () => {
  it("is not taken for a crowd", () => {
    expect(crowdOf(49).isCrowded(NOW)).toBe(false);
  });

  it("does not wait for others", async () => {
    expect(await isImmediate(crowdOf(1).gather(NOW))).toBe(true);
  });
});

describe("a crowd", () => {
  it("is many within a quarter of a second, and no longer one after that", () => {
    const crowd = crowdOf(50);
    expect(crowd.isCrowded(NOW + 249)).toBe(true);
    expect(crowd.isCrowded(NOW + 250)).toBe(false);
  });

  it("goes on together, in the order of arrival", async () => {
    const crowd = crowdOf(50);
    const seen: string[] = [];
    const first = crowd.gather(NOW).then(() => {
      seen.push("first");
      // Whatever runs between the two of one turn is a microtask.
      setImmediate(() => seen.push("next turn"));
    });
    const second = crowd.gather(NOW).then(() => seen.push("second"));
    expect(seen).toEqual([]);
    await Promise.all([first, second]);
    await new Promise(setImmediate);
    expect(seen).toEqual(["first", "second", "next turn"]);
  });

  it("gathers anew after it has gone on", async () => {
    const crowd = crowdOf(50);
    await crowd.gather(NOW);
    const again = crowd.gather(NOW);
    expect(await isImmediate(again)).toBe(false);
    await again;
  });
});
