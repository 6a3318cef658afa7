import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UsageStratum } from "../../../src/contract/usage.ts";
import { HttpProblem } from "../../../src/http/problem.ts";
import {
  executionBuckets,
  MAX_BUCKETS,
  percentilesOf,
  rangeOf,
  samplesFor,
  startsOf,
  usageQuery,
  webhookBuckets,
} from "../../../src/http/usage/figures.ts";

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
    [{ from: "2026-11-21T11:00:00Z" }, "must be before `to`"],
    [{ from: "2026-11-21T10:00:00Z", to: "2026-11-21T10:00:00Z" }, "must be before `to`"],
    [{ from: "2026-11-21T10:00:00Z", to: "2026-11-21T09:00:00Z" }, "must be before `to`"],
    [{ to: "1969-12-31T00:00:00Z" }, "must be before `to`"],
    [{ from: "2026-10-01T00:00:00Z" }, "must be at most 744 buckets before the end"],
    [{ from: "2020-01-01T00:00:00Z", bucket: "day" }, "must be at most 744 buckets before the end"],
    [{ from: "0000-01-01T00:00:00Z", bucket: "day" }, "must be at most 744 buckets before the end"],
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
        expect(starts.length).toBeLessThanOrEqual(MAX_BUCKETS);
        expect(starts.every((start) => start % range.bucketMs === 0)).toBe(true);
      }),
    );
  });
});

const range = { from: 10 * HOUR_MS, to: 13 * HOUR_MS, bucketMs: HOUR_MS };

describe("executions in buckets", () => {
  it("are what was counted and what was not counted yet, together", () => {
    const { buckets, total } = executionBuckets(
      range,
      [
        {
          start: 10 * HOUR_MS,
          item: null,
          status: "completed",
          executions: 3,
          creditsConsumed: 12,
          costUsd: 0.1,
        },
        {
          start: 12 * HOUR_MS,
          item: null,
          status: "failed",
          executions: 1,
          creditsConsumed: 2,
          costUsd: 0.2,
        },
      ],
      [
        { executionId: "a", createdAt: 12.5 * HOUR_MS, status: "active", creditsConsumed: 1 },
        {
          executionId: "b",
          createdAt: 10 * HOUR_MS,
          status: "completed",
          creditsConsumed: 5,
          costUsd: 1,
        },
      ],
    );
    expect(buckets.map(({ start }) => start)).toEqual([
      "1970-01-01T10:00:00.000Z",
      "1970-01-01T11:00:00.000Z",
      "1970-01-01T12:00:00.000Z",
    ]);
    expect(buckets.map(({ executions }) => executions.completed)).toEqual([4, 0, 0]);
    expect(buckets[2]?.executions).toMatchObject({ active: 1, failed: 1 });
    expect(buckets.map(({ creditsConsumed }) => creditsConsumed)).toEqual([17, 0, 3]);
    expect(total).toEqual({
      executions: { active: 1, waiting_for_input: 0, completed: 4, failed: 1, stopped: 0 },
      creditsConsumed: 20,
      costUsd: 1.3,
    });
  });
});

const stratum = (changes: Partial<UsageStratum>): UsageStratum => ({
  start: range.from,
  status: "succeeded",
  count: 1,
  sampled: 1,
  toStart: [10],
  toCompletion: [100],
  ...changes,
});

describe("webhooks in buckets", () => {
  it("are those of all inboxes, with the latencies of all", () => {
    const { buckets, total, countedFrom } = webhookBuckets(range, [
      {
        countedFrom: range.from,
        queuedCount: 0,
        overLimit: [{ start: 11 * HOUR_MS, count: 4 }],
        strata: [
          stratum({}),
          stratum({ status: "rejected", sampled: 0, toStart: [], toCompletion: [] }),
        ],
      },
      {
        countedFrom: range.from,
        queuedCount: 0,
        overLimit: [{ start: 11 * HOUR_MS, count: 2 }],
        strata: [stratum({ count: 5, toStart: [30] })],
      },
    ]);
    expect(countedFrom).toBe(range.from);
    expect(buckets).toHaveLength(3);
    expect(buckets[0]?.requests).toMatchObject({ succeeded: 6, rejected: 1 });
    expect(buckets[0]?.latencyMs.toStart).toEqual({ p50: 30, p99: 30 });
    expect(buckets[1]?.latencyMs).toEqual({ toStart: null, toCompletion: null });
    expect(total.requests).toMatchObject({ succeeded: 6, rejected: 1, failed: 0 });
    expect(buckets.map(({ overLimit }) => overLimit)).toEqual([0, 6, 0]);
    expect(total.overLimit).toBe(6);
  });

  it("begin where every inbox could count all", () => {
    const countedFrom = 11.5 * HOUR_MS;
    const { buckets, ...counted } = webhookBuckets(range, [
      {
        countedFrom: range.from,
        queuedCount: 0,
        overLimit: [{ start: 11 * HOUR_MS, count: 2 }],
        strata: [stratum({ count: 7 })],
      },
      { countedFrom, queuedCount: 0, overLimit: [], strata: [stratum({ start: 11 * HOUR_MS })] },
    ]);
    expect(counted.countedFrom).toBe(countedFrom);
    expect(buckets.map(({ requests }) => requests.succeeded)).toEqual([0, 1, 0]);
    expect(counted.total.requests.succeeded).toBe(1);
  });
});

describe("how many latencies are looked at", () => {
  it("is enough for a few buckets, and bounded for many of many endpoints", () => {
    expect(samplesFor(range, 1)).toBe(300);
    const long = { ...range, to: range.from + 744 * HOUR_MS };
    expect(samplesFor(long, 20) * 744 * 20 * 3).toBeLessThan(50_000);
    expect(samplesFor(long, 20)).toBeGreaterThan(0);
    expect(samplesFor(range, 0)).toBe(300);
  });
});

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
