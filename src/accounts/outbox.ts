import * as z from "zod";
import type { ListPosition, ListQuery } from "../contract/account.ts";
import { type ExecutionRow, executionRow, executionStatus } from "../contract/execution.ts";
import type { UncountedExecution, UsageRange } from "../contract/usage.ts";
import { backoffMs, within } from "../lib/async.ts";
import { logError, logWarning } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { ROWS_PER_BATCH, upsertExecutions } from "../records/executions.ts";

/** Lists show a row from here for a while after D1 has it: one that is being read may miss it there. */
const OVERLAP_MS = 60_000;
/** D1 takes the ids as one parameter of at most 2 MB. */
const MAX_UNCOUNTED = 10_000;

const uncountedRow = z
  .object({
    execution_id: z.string(),
    created_at: z.int(),
    status: executionStatus,
    credits: z.int(),
  })
  .transform(({ execution_id: executionId, created_at: createdAt, status, credits }) => {
    return { executionId, createdAt, status, creditsConsumed: credits };
  });
const waitingRow = z
  .object({ execution_id: z.string(), version: z.number(), row: z.string() })
  .transform(({ execution_id: executionId, version, row }) => {
    return { executionId, version, row: executionRow.parse(JSON.parse(row)) };
  });
type WaitingRow = z.infer<typeof waitingRow>;
type Stored = Record<string, SqlStorageValue>;

/**
 * The rows of an account that D1 may not have yet, at least as new as those in D1. A row that cannot be
 * read stays and is skipped.
 */
export class RowOutbox {
  readonly #sql: SqlStorage;
  /** Unreadable rows that were logged: they would be logged four times a second. */
  readonly #logged = new Set<string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the rows that pass the filters, the newest first, after the query's cursor. */
  page(query: ListQuery, limit: number): ExecutionRow[] {
    const { cursor, createdAfter, createdBefore, workflowId } = query;
    const position: ListPosition = cursor ?? {
      createdAt: Number.MAX_SAFE_INTEGER,
      executionId: "",
    };
    const select = (most: number) =>
      this.#sql
        .exec(
          `SELECT execution_id, version, row FROM executions
           WHERE row IS NOT NULL AND (created_at, execution_id) < (?1, ?2)
             AND created_at > ?3 AND created_at < ?4
             AND (?5 = '[]' OR row ->> 'status' IN (SELECT value FROM json_each(?5)))
             AND (?6 = '[]' OR row ->> 'origin' IN (SELECT value FROM json_each(?6)))
             AND (?7 IS NULL OR row ->> 'workflowId' = ?7)
           ORDER BY created_at DESC, execution_id DESC LIMIT ?8`,
          position.createdAt,
          position.executionId,
          createdAfter ?? -1,
          createdBefore ?? Number.MAX_SAFE_INTEGER,
          JSON.stringify(query.statuses),
          JSON.stringify(query.origins),
          workflowId,
          most,
        )
        .toArray();
    return this.#read(limit, select).map(({ row }) => row);
  }

  /** Returns which of these executions have their row here. */
  among(executionIds: readonly string[]): Set<string> {
    const found = this.#sql
      .exec(
        `SELECT execution_id FROM executions
         WHERE row IS NOT NULL AND execution_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(executionIds),
      )
      .toArray();
    return new Set(
      found.map((item) => z.object({ execution_id: z.string() }).parse(item).execution_id),
    );
  }

  /** Returns the executions of a time range whose current row D1 does not have, the newest first. */
  uncounted({ from, to }: UsageRange): UncountedExecution[] {
    const items = this.#sql
      .exec(
        `SELECT execution_id, created_at, row ->> 'status' AS status,
           row ->> 'creditsConsumed' AS credits
         FROM executions
         WHERE row IS NOT NULL AND version > projected AND created_at >= ? AND created_at < ?
         ORDER BY created_at DESC LIMIT ?`,
        from,
        to,
        MAX_UNCOUNTED,
      )
      .toArray();
    return readableRows(items, (item) => uncountedRow.parse(item), this.#logUnreadable);
  }

  /** Returns rows that D1 does not have yet, the oldest first. */
  pending(limit: number): WaitingRow[] {
    return this.#read(limit, (most) =>
      this.#sql
        .exec(
          `SELECT execution_id, version, row FROM executions
           WHERE row IS NOT NULL AND version > projected ORDER BY created_at, execution_id LIMIT ?`,
          most,
        )
        .toArray(),
    );
  }

  /** Marks versions that D1 has. */
  confirm(rows: readonly { executionId: string; version: number }[], now: number): void {
    for (const { executionId, version } of rows) {
      this.#sql.exec(
        "UPDATE executions SET projected = max(projected, ?), projected_at = ? WHERE execution_id = ?",
        version,
        now,
        executionId,
      );
    }
    this.prune(now);
  }

  /** Removes the rows that D1 has had for a while. */
  prune(now: number): void {
    this.#sql.exec(
      `UPDATE executions SET row = NULL
       WHERE row IS NOT NULL AND projected >= version AND projected_at < ?`,
      now - OVERLAP_MS,
    );
  }

  /** Returns `limit` readable rows if there are as many; `select` returns the first `count` rows. */
  #read(limit: number, select: (count: number) => Stored[]): WaitingRow[] {
    let unreadable = 0;
    for (;;) {
      const items = select(limit + unreadable);
      const rows = readableRows(items, (item) => waitingRow.parse(item), this.#logUnreadable);
      const isAll = items.length < limit + unreadable;
      if (isAll || rows.length >= limit) return rows;
      unreadable = items.length - rows.length;
    }
  }

  readonly #logUnreadable = (item: Stored, error: unknown): void => {
    const executionId = String(item.execution_id);
    if (this.#logged.has(executionId)) return;
    this.#logged.add(executionId);
    logError("execution row not readable", { executionId }, error);
  };
}

/** Rows gather for this long, so that many become one write to D1. */
export const PROJECT_DELAY_MS = 250;
const WRITE_TIMEOUT_MS = 15_000;

/** Projects the outbox to D1. While D1 fails, the rows stay in the outbox, from which lists show them. */
export class Projector {
  readonly #db: D1Database;
  readonly #rows: RowOutbox;
  #failures = 0;

  constructor(db: D1Database, rows: RowOutbox) {
    this.#db = db;
    this.#rows = rows;
  }

  /** Writes one batch. Returns when the next one is due (epoch milliseconds), or null after the last. */
  async project(accountId: string): Promise<number | null> {
    const batch = this.#rows.pending(ROWS_PER_BATCH);
    if (batch.length === 0) return null;
    let written: number;
    try {
      const write = upsertExecutions(
        this.#db,
        accountId,
        batch.map(({ row }) => row),
      );
      written = await within("D1", WRITE_TIMEOUT_MS, write);
    } catch (error) {
      this.#failures += 1;
      logWarning("rows not written", { accountId, rows: batch.length }, error);
      return Date.now() + backoffMs(this.#failures);
    }
    this.#failures = 0;
    const now = Date.now();
    this.#rows.confirm(batch.slice(0, written), now);
    const more = this.#rows.pending(1).length > 0;
    const isFull = batch.length === ROWS_PER_BATCH || written < batch.length;
    return more ? now + (isFull ? 0 : PROJECT_DELAY_MS) : null;
  }
}
