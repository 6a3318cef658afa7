import * as z from "zod";
import type { InboxUsage, UsageRange, UsageStratum } from "../contract/usage.ts";
import { requestStatus } from "../contract/webhooks/log.ts";
import { rowsOf, type TableStorage } from "../durable/rows.ts";
import { sleep } from "../lib/async.ts";
import { BY_STATUS, READY_ITSELF } from "./tables.ts";

/** To count them takes the object about 50 ms. */
const MOST_ENTRIES = 250_000;
const INDEXED_STATUSES = requestStatus.options.filter((status) => status !== "succeeded");

const boundRow = z.object({ received_at: z.int() });
const allRow = z.object({ count: z.int() });
const countRow = allRow.extend({ status: requestStatus });

/** The time of the newest entry that is one too many to be counted. */
const BEYOND = `SELECT received_at FROM requests WHERE received_at >= ? AND received_at < ?
  ORDER BY received_at DESC LIMIT 1 OFFSET ?`;
/** With the statuses named, the index on status and time has all that is asked for, but for what is ready. */
const INDEXED = `SELECT status, sum(count) AS count FROM (
    SELECT status, count(*) AS count FROM requests
    WHERE ${BY_STATUS} AND status IN (SELECT value FROM json_each(?1))
      AND received_at >= ?2 AND received_at < ?3 GROUP BY status
    UNION ALL
    SELECT status, 1 FROM requests
    WHERE ${READY_ITSELF} AND received_at >= ?2 AND received_at < ?3
  ) GROUP BY status`;
/** The index on time has those that succeeded as well. */
const ALL = "SELECT count(*) AS count FROM requests WHERE received_at >= ? AND received_at < ?";

/**
 * Counts the newest entries of the log by time and status, in indexes alone: bucket by bucket, so that requests
 * which arrive meanwhile wait for one at most.
 */
export async function countUsage(
  sql: SqlStorage,
  { from, to, bucketMs }: UsageRange,
  mostEntries = MOST_ENTRIES,
): Promise<Pick<InboxUsage, "countedFrom" | "strata">> {
  const [last] = rowsOf(sql, boundRow, BEYOND, from, to, mostEntries);
  const countedFrom = last === undefined ? from : last.received_at + 1;
  const strata: UsageStratum[] = [];
  for (let start = from; start < to; start += bucketMs) {
    const end = start + bucketMs;
    if (end <= countedFrom) continue;
    const first = Math.max(start, countedFrom);
    const found = countBetween(sql, first, end);
    if (found.length === 0) continue;
    strata.push(...found.map((one) => ({ start, ...one })));
    await sleep(0);
  }
  return { countedFrom, strata };
}

function countBetween(sql: SqlStorage, from: number, to: number): z.infer<typeof countRow>[] {
  const [all = 0] = rowsOf(sql, allRow, ALL, from, to).map(({ count }) => count);
  if (all === 0) return [];
  const counted = rowsOf(sql, countRow, INDEXED, JSON.stringify(INDEXED_STATUSES), from, to);
  const succeeded = all - counted.reduce((sum, { count }) => sum + count, 0);
  return succeeded === 0 ? counted : [...counted, { status: "succeeded", count: succeeded }];
}

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
