import type { DeliveryReport } from "../contract/callbacks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When the attempts of a delivery are made, and which answers end it. */
interface Plan {
  /** When each attempt is due, in milliseconds after the event. */
  offsets: readonly number[];
  /** The longest delay that a receiver can request by `Retry-After`. */
  longestRetryAfter: number;
  final: readonly number[];
}

export const CALLBACK_PLAN: Plan = {
  offsets: [
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  longestRetryAfter: 24 * HOUR,
  final: [410],
};

/** Events of MCP subscriptions: with the longest jitter, the last attempt is within 15 minutes. */
export const EVENT_PLAN: Plan = {
  offsets: [0, 5 * SECOND, MINUTE, 5 * MINUTE, 14 * MINUTE],
  longestRetryAfter: MINUTE,
  final: [410, 413],
};

/** The largest random delay, as a part of the gap before the attempt. */
const JITTER = 0.1;

/** The consequence of an attempt. Times are epoch milliseconds. */
type AfterAttempt = { kind: "delivered" | "failed" } | { kind: "retry"; at: number };

interface FinishedAttempt {
  /** Counts from 1. */
  attempt: number;
  eventAt: number;
  now: number;
  report: Pick<DeliveryReport, "status" | "error" | "retryAfterMs">;
  /** In [0, 1). */
  random: number;
  plan: Plan;
}

/**
 * Decides the consequence of an attempt: 2xx delivers the callback, 410 ends its delivery, and anything
 * else, redirects too, is retried on schedule until the last attempt.
 */
export function afterAttempt(finished: FinishedAttempt): AfterAttempt {
  const { now, report, plan } = finished;
  const { status, error } = report;
  // An e-mail that was sent has no status.
  const isSuccess = status === null ? error === null : status >= 200 && status < 300;
  if (isSuccess) return { kind: "delivered" };
  const isRefused = status !== null && plan.final.includes(status);
  const due = isRefused ? null : nextDue(finished);
  if (due === null) return { kind: "failed" };
  const asked = now + Math.min(Math.max(report.retryAfterMs ?? 0, 0), plan.longestRetryAfter);
  return { kind: "retry", at: Math.max(due, asked) };
}

/** Returns when the next attempt is due, or null after the last. */
function nextDue({ attempt, eventAt, now, random, plan }: FinishedAttempt): number | null {
  const offset = plan.offsets[attempt];
  const previous = plan.offsets[attempt - 1];
  if (offset === undefined || previous === undefined) return null;
  const gap = offset - previous;
  const planned = eventAt + offset + Math.floor(gap * JITTER * random);
  // A slow receiver, a long Retry-After or our own outage can leave several attempts in the past. The
  // spacing keeps them from reaching the receiver in one burst.
  const spacing = Math.min(gap / 2, 5 * MINUTE);
  return Math.max(planned, now + spacing);
}

/** What failed since the last success. Times are epoch milliseconds. */
interface Failing {
  since: number;
  lastAt: number;
  attempts: number;
}

/** A destination is disabled after so long without a success, if the failures are spread and many. */
const DISABLED_AFTER_MS = 5 * 24 * HOUR;
const LEAST_SPREAD_MS = 12 * HOUR;
const LEAST_ATTEMPTS = 10;

/** Counts an attempt that failed. */
export function failedOnce(before: Failing | null, now: number): Failing {
  return { since: before?.since ?? now, lastAt: now, attempts: (before?.attempts ?? 0) + 1 };
}

/** Whether a destination has failed for so long that it is disabled. */
export function isGivenUp({ since, lastAt, attempts }: Failing, now: number): boolean {
  const isSpread = lastAt - since >= LEAST_SPREAD_MS;
  return now - since >= DISABLED_AFTER_MS && isSpread && attempts >= LEAST_ATTEMPTS;
}
