import fc from "fast-check";
import { expect, it } from "vitest";
import {
  afterAttempt,
  CALLBACK_PLAN,
  failedOnce,
  isGivenUp,
} from "../../../src/deliveries/schedule.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const eventAt = Date.parse("2026-11-21T10:00:00.000Z");

const answered = (status: number, retryAfterMs: number | null = null) => ({
  status,
  error: `It answered ${status}.`,
  retryAfterMs,
});
const silence = { status: null, error: "The connection failed.", retryAfterMs: null };

/** The verdict on an attempt that was made when it was due and took no time. */
function verdict(
  attempt: number,
  report: Parameters<typeof afterAttempt>[0]["report"],
  random = 0,
) {
  const now = eventAt + (CALLBACK_PLAN.offsets[attempt - 1] ?? 0);
  return afterAttempt({ attempt, eventAt, now, report, random, plan: CALLBACK_PLAN });
}

it.each([
  [200, 1, "delivered"],
  [299, 1, "delivered"],
  [200, 10, "delivered"],
  [199, 1, "retry"],
  [300, 1, "retry"],
  [404, 1, "retry"],
  [429, 1, "retry"],
  [503, 1, "retry"],
  // The receiver wants no more.
  [410, 1, "failed"],
  [503, 10, "failed"],
])("treats %i at attempt %i as %s", (status, attempt, kind) => {
  expect(verdict(attempt, answered(status)).kind).toBe(kind);
});

it("counts the whole schedule from the event", () => {
  const due = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => verdict(attempt, silence));
  const offsets = [5 * SECOND, 5 * MINUTE, 30 * MINUTE].concat(
    [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
  );
  expect(due).toEqual(offsets.map((offset) => ({ kind: "retry", at: eventAt + offset })));
});

it("treats a sent e-mail without a status as delivered", () => {
  const sent = { status: null, error: null, retryAfterMs: null };
  expect(verdict(1, sent)).toEqual({ kind: "delivered" });
});

it("adds a delay of at most a tenth of the gap, and keeps the attempts in order", () => {
  const attempts = fc.integer({ min: 1, max: 9 });
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(attempts, chance, (attempt, random) => {
      const result = verdict(attempt, silence, random);
      const previous = CALLBACK_PLAN.offsets[attempt - 1] ?? 0;
      const offset = CALLBACK_PLAN.offsets[attempt] ?? 0;
      const following = CALLBACK_PLAN.offsets[attempt + 1] ?? Number.POSITIVE_INFINITY;
      const late = result.kind === "retry" ? result.at - eventAt - offset : Number.NaN;
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual((offset - previous) / 10);
      expect(offset + late).toBeLessThan(following);
    }),
  );
});

it.each([
  ["as long as Retry-After asks", 1, 90 * SECOND, 90 * SECOND],
  ["until the schedule's time where Retry-After ends before", 2, SECOND, 5 * MINUTE],
  ["24 hours at most", 1, 30 * 24 * HOUR, 24 * HOUR],
])("waits %s", (_, attempt, retryAfterMs, wait) => {
  expect(verdict(attempt, answered(503, retryAfterMs))).toEqual({
    kind: "retry",
    at: eventAt + wait,
  });
});

it("spaces out the rest of a schedule that lies in the past", () => {
  const now = eventAt + 24 * HOUR;
  const common = { eventAt, now, report: silence, random: 0, plan: CALLBACK_PLAN };
  const result = afterAttempt({ attempt: 2, ...common });
  expect(result).toEqual({ kind: "retry", at: now + (5 * MINUTE - 5 * SECOND) / 2 });
  const later = afterAttempt({ attempt: 6, ...common });
  expect(later).toEqual({ kind: "retry", at: now + 5 * MINUTE });
});

const DAY = 24 * HOUR;

/** What failed at these times, in milliseconds. */
const failing = (times: number[]) =>
  times.reduce<ReturnType<typeof failedOnce> | null>(failedOnce, null) ?? failedOnce(null, 0);
const hourly = (count: number) => Array.from({ length: count }, (_, n) => n * HOUR);

it.each([
  ["ten failures over five days", [...hourly(9), 5 * DAY], 5 * DAY, true],
  ["ten failures within five days", [...hourly(9), 5 * DAY - 1], 5 * DAY - 1, false],
  ["nine failures over five days", [...hourly(8), 5 * DAY], 5 * DAY, false],
  ["many failures in half a day, and none since", hourly(12), 6 * DAY, false],
  ["many failures over half a day, five days ago", hourly(13), 5 * DAY, true],
])("%s: abandoned is %4$s", (_, times, now, expected) => {
  expect(isGivenUp(failing(times), now)).toBe(expected);
});
