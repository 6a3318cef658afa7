import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HttpProblem } from "../../../../src/http/problem.ts";
import { MOST_BUCKETS, rangeOf, startsOf, usageQuery } from "../../../../src/http/usage/range.ts";

const NOW = Date.parse("2026-11-21T10:20:30.400Z");
const HOUR_MS = 3_600_000;

const read = (query: Record<string, string>, now = NOW) => {
  const { from, to, bucketMs } = rangeOf(usageQuery.parse(query), now);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), bucketMs };
};

describe("the range of a usage query", () => {
  it.each([
    [{}, "2026-11-20T11:00:00.000Z", "2026-11-21T11:00:00.000Z"],
    [{ bucket: "day" }, "2026-10-23T00:00:00.000Z", "2026-11-22T00:00:00.000Z"],
    [
      { from: "2026-11-21T08:59:59Z", to: "2026-11-21T09:00:01Z" },
      "2026-11-21T08:00:00.000Z",
      "2026-11-21T10:00:00.000Z",
    ],
    [
      { from: "2026-11-21T08:00:00Z", to: "2026-11-21T09:00:00Z" },
      "2026-11-21T08:00:00.000Z",
      "2026-11-21T09:00:00.000Z",
    ],
    [
      { from: "2026-11-21T09:00:00Z", to: "2030-01-01T00:00:00Z" },
      "2026-11-21T09:00:00.000Z",
      "2026-11-21T11:00:00.000Z",
    ],
  ])("is of whole buckets, and ends now at the latest: %j", (query, from, to) => {
    expect(read(query)).toMatchObject({ from, to });
  });

  it("is of UTC whatever the zone that a time is given in", () => {
    // Still the 20th in New York, already the 21st in UTC.
    const query = { bucket: "day", from: "2026-11-20T23:30:00-05:00" };
    expect(read(query).from).toBe("2026-11-21T00:00:00.000Z");
    const inIndia = { from: "2026-11-21T10:45:00+05:30", to: "2026-11-21T11:15:00+05:30" };
    expect(read(inIndia)).toMatchObject({
      from: "2026-11-21T05:00:00.000Z",
      to: "2026-11-21T06:00:00.000Z",
    });
  });

  it("has days of 24 hours also where clocks are changed", () => {
    const query = { bucket: "day", from: "2026-10-24T00:00:00Z", to: "2026-10-27T00:00:00Z" };
    expect(startsOf(rangeOf(usageQuery.parse(query), NOW)).map((at) => at % 86_400_000)).toEqual([
      0, 0, 0,
    ]);
  });

  it.each([
    [{ from: "2026-11-21T11:00:00Z" }, "must be before to"],
    [{ from: "2026-11-21T10:00:00Z", to: "2026-11-21T10:00:00Z" }, "must be before to"],
    [{ from: "2026-11-21T10:00:00Z", to: "2026-11-21T09:00:00Z" }, "must be before to"],
    [{ to: "1969-12-31T00:00:00Z" }, "must be before to"],
    [{ from: "2026-10-01T00:00:00Z" }, "buckets ago, of 744 at most; bucket=day covers more"],
    [{ from: "2020-01-01T00:00:00Z", bucket: "day" }, "buckets ago, of 744 at most"],
    [{ from: "0000-01-01T00:00:00Z", bucket: "day" }, "buckets ago, of 744 at most"],
  ])("says what is wrong with %j", (query, message) => {
    const reading = () => read(query);
    expect(reading).toThrow(HttpProblem);
    expect(reading).toThrow(message);
  });

  it("always covers what was asked for, in at most so many buckets", () => {
    const moment = fc.date({
      min: new Date(NOW - 40 * 86_400_000),
      max: new Date(NOW),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, moment, fc.constantFrom("hour", "day"), (one, other, bucket) => {
        const [from, to] = [one, other].sort((a, b) => a.getTime() - b.getTime());
        if (from === undefined || to === undefined || to.getTime() - from.getTime() < 1) return;
        if (bucket === "hour" && to.getTime() - from.getTime() > 700 * HOUR_MS) return;
        const query = { bucket, from: from.toISOString(), to: to.toISOString() };
        const range = rangeOf(usageQuery.parse(query), NOW);
        expect(range.from).toBeLessThanOrEqual(from.getTime());
        expect(range.to).toBeGreaterThanOrEqual(to.getTime());
        expect(range.to - to.getTime()).toBeLessThan(range.bucketMs);
        const starts = startsOf(range);
        expect(starts.length).toBeGreaterThan(0);
        expect(starts.length).toBeLessThanOrEqual(MOST_BUCKETS);
        expect(starts.every((start) => start % range.bucketMs === 0)).toBe(true);
      }),
    );
  });
});
