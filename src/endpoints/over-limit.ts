import * as z from "zod";
import type { UsageRange } from "../contract/usage.ts";
import type { TableStorage } from "../durable/storage.ts";

const KEY = "over_limit";
const HOUR_MS = 3_600_000;
/** Usage is asked for at most this many buckets back. */
const KEPT_HOURS = 744;
const FLUSH_INTERVAL_MS = 10_000;

const stored = z.record(z.string(), z.int()).catch({});

/**
 * Counts requests beyond a rate limit by the hour. They cost no row each: all counts are one value, stored
 * at most every 10 s, so a crash loses those of the last seconds.
 */
export class OverLimit {
  readonly #kv: TableStorage["kv"];
  #unsaved = new Map<number, number>();
  #isFlushing = false;

  constructor(kv: TableStorage["kv"]) {
    this.#kv = kv;
  }

  add(count: number, now: number): void {
    if (count === 0) return;
    const hour = now - (now % HOUR_MS);
    this.#unsaved.set(hour, (this.#unsaved.get(hour) ?? 0) + count);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setTimeout(() => {
      this.#isFlushing = false;
      this.flush();
    }, FLUSH_INTERVAL_MS);
  }

  /** Stores the counts, the newest hours only. */
  flush(): void {
    if (this.#unsaved.size === 0) return;
    const hours = [...this.#all()].sort(([a], [b]) => b - a).slice(0, KEPT_HOURS);
    this.#kv.put(KEY, Object.fromEntries(hours));
    this.#unsaved.clear();
  }

  /** Returns the counts of a range of time by bucket, without empty ones. */
  count({ from, to, bucketMs }: UsageRange): { start: number; count: number }[] {
    const buckets = new Map<number, number>();
    for (const [hour, count] of this.#all()) {
      if (hour < from || hour >= to) continue;
      const start = hour - ((hour - from) % bucketMs);
      buckets.set(start, (buckets.get(start) ?? 0) + count);
    }
    return [...buckets].map(([start, count]) => ({ start, count }));
  }

  #all(): Map<number, number> {
    const counts = new Map(
      Object.entries(stored.parse(this.#kv.get(KEY) ?? {})).map(([at, n]) => [Number(at), n]),
    );
    for (const [hour, count] of this.#unsaved) counts.set(hour, (counts.get(hour) ?? 0) + count);
    return counts;
  }
}
