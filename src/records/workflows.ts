import { and, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { By } from "../contract/actor.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { storedWorkflow, type WorkflowDefinition } from "../contract/workflow.ts";
import { logError } from "../lib/log.ts";
import { firstOf, type Page, type Position } from "../lib/pages.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { recordAudit } from "./audit.ts";
import { detachEndpointsOf, touchEndpointsOf } from "./endpoints.ts";
import { archiveWorkflow, deleteRevisions, pruneRevisions, workflowRevision } from "./revisions.ts";
import { olderThan, workflows } from "./schema.ts";

/** A workflow with its times in epoch milliseconds. */
export interface StoredWorkflow {
  definition: WorkflowDefinition;
  createdAt: number;
  updatedAt: number;
}

/** Stores a new workflow. Returns false if its account has `most` already, or one with its external id. */
export async function insertWorkflow(
  db: D1Database,
  accountId: string,
  { definition, createdAt, updatedAt }: StoredWorkflow,
  most: number,
  entry: AuditEntry | null = null,
): Promise<boolean> {
  const { workflowId } = definition;
  const orm = drizzle(db);
  const counted = orm
    .select({ n: count() })
    .from(workflows)
    .where(eq(workflows.accountId, accountId));
  const insertion = orm
    .insert(workflows)
    .select(
      sql`SELECT ${accountId}, ${workflowId}, ${JSON.stringify(definition)}, ${createdAt}, ${updatedAt}
        WHERE ${counted} < ${most}`,
    )
    .onConflictDoNothing()
    .returning({ workflowId: workflows.workflowId });
  const here = at(accountId, workflowId);
  const [inserted] = await orm.batch([insertion, recordAudit(orm, accountId, entry, found(here))]);
  return inserted.length > 0;
}

/** Returns the number of an account's workflows. */
export async function countWorkflows(db: D1Database, accountId: string): Promise<number> {
  return await drizzle(db).$count(workflows, eq(workflows.accountId, accountId));
}

/** Returns a workflow of this account, or null. */
export function loadWorkflow(
  db: D1Database,
  accountId: string,
  workflowId: string,
): Promise<StoredWorkflow | null> {
  return workflowWhere(db, at(accountId, workflowId));
}

/** Returns the workflow of this account with an external id, or null. */
export function loadWorkflowByExternalId(
  db: D1Database,
  accountId: string,
  externalId: string,
): Promise<StoredWorkflow | null> {
  const here = sql`${workflows.definition} ->> '$.externalId' = ${externalId}`;
  return workflowWhere(db, and(eq(workflows.accountId, accountId), here));
}

async function workflowWhere(db: D1Database, where: SQL | undefined) {
  const row = await drizzle(db).select().from(workflows).where(where).get();
  return row === undefined ? null : stored(row);
}

/** Returns the definitions of these workflows that the account has. */
export async function loadWorkflows(
  db: D1Database,
  accountId: string,
  workflowIds: string[],
): Promise<WorkflowDefinition[]> {
  const rows = await drizzle(db)
    .select()
    .from(workflows)
    .where(and(eq(workflows.accountId, accountId), inArray(workflows.workflowId, workflowIds)));
  return rows.map((row) => stored(row).definition);
}

/**
 * Returns up to `limit` workflows of an account after a position, the newest first. A workflow that cannot
 * be read is logged and skipped.
 */
export async function selectWorkflows(
  db: D1Database,
  accountId: string,
  after: Position | null,
  limit: number,
): Promise<Page<StoredWorkflow>> {
  const row = { createdAt: workflows.createdAt, id: workflows.workflowId };
  const rows = await drizzle(db)
    .select()
    .from(workflows)
    .where(and(eq(workflows.accountId, accountId), olderThan(row, after)))
    .orderBy(desc(workflows.createdAt), desc(workflows.workflowId))
    .limit(limit + 1);
  const { items, next } = firstOf(rows, limit, ({ createdAt, workflowId: id }) => ({
    createdAt,
    id,
  }));
  const readable = readableRows(items, stored, ({ workflowId }, error) => {
    logError("workflow not readable", { workflowId }, error);
  });
  return { items: readable, next };
}

/** The result of a change of a workflow, and the endpoints that changed with it. */
export interface WorkflowWrite {
  /** False if another change came first. */
  written: boolean;
  endpointIds: string[];
}

/**
 * Replaces a workflow that is still as in `before`, and increases the version of its endpoints, in one
 * transaction. The new `updatedAt` must be later than the old one. If its revision is another one, the
 * earlier one is kept.
 */
export async function replaceWorkflow(
  db: D1Database,
  accountId: string,
  before: StoredWorkflow,
  after: StoredWorkflow,
  entry: AuditEntry | null = null,
): Promise<WorkflowWrite> {
  const { workflowId, revision } = after.definition;
  const orm = drizzle(db);
  const unchanged = and(at(accountId, workflowId), eq(workflows.updatedAt, before.updatedAt));
  const [, , replaced, touched] = await orm.batch([
    archiveWorkflow(orm, and(unchanged, sql`${workflowRevision} < ${revision}`)),
    recordAudit(orm, accountId, entry, found(unchanged)),
    orm
      .update(workflows)
      .set({ definition: JSON.stringify(after.definition), updatedAt: after.updatedAt })
      .where(unchanged)
      .returning({ workflowId: workflows.workflowId }),
    touchEndpointsOf(orm, accountId, workflowId, after.updatedAt),
    pruneRevisions(orm, accountId, workflowId, revision),
  ]);
  return { written: replaced.length > 0, endpointIds: idsOf(touched) };
}

/** Deletes a workflow and detaches it from its endpoints, in one transaction. */
export async function deleteWorkflow(
  db: D1Database,
  accountId: string,
  workflowId: string,
  change: { now: number; by: By },
  entry: AuditEntry | null = null,
): Promise<WorkflowWrite> {
  const orm = drizzle(db);
  const here = at(accountId, workflowId);
  const [, , detached] = await orm.batch([
    deleteRevisions(orm, accountId, workflowId),
    ...detachEndpointsOf(orm, accountId, workflowId, change),
    recordAudit(orm, accountId, entry, found(here)),
    orm.delete(workflows).where(here),
  ]);
  return { written: true, endpointIds: idsOf(detached) };
}

/** The condition that there is such a workflow. */
const found = (where: SQL | undefined) => sql`EXISTS (SELECT 1 FROM ${workflows} WHERE ${where})`;

const idsOf = (rows: readonly { endpointId: string }[]): string[] =>
  rows.map(({ endpointId }) => endpointId);

function at(accountId: string, workflowId: string) {
  return and(eq(workflows.accountId, accountId), eq(workflows.workflowId, workflowId));
}

function stored(row: typeof workflows.$inferSelect): StoredWorkflow {
  const { createdAt, updatedAt } = row;
  return { definition: storedWorkflow.parse(JSON.parse(row.definition)), createdAt, updatedAt };
}
