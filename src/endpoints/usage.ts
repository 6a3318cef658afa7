import * as z from "zod";
import type { InboxUsage, InboxUsageQuery, UsageStratum } from "../contract/usage.ts";
import { type RequestStatus, requestStatus } from "../contract/webhooks/log.ts";
import { firstRow, rowsOf } from "../durable/rows.ts";
import { sleep } from "../lib/async.ts";

/** To count them takes the object about 50 ms. */
const MOST_ENTRIES = 250_000;
const STATUSES = requestStatus.options;
/** What was never started has no latency. */
const MEASURED: readonly RequestStatus[] = ["running", "succeeded", "failed"];

const countRow = z.object({ status: requestStatus, count: z.int() });
const placeRow = z.object({ received_at: z.int() });
const latencyRow = z.object({ to_start: z.int().nullable(), to_completion: z.int().nullable() });

/** Counts the log by time and status. Counts are read in an index alone, latencies from a few rows. */
export class UsageCounter {
  readonly #sql: SqlStorage;
  readonly #mostEntries: number;

  constructor(sql: SqlStorage, mostEntries = MOST_ENTRIES) {
    this.#sql = sql;
    this.#mostEntries = mostEntries;
  }

  /** Bucket by bucket, so that requests which arrive meanwhile wait for one at most. */
  async count(query: InboxUsageQuery): Promise<Pick<InboxUsage, "countedFrom" | "strata">> {
    const countedFrom = this.#countedFrom(query);
    const strata: UsageStratum[] = [];
    for (let start = query.from; start < query.to; start += query.bucketMs) {
      const end = start + query.bucketMs;
      if (end <= countedFrom) continue;
      const found = this.#bucket(Math.max(start, countedFrom), end, query.samples);
      if (found.length === 0) continue;
      strata.push(...found.map((one) => ({ start, ...one })));
      await sleep(0);
    }
    return { countedFrom, strata };
  }

  #bucket(from: number, to: number, samples: number): Omit<UsageStratum, "start">[] {
    // With the statuses named, the index on status and time has all that is asked for.
    const query = `SELECT status, count(*) AS count FROM requests
      WHERE status IN (SELECT value FROM json_each(?)) AND received_at >= ? AND received_at < ?
      GROUP BY status`;
    const rows = rowsOf(this.#sql, countRow, query, JSON.stringify(STATUSES), from, to);
    return rows.map((row) => ({ ...row, ...this.#latencies(row.status, from, to, samples) }));
  }

  #latencies(status: RequestStatus, from: number, to: number, samples: number) {
    const query = `SELECT to_start, to_completion FROM requests
      WHERE status = ? AND received_at >= ? AND received_at < ? ORDER BY received_at DESC LIMIT ?`;
    const rows = MEASURED.includes(status)
      ? rowsOf(this.#sql, latencyRow, query, status, from, to, samples)
      : [];
    return {
      sampled: rows.length,
      toStart: rows.flatMap(({ to_start }) => to_start ?? []),
      toCompletion: rows.flatMap(({ to_completion }) => to_completion ?? []),
    };
  }

  #countedFrom({ from, to }: InboxUsageQuery): number {
    const query = `SELECT received_at FROM requests WHERE received_at >= ? AND received_at < ?
      ORDER BY received_at DESC LIMIT 1 OFFSET ?`;
    const row = firstRow(this.#sql, placeRow, query, from, to, this.#mostEntries);
    return row === null ? from : row.received_at + 1;
  }
}
