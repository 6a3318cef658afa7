const HOUR_MS = 3_600_000;

/** What failed since the last success. Times are epoch milliseconds. */
interface Failing {
  since: number;
  lastAt: number;
  attempts: number;
}

/** A destination is disabled after so long without a success, if the failures are spread and many. */
const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;
const LEAST_SPREAD_MS = 12 * HOUR_MS;
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
