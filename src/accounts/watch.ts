import * as z from "zod";
import type { SessionHostApi } from "../contract/session.ts";
import type { TableSql } from "../durable/rows.ts";
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
 * Looks after executions that have not reported in time: the platform may have dropped the alarm of their
 * host, which it does after six failures.
 */
export class Watch {
  readonly #sql: TableSql;
  readonly #hostOf: (accountId: string, executionId: string) => Pick<SessionHostApi, "lookAfter">;

  constructor(
    sql: TableSql,
    hostOf: (accountId: string, executionId: string) => Pick<SessionHostApi, "lookAfter">,
  ) {
    this.#sql = sql;
    this.#hostOf = hostOf;
  }

  /**
   * Wakes the hosts of silent executions, with one call each, until a time in epoch milliseconds. Returns
   * the executions that their hosts do not know.
   */
  async lookAfterSilent(accountId: string, until: number): Promise<string[]> {
    const bySlot = Map.groupBy(this.#silent(Date.now()), slotOf);
    const unknown = await mapConcurrently(CALLS_AT_ONCE, [...bySlot.values()], (executionIds) =>
      Date.now() < until ? this.#lookAfter(accountId, executionIds) : Promise.resolve([]),
    );
    return unknown.flat();
  }

  async #lookAfter(accountId: string, executionIds: string[]): Promise<string[]> {
    const [first] = executionIds;
    if (first === undefined) return [];
    try {
      const call = this.#hostOf(accountId, first).lookAfter(executionIds);
      return await within("the host", CALL_TIMEOUT_MS, call);
    } catch (error) {
      logWarning("executions not looked after", { accountId, executionId: first }, error);
      return [];
    }
  }

  /** Returns the live executions that have been silent for too long. */
  #silent(now: number): string[] {
    return this.#sql
      .exec(
        `SELECT execution_id FROM executions WHERE used IS NULL
           AND row ->> 'updatedAt' < CASE row ->> 'status' WHEN 'active' THEN ? ELSE ? END`,
        new Date(now - ACTIVE_MS).toISOString(),
        new Date(now - WAITING_MS).toISOString(),
      )
      .toArray()
      .map((row) => idRow.parse(row).execution_id);
  }
}
