import * as z from "zod";
import type { InboxUsage, UsageRange, UsageStratum } from "../contract/usage.ts";
import { requestStatus } from "../contract/webhooks/log.ts";
import { Tables } from "../durable/rows.ts";
import { sleep } from "../lib/async.ts";

/** To count them takes the object about 50 ms. */
const MOST_ENTRIES = 250_000;
const STATUSES = requestStatus.options;

const countRow = z.object({ status: requestStatus, count: z.int() });
const placeRow = z.object({ received_at: z.int() });

/** Counts the log by time and status. Counts are read in an index alone. */
export class UsageCounter extends Tables {
  readonly #mostEntries: number;

  constructor(sql: SqlStorage, mostEntries = MOST_ENTRIES) {
    super(sql);
    this.#mostEntries = mostEntries;
  }

  /** Bucket by bucket, so that requests which arrive meanwhile wait for one at most. */
  async count(query: UsageRange): Promise<Pick<InboxUsage, "countedFrom" | "strata">> {
    const countedFrom = this.#countedFrom(query);
    const strata: UsageStratum[] = [];
    for (let start = query.from; start < query.to; start += query.bucketMs) {
      const end = start + query.bucketMs;
      if (end <= countedFrom) continue;
      const found = this.#bucket(Math.max(start, countedFrom), end);
      if (found.length === 0) continue;
      strata.push(...found.map((one) => ({ start, ...one })));
      await sleep(0);
    }
    return { countedFrom, strata };
  }

  #bucket(from: number, to: number): Omit<UsageStratum, "start">[] {
    // With the statuses named, the index on status and time has all that is asked for.
    const query = `SELECT status, count(*) AS count FROM requests
      WHERE status IN (SELECT value FROM json_each(?)) AND received_at >= ? AND received_at < ?
      GROUP BY status`;
    return this.rows(countRow, query, JSON.stringify(STATUSES), from, to);
  }

  #countedFrom({ from, to }: UsageRange): number {
    const query = `SELECT received_at FROM requests WHERE received_at >= ? AND received_at < ?
      ORDER BY received_at DESC LIMIT 1 OFFSET ?`;
    const row = this.first(placeRow, query, from, to, this.#mostEntries);
    return row === null ? from : row.received_at + 1;
  }
}
