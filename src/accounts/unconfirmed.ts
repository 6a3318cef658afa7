import * as z from "zod";
import type { ListPosition, ListQuery } from "../contract/account.ts";
import { type ExecutionRow, executionRow, executionStatus } from "../contract/execution.ts";
import type { UncountedExecution, UsageRange } from "../contract/usage.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";

/** A row is shown from here for a while after D1 has it: a list that is being read may not see it there. */
const OVERLAP_MS = 60_000;
/** So many ids are told at most: D1 takes them as one parameter, of 2 MB. */
const MOST_UNCOUNTED = 10_000;

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
 * The rows of an account that D1 may not have yet. They are at least as new as what D1 has. One that
 * cannot be read stays where it is and is passed over.
 */
export class UnconfirmedRows {
  readonly #sql: SqlStorage;
  /** Rows whose fault was told: it would be told four times a second. */
  readonly #told = new Set<string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Rows that pass the filters, the newest first, from after the query's cursor. */
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

  /** Which of these executions have their row here. */
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

  /** What D1 does not have yet, or not as it is now, of a range of time; the newest first. */
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
        MOST_UNCOUNTED,
      )
      .toArray();
    return readableRows(items, (item) => uncountedRow.parse(item), this.#tell);
  }

  /** Rows that D1 does not have yet, the oldest first. */
  toProject(limit: number): WaitingRow[] {
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

  /** D1 has these versions. */
  projected(rows: readonly { executionId: string; version: number }[], now: number): void {
    for (const { executionId, version } of rows) {
      this.#sql.exec(
        "UPDATE executions SET projected = max(projected, ?), projected_at = ? WHERE execution_id = ?",
        version,
        now,
        executionId,
      );
    }
    this.drop(now);
  }

  /** Drops the rows that D1 has had for a while. */
  drop(now: number): void {
    this.#sql.exec(
      `UPDATE executions SET row = NULL
       WHERE row IS NOT NULL AND projected >= version AND projected_at < ?`,
      now - OVERLAP_MS,
    );
  }

  /** So many rows that can be read, if there are; `select` answers the first ones. */
  #read(limit: number, select: (most: number) => Stored[]): WaitingRow[] {
    let unreadable = 0;
    for (;;) {
      const items = select(limit + unreadable);
      const rows = readableRows(items, (item) => waitingRow.parse(item), this.#tell);
      const isAll = items.length < limit + unreadable;
      if (isAll || rows.length >= limit) return rows;
      unreadable = items.length - rows.length;
    }
  }

  readonly #tell = (item: Stored, error: unknown): void => {
    const executionId = String(item.execution_id);
    if (this.#told.has(executionId)) return;
    this.#told.add(executionId);
    logError("execution's row not readableRows", { executionId }, error);
  };
}
