import { and, desc, eq, getTableColumns, gt, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { ExecutionPage, ListPosition, ListQuery } from "../contract/account.ts";
import { type ExecutionRow, executionRow, executionStatus } from "../contract/execution.ts";
import { CONTROL_DATABASE, type Placement } from "../contract/placement.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { UsageField, UsageRange } from "../contract/usage.ts";
import { idsFrom, SLOT_SQL } from "../lib/execution-id.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { allDatabases, databaseNamed } from "./databases.ts";
import { ALL_IDS, type IdRange, type Stretch, stretchesOf } from "./placement.ts";
import { executions, valuesOf } from "./schema.ts";

/** Rows per statement; they travel as one parameter. */
export const ROWS_PER_BATCH = 100;
/** The size of that parameter. D1 allows 2 MB; a single row is far smaller. */
const BYTES_PER_BATCH = 1_000_000;

/** Each field of a row has its column. */
const { accountId: _, ...columns } = getTableColumns(executions) satisfies Record<
  keyof ExecutionRow,
  SQLiteColumn
>;
/** The columns that a later version sets: all but those of the indexes, which would be written again. */
const { executionId: _key, workflowId: _indexed, ...settable } = columns;
const NAMES = Object.values(columns).map(({ name }) => name);
const VALUES = Object.keys(columns).map((field) => `value ->> '${field}'`);
const CHANGES = Object.values(settable).map(({ name }) => `${name} = excluded.${name}`);

/**
 * Writes the first of these rows, as many as fit into one statement. Returns their number and the size of
 * the database in bytes. A row that D1 has in the same or a newer version is unchanged, so repeats and late
 * writes do no harm.
 */
export async function upsertExecutions(
  db: D1Database,
  accountId: string,
  rows: readonly ExecutionRow[],
): Promise<{ written: number; databaseBytes: number }> {
  const items = itemsOf(rows);
  const { meta } = await drizzle(db).run(sql`
    INSERT INTO executions (account_id, ${sql.raw(NAMES.join(", "))})
    SELECT ${accountId}, ${sql.raw(VALUES.join(", "))}
    FROM json_each(${`[${items.join(",")}]`}) WHERE true
    ON CONFLICT (account_id, execution_id) DO UPDATE SET ${sql.raw(CHANGES.join(", "))}
    WHERE excluded.version > executions.version`);
  return { written: items.length, databaseBytes: meta.size_after };
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

/** How many executions of a host had an outcome, and one of them. */
const outcomeCount = z.object({
  accountId: z.string(),
  executionId: z.string(),
  status: z.string(),
  detail: z.string(),
  count: z.int(),
});
export type OutcomeCount = z.infer<typeof outcomeCount>;

/** Counts, by host, executions that these accounts have accepted since a time in epoch milliseconds. */
export async function countOutcomes(
  env: CloudflareEnv,
  accountIds: readonly string[],
  since: number,
): Promise<OutcomeCount[]> {
  const query = `SELECT account_id AS accountId, max(execution_id) AS executionId, status,
      status_detail AS detail, count(*) AS count FROM json_each(?)
    CROSS JOIN executions ON account_id = value AND execution_id >= ?
    GROUP BY account_id, ${SLOT_SQL}, status, status_detail`;
  const found = allDatabases(env).map((name) =>
    databaseNamed(env, name).prepare(query).bind(JSON.stringify(accountIds), idsFrom(since)).all(),
  );
  return (await Promise.all(found)).flatMap(({ results }) =>
    results.map((row) => outcomeCount.parse(row)),
  );
}

/**
 * Returns up to `limit` rows that pass the filters after `position`, the newest first, from all databases
 * that have rows of the account. A row that cannot be read is logged and skipped. `next` is the last row that
 * was read.
 */
export async function selectExecutions(
  env: CloudflareEnv,
  { accountId, placements }: PlacedAccount,
  query: ListQuery,
  position: ListPosition | null,
  limit: number,
): Promise<ExecutionPage> {
  const rows: ExecutionRow[] = [];
  for (const stretch of stretchesOf(placements, idsAsked(query, position))) {
    const db = databaseNamed(env, stretch.database);
    const page = await selectStretch(db, accountId, query, stretch, limit - rows.length);
    rows.push(...page.executions);
    if (page.next !== null) return { executions: rows, next: page.next };
  }
  return { executions: rows, next: null };
}

/** An account, and the databases that have the rows of its executions. */
export interface PlacedAccount {
  accountId: string;
  placements: readonly Placement[];
}

/** Returns the ids that a query asks for after a position. */
function idsAsked(
  { createdAfter, createdBefore }: ListQuery,
  position: ListPosition | null,
): IdRange {
  const ends = [position?.executionId, createdBefore === null ? undefined : idsFrom(createdBefore)];
  const [until = ALL_IDS.until] = ends.filter((end) => end !== undefined).sort();
  return { from: createdAfter === null ? "" : idsFrom(createdAfter + 1), until };
}

async function selectStretch(
  db: D1Database,
  accountId: string,
  { statuses, origins, workflowId, words = [] }: ListQuery,
  { from, until }: Stretch,
  limit: number,
): Promise<ExecutionPage> {
  const found = await drizzle(db)
    .select()
    .from(executions)
    .where(
      and(
        eq(executions.accountId, accountId),
        gte(executions.executionId, from),
        lt(executions.executionId, until),
        statuses.length > 0 ? inArray(executions.status, statuses) : undefined,
        origins.length > 0 ? inArray(executions.origin, origins) : undefined,
        workflowId === null ? undefined : eq(executions.workflowId, workflowId),
        ...wordFilters(accountId, words),
      ),
    )
    .orderBy(desc(executions.executionId))
    .limit(limit);
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    executions: readableRows(found, rowOf, ({ executionId }, error) => {
      logError("execution row not readable", { executionId }, error);
    }),
    next: last === undefined ? null : { createdAt: last.createdAt, executionId: last.executionId },
  };
}

/** Deletes an execution's row, if there is one. */
export function deleteExecution(env: CloudflareEnv, seed: ExecutionSeed): Promise<void> {
  const { accountId, executionId, rowDatabase = CONTROL_DATABASE } = seed;
  return deleteExecutions(databaseNamed(env, rowDatabase), accountId, [executionId]);
}

/** Deletes the rows of these executions from one database. */
export async function deleteExecutions(
  db: D1Database,
  accountId: string,
  executionIds: readonly string[],
): Promise<void> {
  const here = sql`${executions.executionId} IN ${valuesOf(executionIds)}`;
  await drizzle(db)
    .delete(executions)
    .where(and(eq(executions.accountId, accountId), here));
}

/** The newest executions, in which words are searched: D1 runs one query at a time. */
const SEARCHED = 20_000;

function wordFilters(accountId: string, words: readonly string[]): SQL[] {
  if (words.length === 0) return [];
  const { executionId: id, promptPreview, summary, metadata, inputsPreview, inbound } = executions;
  return [
    sql`${id} >= coalesce((SELECT execution_id FROM executions WHERE account_id = ${accountId}
      ORDER BY execution_id DESC LIMIT 1 OFFSET ${SEARCHED}), '')`,
    sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) AS word WHERE instr(lower(
      ${promptPreview} || ' ' || coalesce(${summary}, '') || ' ' || ${metadata} || ' ' || ${id}
      || ' ' || coalesce(${inputsPreview}, '') || ' ' || coalesce(${inbound}, '')),
      word.value) = 0)`,
  ];
}

function rowOf(stored: typeof executions.$inferSelect): ExecutionRow {
  const { createdAt, updatedAt, finishedAt, metadata, accountId: _, ...row } = stored;
  return executionRow.parse({
    ...row,
    forkOf: row.forkOf === null ? null : JSON.parse(row.forkOf),
    inbound: row.inbound === null ? null : JSON.parse(row.inbound),
    metadata: z.record(z.string(), z.string()).parse(JSON.parse(metadata)),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  });
}

const bound = z.object({ countedFrom: z.int() });
/** The only row of a stretch without executions. */
const noCountRow = z.object({ status: z.null() });
/** Executions of one status, and of one workflow, key or model if asked, in the bucket that begins at `start`. */
const countRow = z.object({
  start: z.int(),
  item: z.string().nullable(),
  status: executionStatus,
  executions: z.int(),
  creditsConsumed: z.int(),
  /** As far as it is known. */
  costUsd: z.number(),
});
export type ExecutionCount = z.infer<typeof countRow>;

/**
 * Counts an account's executions by creation time and status, and also `by` a field of theirs. Counts only the
 * newest `most`, from `countedFrom` on: D1 runs one query at a time, and a million rows take a second.
 */
export async function countExecutions(
  env: CloudflareEnv,
  { accountId, placements }: PlacedAccount,
  { from, to, bucketMs }: UsageRange,
  { most, by }: { most: number; by?: UsageField },
): Promise<{ countedFrom: number; counts: ExecutionCount[] }> {
  const counts: ExecutionCount[] = [];
  let left = most;
  const item = by === undefined ? sql`NULL` : executions[by];
  for (const stretch of stretchesOf(placements, { from: idsFrom(from), until: idsFrom(to) })) {
    const rows = await drizzle(databaseNamed(env, stretch.database)).all(sql`
      WITH bound(at, id) AS (
        SELECT created_at + 1, execution_id FROM executions
        WHERE account_id = ${accountId}
          AND execution_id >= ${stretch.from} AND execution_id < ${stretch.until}
        ORDER BY execution_id DESC LIMIT 1 OFFSET ${left}),
      counted(at, id) AS (
        SELECT at, id FROM bound
        UNION ALL SELECT ${from}, ${stretch.from} WHERE NOT EXISTS (SELECT 1 FROM bound))
      SELECT counted.at AS countedFrom, created_at - created_at % ${bucketMs} AS start, ${item} AS item, status,
        count(*) AS executions, sum(credits_consumed) AS creditsConsumed,
        total(cost_usd) AS costUsd
      FROM counted LEFT JOIN executions
        ON account_id = ${accountId} AND execution_id >= counted.id AND execution_id < ${stretch.until}
        AND created_at >= counted.at
      GROUP BY start, item, status`);
    const found = rows
      .filter((row) => !noCountRow.safeParse(row).success)
      .map((row) => countRow.parse(row));
    counts.push(...found);
    const { countedFrom } = bound.parse(rows[0]);
    if (countedFrom > from) return { countedFrom, counts };
    left -= found.reduce((sum, { executions }) => sum + executions, 0);
  }
  return { countedFrom: from, counts };
}

const ownerRow = z.object({ accountId: z.string() });

/**
 * Returns the account of an execution, or null. Looks into each account in turn, by the key: for an
 * operator's question an index over all executions would cost each of them a written row.
 */
export async function ownerOfExecution(
  db: D1Database,
  executionId: string,
): Promise<string | null> {
  const [row] = await drizzle(db).all(sql`
    WITH RECURSIVE owner(id) AS (
      SELECT min(account_id) FROM executions
      UNION ALL SELECT (SELECT min(account_id) FROM executions WHERE account_id > owner.id)
      FROM owner WHERE owner.id IS NOT NULL)
    SELECT account_id AS accountId FROM owner, executions
    WHERE account_id = owner.id AND execution_id = ${executionId} LIMIT 1`);
  return row === undefined ? null : ownerRow.parse(row).accountId;
}

/** A place in the ids of an account's executions. */
interface After {
  after: string;
  limit: number;
}

/** Returns the ids of an account's first executions after an id, from one database. */
export async function executionIdsIn(
  db: D1Database,
  accountId: string,
  { after, limit }: After,
): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ id: executions.executionId })
    .from(executions)
    .where(and(eq(executions.accountId, accountId), gt(executions.executionId, after)))
    .orderBy(executions.executionId)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Returns the ids of an account's first executions after an id: those in all databases, and those that
 * its object has besides.
 */
export async function executionIdsAfter(
  env: CloudflareEnv,
  accountId: string,
  others: readonly string[],
  { after, limit }: After,
): Promise<string[]> {
  const found = await Promise.all(
    allDatabases(env).map((name) =>
      executionIdsIn(databaseNamed(env, name), accountId, { after, limit }),
    ),
  );
  const all = new Set([...found.flat(), ...others.filter((id) => id > after)]);
  return [...all].sort().slice(0, limit);
}
