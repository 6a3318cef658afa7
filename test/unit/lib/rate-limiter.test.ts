import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateLimiter, WINDOW_MS } from "../../../src/lib/rate-limiter.ts";

describe("the sliding window", () => {
  it("frees each slot exactly a minute after it was taken", () => {
    const window = new RateLimiter();
    window.take(0, 2);
    window.take(30_000, 2);
    expect(window.take(WINDOW_MS - 1, 2)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    expect(window.take(WINDOW_MS, 2)).toMatchObject({ allowed: true, remaining: 0 });
    expect(window.take(WINDOW_MS, 2)).toMatchObject({ allowed: false, resetMs: 30_000 });
  });

  it("applies a changed limit", () => {
    const window = new RateLimiter();
    for (let n = 0; n < 5; n += 1) window.take(0, 5);
    expect(window.take(0, 3)).toMatchObject({ allowed: false, remaining: 0 });
    expect(window.take(0, 6)).toMatchObject({ allowed: true, remaining: 0 });
  });
});

/** The definition: the last minute's requests, counted one by one, at a clock that never goes back. */
class Naive {
  #taken: number[] = [];
  #newest = 0;

  take(now: number, limit: number): { allowed: boolean; remaining: number } {
    // What is out of the window stays out, also when the clock then steps back.
    this.#taken = this.#taken.filter((at) => at > now - WINDOW_MS);
    const allowed = this.#taken.length < limit;
    if (allowed) {
      this.#newest = this.#taken.length === 0 ? now : Math.max(this.#newest, now);
      this.#taken.push(this.#newest);
    }
    return { allowed, remaining: Math.max(0, limit - this.#taken.length) };
  }
}

it("agrees with counting one by one, even when the clock steps back", () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 9, arbitrary: fc.nat(20_000) },
      { weight: 1, arbitrary: fc.integer({ min: -30_000, max: 90_000 }) },
    ),
    { maxLength: 200, size: "max" },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (gaps, limit) => {
      const window = new RateLimiter();
      const naive = new Naive();
      let now = 1_000_000;
      for (const gap of gaps) {
        now += gap;
        expect(window.take(now, limit)).toMatchObject(naive.take(now, limit));
      }
    }),
  );
});

it("stays correct after its buckets are compacted", () => {
  const window = new RateLimiter();
  for (let now = 0; now < 200_000; now += 7) expect(window.take(now, 1_000_000).allowed).toBe(true);
  const { remaining } = window.take(200_000, 1_000_000);
  const inWindow = Array.from({ length: Math.ceil(200_000 / 7) }, (_, n) => n * 7).filter(
    (at) => at > 200_000 - WINDOW_MS,
  );
  expect(remaining).toBe(1_000_000 - inWindow.length - 1);
});
