import * as z from "zod";
import type { SessionHostApi } from "../contract/session.ts";
import type { TableSql } from "../durable/storage.ts";
import { mapConcurrently, within } from "../lib/async.ts";

/** The reason that a suspended account's executions show. */
export const SUSPENDED = "The account is suspended.";
const CALLS_AT_ONCE = 8;
const CALL_TIMEOUT_MS = 10_000;

const idRow = z.object({ execution_id: z.string() });

interface Stopping {
  /** Whether an execution waits for its start. */
  isWaiting(executionId: string): boolean;
  hostOf(executionId: string): Pick<SessionHostApi, "stop">;
  /** Epoch milliseconds. */
  until: number;
}

/**
 * Stops the executions of a suspended account that have not ended,
 * Those that wait for their start are stopped as they start.
 */
export async function stopLive(
  sql: TableSql,
  { isWaiting, hostOf, until }: Stopping,
): Promise<void> {
  const live = sql
    .exec("SELECT execution_id FROM executions WHERE used IS NULL")
    .toArray()
    .map((row) => idRow.parse(row).execution_id)
    .filter((executionId) => !isWaiting(executionId));
  const command = { reason: SUSPENDED, ifVersion: null };
  await mapConcurrently(CALLS_AT_ONCE, live, async (executionId) => {
    if (Date.now() >= until) return;
    await within("the host", CALL_TIMEOUT_MS, hostOf(executionId).stop(executionId, command));
  });
}
