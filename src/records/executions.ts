import { and, desc, eq, gt, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as z from "zod";
import type { ListPosition, ListQuery } from "../contract/account.ts";
import { type ExecutionRow, executionRow } from "../contract/execution.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { executions } from "./schema.ts";

/** Rows that one statement writes at most; they travel as one parameter, D1 allows 100. */
export const ROWS_PER_BATCH = 100;
/** So long may that parameter become. D1 allows 2 MB; a row alone is far below. */
const BYTES_PER_BATCH = 1_000_000;

/**
 * Writes the first of these rows, as many as one statement takes, and so in one transaction; answers
 * how many that are. A row that D1 has in the same or a newer version is left alone, so that repeats
 * and late writes do no harm.
 */
export async function upsertExecutions(
  db: D1Database,
  accountId: string,
  rows: readonly ExecutionRow[],
): Promise<number> {
  const items = itemsOf(rows);
  await drizzle(db).run(sql`
    INSERT INTO executions (
      account_id, execution_id, status, status_detail, version, prompt_preview, summary,
      credits_consumed, origin, workflow_id, metadata, created_at, updated_at, finished_at
    )
    SELECT
      ${accountId}, value ->> 'executionId', value ->> 'status', value ->> 'statusDetail',
      value ->> 'version', value ->> 'promptPreview', value ->> 'summary',
      value ->> 'creditsConsumed', value ->> 'origin', value ->> 'workflowId',
      value ->> 'metadata', value ->> 'createdAt', value ->> 'updatedAt', value ->> 'finishedAt'
    FROM json_each(${`[${items.join(",")}]`}) WHERE true
    ON CONFLICT (account_id, execution_id) DO UPDATE SET
      status = excluded.status, status_detail = excluded.status_detail,
      version = excluded.version, summary = excluded.summary,
      credits_consumed = excluded.credits_consumed, updated_at = excluded.updated_at,
      finished_at = excluded.finished_at
    WHERE excluded.version > executions.version`);
  return items.length;
}

/** The rows as JSON, at least the first of them and no more than fit. */
function itemsOf(rows: readonly ExecutionRow[]): string[] {
  const items: string[] = [];
  let bytes = 0;
  for (const { createdAt, updatedAt, finishedAt, metadata, ...row } of rows) {
    const item = JSON.stringify({
      ...row,
      metadata: JSON.stringify(metadata),
      createdAt: Date.parse(createdAt),
      updatedAt: Date.parse(updatedAt),
      finishedAt: finishedAt === null ? null : Date.parse(finishedAt),
    });
    bytes += new TextEncoder().encode(item).length;
    if (items.length > 0 && bytes > BYTES_PER_BATCH) break;
    items.push(item);
  }
  return items;
}

/** Rows of D1; `next` is the last one that was looked at, null when there are no more. */
export interface StoredPage {
  rows: ExecutionRow[];
  next: ListPosition | null;
}

/**
 * Rows that pass the filters, the newest first, `limit` of them at most from after `position`. A row
 * that cannot be read is told to the operators and left out.
 */
export async function selectExecutions(
  db: D1Database,
  accountId: string,
  query: ListQuery,
  position: ListPosition | null,
  limit: number,
): Promise<StoredPage> {
  const found = await drizzle(db)
    .select()
    .from(executions)
    .where(and(eq(executions.accountId, accountId), ...filters(query), after(position)))
    .orderBy(desc(executions.createdAt), desc(executions.executionId))
    .limit(limit);
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    rows: readableRows(found, rowOf, ({ executionId }, error) => {
      logError("execution row not readable", { executionId }, error);
    }),
    next: last === undefined ? null : { createdAt: last.createdAt, executionId: last.executionId },
  };
}

/** Removes an execution's row; that it is not there is fine too. */
export async function deleteExecution(
  db: D1Database,
  accountId: string,
  executionId: string,
): Promise<void> {
  await drizzle(db)
    .delete(executions)
    .where(and(eq(executions.accountId, accountId), eq(executions.executionId, executionId)));
}

function filters(query: ListQuery): (SQL | undefined)[] {
  const { statuses, origins, workflowId, createdAfter, createdBefore } = query;
  return [
    statuses.length > 0 ? inArray(executions.status, statuses) : undefined,
    origins.length > 0 ? inArray(executions.origin, origins) : undefined,
    workflowId === null ? undefined : eq(executions.workflowId, workflowId),
    createdAfter === null ? undefined : gt(executions.createdAt, createdAfter),
    createdBefore === null ? undefined : lt(executions.createdAt, createdBefore),
  ];
}

function after(position: ListPosition | null): SQL | undefined {
  if (position === null) return undefined;
  return or(
    lt(executions.createdAt, position.createdAt),
    and(
      eq(executions.createdAt, position.createdAt),
      lt(executions.executionId, position.executionId),
    ),
  );
}

function rowOf(stored: typeof executions.$inferSelect): ExecutionRow {
  const { createdAt, updatedAt, finishedAt, metadata, accountId: _, ...row } = stored;
  return executionRow.parse({
    ...row,
    metadata: z.record(z.string(), z.string()).parse(JSON.parse(metadata)),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  });
}
