import * as z from "zod";
import { rowsOf, type TableSql } from "../durable/rows.ts";
import { slotHostStub } from "../durable/stubs.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { slotOf } from "../lib/execution-id.ts";
import { logWarning } from "../lib/log.ts";

/** How often an account with live executions looks for silent ones. */
export const WATCH_INTERVAL_MS = 15 * 60_000;
/** An active execution reports its steps; a model call, the longest that it waits for, takes ten minutes. */
const ACTIVE_MS = 15 * 60_000;
/** One that waits for input has nothing to report. */
const WAITING_MS = 6 * 3_600_000;
const CALLS_AT_ONCE = 8;
const CALL_TIMEOUT_MS = 10_000;

const idRow = z.object({ execution_id: z.string() });

/**
 * Wakes the hosts of executions that have not reported in time, with one call each, until a time in epoch
 * milliseconds: the platform may have dropped the alarm of their host, which it does after six failures.
 * Returns the executions that their hosts do not know.
 */
export async function lookAfterSilent(
  { env, storage: { sql } }: { env: CloudflareEnv; storage: { sql: TableSql } },
  accountId: string,
  until: number,
): Promise<string[]> {
  const bySlot = Map.groupBy(silentIn(sql, Date.now()), slotOf);
  const unknown = await mapConcurrently(CALLS_AT_ONCE, [...bySlot], async ([slot, silent]) => {
    if (Date.now() >= until) return [];
    try {
      const call = slotHostStub(env, accountId, slot).lookAfter(silent);
      return await within("the host", CALL_TIMEOUT_MS, call);
    } catch (error) {
      logWarning("executions not looked after", { accountId, executionId: silent[0] }, error);
      return [];
    }
  });
  return unknown.flat();
}

/** Returns the live executions that have been silent for too long. */
function silentIn(sql: TableSql, now: number): string[] {
  const query = `SELECT execution_id FROM executions WHERE used IS NULL
    AND row ->> 'updatedAt' < CASE row ->> 'status' WHEN 'active' THEN ? ELSE ? END`;
  const active = new Date(now - ACTIVE_MS).toISOString();
  const waiting = new Date(now - WAITING_MS).toISOString();
  return rowsOf(sql, idRow, query, active, waiting).map((row) => row.execution_id);
}
