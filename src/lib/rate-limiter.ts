/** The window of the rate limits that responses tell callers, in milliseconds. */
export const WINDOW_MS = 60_000;

/** Whether a request is allowed, and what remains of its limit. */
export interface RateDecision {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

interface Bucket {
  at: number;
  count: number;
}

/**
 * Limits requests by an exact sliding window, which never holds more than `limit` of them. Requests of one
 * millisecond share a bucket, so it stays small however high the limit is.
 */
export class RateLimiter {
  readonly #windowMs: number;
  #buckets: Bucket[] = [];
  #first = 0;
  #total = 0;

  constructor(windowMs = WINDOW_MS) {
    this.#windowMs = windowMs;
  }

  /** Counts a request, or as many as one comes to, at `now` (epoch milliseconds) if the limit has room. */
  take(now: number, limit: number, count = 1): RateDecision {
    this.#expire(now);
    const allowed = this.#total + count <= limit;
    if (allowed) this.restore(now, count);
    const oldest = this.#buckets[this.#first]?.at ?? now;
    return {
      allowed,
      remaining: Math.max(0, limit - this.#total),
      resetMs: Math.max(1, oldest + this.#windowMs - now),
    };
  }

  /** Returns the requests of the window. */
  count(now: number): number {
    this.#expire(now);
    return this.#total;
  }

  /** Counts requests that an earlier process allowed. */
  restore(at: number, count: number): void {
    const last = this.#buckets.at(-1);
    // A clock that steps back must not let the window shrink: such requests count at the newest time.
    if (last !== undefined && last.at >= at) last.count += count;
    else this.#buckets.push({ at, count });
    this.#total += count;
  }

  #expire(now: number): void {
    const horizon = now - this.#windowMs;
    for (;;) {
      const bucket = this.#buckets[this.#first];
      if (bucket === undefined || bucket.at > horizon) break;
      this.#total -= bucket.count;
      this.#first += 1;
    }
    if (this.#first > 1_024 && this.#first * 2 > this.#buckets.length) {
      this.#buckets = this.#buckets.slice(this.#first);
      this.#first = 0;
    }
  }
}
