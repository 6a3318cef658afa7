import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { percentilesOf } from "../../../../src/http/usage/percentiles.ts";

const all = (values: number[]) => ({ values, sampled: values.length, of: values.length });
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe("percentiles", () => {
  it("are none where nothing was measured", () => {
    expect(percentilesOf([])).toBeNull();
    expect(percentilesOf([{ values: [], sampled: 3, of: 3 }])).toBeNull();
  });

  it("are values that were measured, by nearest rank", () => {
    expect(percentilesOf([all([7])])).toEqual({ p50: 7, p99: 7 });
    expect(percentilesOf([all(upTo(100))])).toEqual({ p50: 50, p99: 99 });
    expect(percentilesOf([all(upTo(1_000).reverse())])).toEqual({ p50: 500, p99: 990 });
  });

  it("weigh a sample by what it stands for", () => {
    const slowFew = { values: [900, 900], sampled: 2, of: 2 };
    const fastMany = { values: [10, 10], sampled: 2, of: 998 };
    expect(percentilesOf([slowFew, fastMany])).toEqual({ p50: 10, p99: 10 });
    expect(
      percentilesOf([
        { ...slowFew, of: 998 },
        { ...fastMany, of: 2 },
      ]),
    ).toEqual({
      p50: 900,
      p99: 900,
    });
  });

  it("do not count what had no latency among what was looked at", () => {
    // Of 1,000, half have a latency; those of the others are all.
    const halfMeasured = { values: [5, 5], sampled: 4, of: 1_000 };
    expect(percentilesOf([halfMeasured, all(upTo(499).map(() => 20))])?.p50).toBe(5);
    expect(percentilesOf([halfMeasured, all(upTo(501).map(() => 20))])?.p50).toBe(20);
  });

  it("are the same for the same values in any order and any parts", () => {
    const latencies = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1 });
    fc.assert(
      fc.property(latencies, fc.nat(), (values, cut) => {
        const at = cut % (values.length + 1);
        const whole = percentilesOf([all(values)]);
        expect(percentilesOf([all(values.slice(at)), all(values.slice(0, at))])).toEqual(whole);
        const sorted = values.toSorted((a, b) => a - b);
        expect(whole?.p50).toBe(sorted[Math.ceil(values.length * 0.5) - 1]);
        expect(whole?.p99).toBe(sorted[Math.ceil(values.length * 0.99) - 1]);
      }),
    );
  });
});
