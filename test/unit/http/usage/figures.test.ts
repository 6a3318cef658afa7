import { describe, expect, it } from "vitest";
import type { UsageStratum } from "../../../../src/contract/usage.ts";
import { executionBuckets } from "../../../../src/http/usage/figures.ts";
import { samplesFor, webhookBuckets } from "../../../../src/http/usage/webhook-figures.ts";

const HOUR_MS = 3_600_000;
const range = { from: 10 * HOUR_MS, to: 13 * HOUR_MS, bucketMs: HOUR_MS };

describe("executions in buckets", () => {
  it("are what was counted and what was not counted yet, together", () => {
    const { buckets, total } = executionBuckets(
      range,
      [
        { start: 10 * HOUR_MS, status: "completed", executions: 3, creditsConsumed: 12 },
        { start: 12 * HOUR_MS, status: "failed", executions: 1, creditsConsumed: 2 },
      ],
      [
        { executionId: "a", createdAt: 12.5 * HOUR_MS, status: "active", creditsConsumed: 1 },
        { executionId: "b", createdAt: 10 * HOUR_MS, status: "completed", creditsConsumed: 5 },
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
        strata: [
          stratum({}),
          stratum({ status: "rejected", sampled: 0, toStart: [], toCompletion: [] }),
        ],
      },
      { countedFrom: range.from, queuedCount: 0, strata: [stratum({ count: 5, toStart: [30] })] },
    ]);
    expect(countedFrom).toBe(range.from);
    expect(buckets).toHaveLength(3);
    expect(buckets[0]?.requests).toMatchObject({ succeeded: 6, rejected: 1 });
    expect(buckets[0]?.latencyMs.toStart).toEqual({ p50: 30, p99: 30 });
    expect(buckets[1]?.latencyMs).toEqual({ toStart: null, toCompletion: null });
    expect(total.requests).toMatchObject({ succeeded: 6, rejected: 1, failed: 0 });
  });

  it("begin where every inbox could count all", () => {
    const countedFrom = 11.5 * HOUR_MS;
    const { buckets, ...counted } = webhookBuckets(range, [
      { countedFrom: range.from, queuedCount: 0, strata: [stratum({ count: 7 })] },
      { countedFrom, queuedCount: 0, strata: [stratum({ start: 11 * HOUR_MS })] },
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
