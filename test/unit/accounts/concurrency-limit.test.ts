import { describe, expect, it } from "vitest";
import { ConcurrencyLimit } from "../../../src/accounts/pending-starts.ts";

const NOW = 1_700_000_000_000;

/** Answers a whole round of calls that began at `startedAt` and took `ms` each. */
function round(limit: ConcurrencyLimit, ms: number, startedAt = NOW): void {
  for (let left = limit.value; left > 0; left -= 1) limit.answered(startedAt, startedAt + ms);
}

describe("the number of calls at once", () => {
  it("begins with a few, and grows after each round of quick calls", () => {
    const limit = new ConcurrencyLimit();
    expect(limit.value).toBe(8);
    round(limit, 49);
    expect(limit.value).toBe(10);
    round(limit, 49);
    expect(limit.value).toBe(12);
  });

  it("stays within its bounds", () => {
    const limit = new ConcurrencyLimit();
    for (let n = 0; n < 200; n += 1) round(limit, 1);
    expect(limit.value).toBe(256);
    for (let n = 0; n < 20; n += 1) round(limit, 50, NOW + n * 100);
    expect(limit.value).toBe(4);
  });

  it("halves after a slow round", () => {
    const limit = new ConcurrencyLimit();
    round(limit, 50);
    expect(limit.value).toBe(4);
  });

  it("grows although a few calls of a round are slow", () => {
    const limit = new ConcurrencyLimit();
    for (let n = 0; n < 3; n += 1) limit.answered(NOW, NOW + 900);
    for (let n = 0; n < 5; n += 1) limit.answered(NOW, NOW + 10);
    expect(limit.value).toBe(10);
  });

  it("halves at a refusal, once for all calls that ran at that time", () => {
    const limit = new ConcurrencyLimit();
    for (let n = 0; n < 12; n += 1) round(limit, 1);
    expect(limit.value).toBe(32);
    limit.refused(NOW, NOW + 20);
    for (let n = 0; n < 31; n += 1) limit.refused(NOW, NOW + 21);
    expect(limit.value).toBe(16);
    limit.refused(NOW + 21, NOW + 22);
    expect(limit.value).toBe(8);
  });
});
