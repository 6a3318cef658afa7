import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as z from "zod";
import { type ExecutionStatus, executionStatus } from "../contract/execution.ts";
import type { UsageRange } from "../contract/usage.ts";

/** Executions of one status in one bucket, which begins at `start`. */
export interface ExecutionCount {
  start: number;
  status: ExecutionStatus;
  executions: number;
  creditsConsumed: number;
}

const countRow = z.object({
  countedFrom: z.int(),
  start: z.int(),
  status: executionStatus,
  executions: z.int(),
  creditsConsumed: z.int(),
});

/**
 * Counts an account's executions by the time of their creation and by status, without those in
 * `except`. Of more than `most` the newest are counted, from `countedFrom` on: the database does one
 * thing at a time, and a million rows would take it a second.
 */
export async function countExecutions(
  db: D1Database,
  accountId: string,
  { from, to, bucketMs }: UsageRange,
  { except, most }: { except: readonly string[]; most: number },
): Promise<{ countedFrom: number; counts: ExecutionCount[] }> {
  const rows = await drizzle(db).all(sql`
    WITH bound(at) AS (SELECT coalesce((
      SELECT created_at + 1 FROM executions
      WHERE account_id = ${accountId} AND created_at >= ${from} AND created_at < ${to}
      ORDER BY created_at DESC LIMIT 1 OFFSET ${most}), ${from}))
    SELECT bound.at AS countedFrom, created_at - created_at % ${bucketMs} AS start, status,
      count(*) AS executions, sum(credits_consumed) AS creditsConsumed
    FROM bound, executions
    WHERE account_id = ${accountId} AND created_at >= bound.at AND created_at < ${to}
      AND execution_id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
    GROUP BY start, status`);
  const counts = rows.map((row) => countRow.parse(row));
  return { countedFrom: counts[0]?.countedFrom ?? from, counts };
}
