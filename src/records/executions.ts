import { and, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as z from "zod";
import type { ListPosition, ListQuery } from "../contract/account.ts";
import {
  type ExecutionRow,
  type ExecutionStatus,
  executionRow,
  executionStatus,
} from "../contract/execution.ts";
import type { UsageRange } from "../contract/usage.ts";
import { idsFrom } from "../lib/execution-id.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { executions } from "./schema.ts";

/** Rows per statement; they travel as one parameter. */
export const ROWS_PER_BATCH = 100;
/** The size of that parameter. D1 allows 2 MB; a single row is far smaller. */
const BYTES_PER_BATCH = 1_000_000;

/** Never changes after the first version of a row. */
const FIXED = ["executionId", "promptPreview", "origin", "workflowId", "metadata", "createdAt"];
const { accountId: _, ...columns } = getTableColumns(executions);
const NAMES = Object.values(columns).map(({ name }) => name);
const VALUES = Object.keys(columns).map((field) => `value ->> '${field}'`);
const CHANGES = Object.entries(columns)
  .filter(([field]) => !FIXED.includes(field))
  .map(([, { name }]) => `${name} = excluded.${name}`);

/**
 * Writes the first of these rows, as many as fit into one statement, and returns their number. A row that
 * D1 has in the same or a newer version is unchanged, so repeats and late writes do no harm.
 */
export async function upsertExecutions(
  db: D1Database,
  accountId: string,
  rows: readonly ExecutionRow[],
): Promise<number> {
  const items = itemsOf(rows);
  await drizzle(db).run(sql`
    INSERT INTO executions (account_id, ${sql.raw(NAMES.join(", "))})
    SELECT ${accountId}, ${sql.raw(VALUES.join(", "))}
    FROM json_each(${`[${items.join(",")}]`}) WHERE true
    ON CONFLICT (account_id, execution_id) DO UPDATE SET ${sql.raw(CHANGES.join(", "))}
    WHERE excluded.version > executions.version`);
  return items.length;
}

/** Returns as many rows as fit, but at least one, as JSON. */
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

/** Rows of D1. `next` is the last row that was read, or null if there are no more. */
export interface StoredPage {
  rows: ExecutionRow[];
  next: ListPosition | null;
}

/**
 * Returns up to `limit` rows that pass the filters after `position`, the newest first. A row that cannot
 * be read is logged and skipped.
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
    .where(and(eq(executions.accountId, accountId), ...filters(query, position)))
    .orderBy(desc(executions.executionId))
    .limit(limit);
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    rows: readableRows(found, rowOf, ({ executionId }, error) => {
      logError("execution row not readable", { executionId }, error);
    }),
    next: last === undefined ? null : { createdAt: last.createdAt, executionId: last.executionId },
  };
}

/** Deletes an execution's row, if there is one. */
export async function deleteExecution(
  db: D1Database,
  accountId: string,
  executionId: string,
): Promise<void> {
  await drizzle(db)
    .delete(executions)
    .where(and(eq(executions.accountId, accountId), eq(executions.executionId, executionId)));
}

function filters(query: ListQuery, position: ListPosition | null): (SQL | undefined)[] {
  const { statuses, origins, workflowId, createdAfter, createdBefore } = query;
  const { executionId: id } = executions;
  return [
    position === null ? undefined : lt(id, position.executionId),
    statuses.length > 0 ? inArray(executions.status, statuses) : undefined,
    origins.length > 0 ? inArray(executions.origin, origins) : undefined,
    workflowId === null ? undefined : eq(executions.workflowId, workflowId),
    createdAfter === null ? undefined : gte(id, idsFrom(createdAfter + 1)),
    createdBefore === null ? undefined : lt(id, idsFrom(createdBefore)),
  ];
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

/** Executions of one status in the bucket that begins at `start`. */
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
 * Counts an account's executions by creation time and status, except those in `except`. Counts only the
 * newest `most`, from `countedFrom` on: D1 runs one query at a time, and a million rows take a second.
 */
export async function countExecutions(
  db: D1Database,
  accountId: string,
  { from, to, bucketMs }: UsageRange,
  { except, most }: { except: readonly string[]; most: number },
): Promise<{ countedFrom: number; counts: ExecutionCount[] }> {
  const [first, end] = [idsFrom(from), idsFrom(to)];
  const rows = await drizzle(db).all(sql`
    WITH bound(at, id) AS (
      SELECT created_at + 1, execution_id FROM executions
      WHERE account_id = ${accountId} AND execution_id >= ${first} AND execution_id < ${end}
      ORDER BY execution_id DESC LIMIT 1 OFFSET ${most}),
    counted(at, id) AS (
      SELECT at, id FROM bound
      UNION ALL SELECT ${from}, ${first} WHERE NOT EXISTS (SELECT 1 FROM bound))
    SELECT counted.at AS countedFrom, created_at - created_at % ${bucketMs} AS start, status,
      count(*) AS executions, sum(credits_consumed) AS creditsConsumed
    FROM counted, executions
    WHERE account_id = ${accountId} AND execution_id >= counted.id AND execution_id < ${end}
      AND created_at >= counted.at
      AND execution_id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
    GROUP BY start, status`);
  const counts = rows.map((row) => countRow.parse(row));
  return { countedFrom: counts[0]?.countedFrom ?? from, counts };
}
