import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATTEMPT_OFFSETS, afterAttempt, CALLBACK_PLAN } from "../../../src/deliveries/schedule.ts";

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
  const now = eventAt + (ATTEMPT_OFFSETS[attempt - 1] ?? 0);
  return afterAttempt({ attempt, eventAt, now, report, random, plan: CALLBACK_PLAN });
}

describe("afterAttempt", () => {
  it.each([200, 201, 204, 299])("takes %i as delivered", (status) => {
    expect(verdict(1, answered(status))).toEqual({ kind: "delivered" });
  });

  it("ends at 410, since the receiver wants no more", () => {
    expect(verdict(1, answered(410))).toEqual({ kind: "failed" });
  });

  it.each([100, 199, 300, 302, 308, 400, 401, 404, 429, 500, 503])(
    "tries again after %i",
    (status) => {
      expect(verdict(1, answered(status)).kind).toBe("retry");
    },
  );

  it("tries again when no answer came", () => {
    expect(verdict(1, silence)).toEqual({ kind: "retry", at: eventAt + 5 * SECOND });
  });

  it("counts the whole schedule from the event", () => {
    const due = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => verdict(attempt, silence));
    const offsets = [5 * SECOND, 5 * MINUTE, 30 * MINUTE].concat(
      [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
    );
    expect(due).toEqual(offsets.map((offset) => ({ kind: "retry", at: eventAt + offset })));
  });

  it("gives up after the tenth attempt", () => {
    expect(verdict(10, silence)).toEqual({ kind: "failed" });
  });

  it("takes a mail that was sent, which has no status, as delivered", () => {
    const sent = { status: null, error: null, retryAfterMs: null };
    expect(verdict(1, sent)).toEqual({ kind: "delivered" });
  });

  it("still delivers at the tenth attempt", () => {
    expect(verdict(10, answered(200))).toEqual({ kind: "delivered" });
  });

  it("adds at most a tenth of the gap, only later, and keeps the attempts in order", () => {
    const attempts = fc.integer({ min: 1, max: 9 });
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempts, chance, (attempt, random) => {
        const result = verdict(attempt, silence, random);
        const previous = ATTEMPT_OFFSETS[attempt - 1] ?? 0;
        const offset = ATTEMPT_OFFSETS[attempt] ?? 0;
        const following = ATTEMPT_OFFSETS[attempt + 1] ?? Number.POSITIVE_INFINITY;
        const late = result.kind === "retry" ? result.at - eventAt - offset : Number.NaN;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual((offset - previous) / 10);
        expect(offset + late).toBeLessThan(following);
      }),
    );
  });

  it("waits as long as Retry-After asks", () => {
    const asked = verdict(1, answered(429, 90 * SECOND));
    expect(asked).toEqual({ kind: "retry", at: eventAt + 90 * SECOND });
  });

  it("is not hurried by a Retry-After that ends before the schedule's time", () => {
    expect(verdict(2, answered(503, SECOND))).toEqual({ kind: "retry", at: eventAt + 5 * MINUTE });
  });

  it("honours Retry-After up to 24 hours", () => {
    const asked = verdict(1, answered(503, 30 * 24 * HOUR));
    expect(asked).toEqual({ kind: "retry", at: eventAt + 24 * HOUR });
  });

  it("spaces the rest of the schedule when it already lies in the past", () => {
    const now = eventAt + 24 * HOUR;
    const common = { eventAt, now, report: silence, random: 0, plan: CALLBACK_PLAN };
    const result = afterAttempt({ attempt: 2, ...common });
    expect(result).toEqual({ kind: "retry", at: now + (5 * MINUTE - 5 * SECOND) / 2 });
    const later = afterAttempt({ attempt: 6, ...common });
    expect(later).toEqual({ kind: "retry", at: now + 5 * MINUTE });
  });
});
