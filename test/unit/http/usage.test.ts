import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UsageStratum } from "../../../src/contract/usage.ts";
import { HttpProblem } from "../../../src/http/problem.ts";
import {
  executionBuckets,
  MAX_BUCKETS,
  rangeOf,
  startsOf,
  usageQuery,
  webhookBuckets,
} from "../../../src/http/usage.ts";

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
  ])("consists of whole buckets, and ends no later than now: %j", (query, from, to) => {
    expect(read(query)).toMatchObject({ from, to });
  });

  it("is in UTC for times of any zone", () => {
    // Still the 20th in New York, already the 21st in UTC.
    const query = { bucket: "day", from: "2026-11-20T23:30:00-05:00" };
    expect(read(query).from).toBe("2026-11-21T00:00:00.000Z");
    const inIndia = { from: "2026-11-21T10:45:00+05:30", to: "2026-11-21T11:15:00+05:30" };
    expect(read(inIndia)).toMatchObject({
      from: "2026-11-21T05:00:00.000Z",
      to: "2026-11-21T06:00:00.000Z",
    });
  });

  it.each([
    [{ from: "2026-11-21T11:00:00Z" }, "must be before `to`"],
    [{ from: "2026-11-21T10:00:00Z", to: "2026-11-21T10:00:00Z" }, "must be before `to`"],
    [{ to: "1969-12-31T00:00:00Z" }, "must be before `to`"],
    [{ from: "2026-10-01T00:00:00Z" }, "must be at most 744 buckets before the end"],
    [{ from: "2020-01-01T00:00:00Z", bucket: "day" }, "must be at most 744 buckets before the end"],
    [{ from: "0000-01-01T00:00:00Z", bucket: "day" }, "must be at most 744 buckets before the end"],
  ])("rejects %j with the reason", (query, message) => {
    const reading = () => read(query);
    expect(reading).toThrow(HttpProblem);
    expect(reading).toThrow(message);
  });

  it("always covers the requested range, in a limited number of buckets", () => {
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
  it("are counted in their buckets and in the totals", () => {
    const completed = { executions: 3, creditsConsumed: 12, costUsd: 0.1 };
    const failed = { executions: 1, creditsConsumed: 2, costUsd: 0.2 };
    const { buckets, total } = executionBuckets(range, [
      { start: 10 * HOUR_MS, item: null, status: "completed", ...completed },
      { start: 12 * HOUR_MS, item: null, status: "failed", ...failed },
    ]);
    expect(buckets.map(({ start }) => start)).toEqual([
      "1970-01-01T10:00:00.000Z",
      "1970-01-01T11:00:00.000Z",
      "1970-01-01T12:00:00.000Z",
    ]);
    expect(buckets.map(({ executions }) => executions.completed)).toEqual([3, 0, 0]);
    expect(buckets[2]?.executions).toMatchObject({ active: 0, failed: 1 });
    expect(buckets.map(({ creditsConsumed }) => creditsConsumed)).toEqual([12, 0, 2]);
    expect(total).toEqual({
      executions: { active: 0, waiting_for_input: 0, completed: 3, failed: 1, stopped: 0 },
      creditsConsumed: 14,
      costUsd: 0.3,
    });
  });
});

const stratum = (changes: Partial<UsageStratum>): UsageStratum => ({
  start: range.from,
  status: "succeeded",
  count: 1,
  ...changes,
});

/** An inbox that counts from the beginning of the range. */
const inboxOf = (strata: UsageStratum[], overLimit = 0) => ({
  countedFrom: range.from,
  queuedCount: 0,
  overLimit: [{ start: 11 * HOUR_MS, count: overLimit }],
  strata,
});

describe("webhooks in buckets", () => {
  it("add up all inboxes", () => {
    const { buckets, total, countedFrom } = webhookBuckets(range, [
      inboxOf([stratum({}), stratum({ status: "rejected" })], 4),
      inboxOf([stratum({ count: 5 })], 2),
    ]);
    expect(countedFrom).toBe(range.from);
    expect(buckets).toHaveLength(3);
    expect(buckets[0]?.requests).toMatchObject({ succeeded: 6, rejected: 1 });
    expect(total.requests).toMatchObject({ succeeded: 6, rejected: 1, failed: 0 });
    expect(buckets.map(({ overLimit }) => overLimit)).toEqual([0, 6, 0]);
    expect(total.overLimit).toBe(6);
  });

  it("begin where every inbox has full counts", () => {
    const countedFrom = 11.5 * HOUR_MS;
    const { buckets, ...counted } = webhookBuckets(range, [
      inboxOf([stratum({ count: 7 })], 2),
      { ...inboxOf([stratum({ start: 11 * HOUR_MS })]), countedFrom },
    ]);
    expect(counted.countedFrom).toBe(countedFrom);
    expect(buckets.map(({ requests }) => requests.succeeded)).toEqual([0, 1, 0]);
    expect(counted.total.requests.succeeded).toBe(1);
  });
});
