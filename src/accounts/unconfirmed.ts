import * as z from "zod";
import type { ListPosition, ListQuery } from "../contract/account.ts";
import { type ExecutionRow, executionRow, executionStatus } from "../contract/execution.ts";
import type { UncountedExecution, UsageRange } from "../contract/usage.ts";

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
const waitingRow = z.object({ execution_id: z.string(), version: z.number(), row: z.string() });

/** The rows of an account that D1 may not have yet. They are at least as new as what D1 has. */
export class UnconfirmedRows {
  readonly #sql: SqlStorage;

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
    return this.#sql
      .exec(
        `SELECT row FROM executions
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
        limit,
      )
      .toArray()
      .map((item) => executionRow.parse(JSON.parse(z.object({ row: z.string() }).parse(item).row)));
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
    return this.#sql
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
      .toArray()
      .map((item) => uncountedRow.parse(item));
  }

  /** Rows that D1 does not have yet, the oldest first. */
  toProject(limit: number): { executionId: string; version: number; row: ExecutionRow }[] {
    return this.#sql
      .exec(
        `SELECT execution_id, version, row FROM executions
         WHERE row IS NOT NULL AND version > projected ORDER BY created_at, execution_id LIMIT ?`,
        limit,
      )
      .toArray()
      .map((item) => {
        const { execution_id: executionId, version, row } = waitingRow.parse(item);
        return { executionId, version, row: executionRow.parse(JSON.parse(row)) };
      });
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
}
