import * as z from "zod";
import type { RateClass, RateState } from "../contract/account.ts";
import { SlidingWindow, WINDOW_MS } from "../lib/sliding-window.ts";

/** Requests per minute of the management routes. */
export const MANAGEMENT_LIMIT = 600;

const rateRow = z.object({
  rate_class: z.enum(["agent", "management"]),
  second: z.number(),
  count: z.number(),
});

/**
 * Counts an account's requests. Memory is exact; once a second the counts are written down by the
 * second, so that a restart of the object does not open the window anew. What was counted in a second
 * then counts as if it had come at its end: never too little.
 */
export class Meter {
  readonly #sql: SqlStorage;
  readonly #windows: Record<RateClass, SlidingWindow> = {
    agent: new SlidingWindow(),
    management: new SlidingWindow(),
  };
  readonly #unsaved = new Map<string, { rateClass: RateClass; second: number; count: number }>();

  constructor(sql: SqlStorage, now: number) {
    this.#sql = sql;
    const since = Math.floor((now - WINDOW_MS) / 1_000);
    const rows = sql
      .exec("SELECT rate_class, second, count FROM rate WHERE second >= ? ORDER BY second", since)
      .toArray();
    for (const row of rows) {
      const { rate_class, second, count } = rateRow.parse(row);
      this.#windows[rate_class].add(Math.min(second * 1_000 + 999, now), count);
    }
  }

  /** Counts a request if its limit has room. */
  take(rateClass: RateClass, limit: number, now: number): { allowed: boolean; rate: RateState } {
    const { allowed, remaining, resetMs } = this.#windows[rateClass].take(now, limit);
    if (allowed) this.#note(rateClass, Math.floor(now / 1_000));
    const resetSeconds = Math.ceil(resetMs / 1_000);
    return { allowed, rate: { rateClass, limit, remaining, resetSeconds } };
  }

  /** Whether there are counts to write down. */
  get unsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  flush(now: number): void {
    for (const { rateClass, second, count } of this.#unsaved.values()) {
      this.#sql.exec(
        `INSERT INTO rate (rate_class, second, count) VALUES (?, ?, ?)
         ON CONFLICT (rate_class, second) DO UPDATE SET count = count + excluded.count`,
        rateClass,
        second,
        count,
      );
    }
    this.#unsaved.clear();
    this.#sql.exec("DELETE FROM rate WHERE second < ?", Math.floor((now - 2 * WINDOW_MS) / 1_000));
  }

  #note(rateClass: RateClass, second: number): void {
    const name = `${rateClass}:${second}`;
    const entry = this.#unsaved.get(name);
    if (entry === undefined) this.#unsaved.set(name, { rateClass, second, count: 1 });
    else entry.count += 1;
  }
}
