import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  real,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Position } from "../lib/pages.ts";

/** Selects the rows after a position in a list from the newest to the oldest row. */
export function olderThan(
  row: { createdAt: SQLiteColumn; id: SQLiteColumn },
  after: Position | null,
) {
  return after === null
    ? undefined
    : sql`(${row.createdAt}, ${row.id}) < (${after.createdAt}, ${after.id})`;
}

/** Lists values as one parameter: D1 takes a hundred. */
export const valuesOf = (values: readonly string[]) =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Accounts, for the operators' list. Each account's object owns its data. */
export const accounts = sqliteTable(
  "accounts",
  {
    accountId: text("account_id").primaryKey(),
    createdAt: integer("created_at").notNull(),
    /** JSON of `inboundControls`; null for the defaults. */
    inbound: text("inbound"),
  },
  (row) => [index("accounts_by_time").on(row.createdAt, row.accountId)],
);

/**
 * Executions for the lists: a projection of their objects. Their ids sort by time, so that the key is the
 * list's order as well. Its migration declares the table WITHOUT ROWID, which drizzle cannot express: a
 * row without an index is one row to write.
 */
export const executions = sqliteTable(
  "executions",
  {
    accountId: text("account_id").notNull(),
    executionId: text("execution_id").notNull(),
    status: text("status").notNull(),
    statusDetail: text("status_detail").notNull(),
    version: integer("version").notNull(),
    promptPreview: text("prompt_preview").notNull(),
    summary: text("summary"),
    creditsConsumed: integer("credits_consumed").notNull(),
    /** The model that was asked last, and the price of all tokens in USD; null in rows of older code. */
    model: text("model"),
    costUsd: real("cost_usd"),
    origin: text("origin").notNull(),
    workflowId: text("workflow_id"),
    keyId: text("key_id"),
    /** Of the workflow; null for executions without one, and for those of older code. */
    revision: integer("revision"),
    inputsPreview: text("inputs_preview"),
    /** JSON of `inbound`, for an execution that a webhook started; null in rows of older code. */
    inbound: text("inbound"),
    /** JSON of `forkOf`, for a fork. */
    forkOf: text("fork_of"),
    metadata: text("metadata").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.executionId] }),
    index("executions_by_workflow")
      .on(row.accountId, row.workflowId, row.executionId)
      .where(sql`workflow_id IS NOT NULL`),
  ],
);

/** Workflows. This table owns them. */
export const workflows = sqliteTable(
  "workflows",
  {
    accountId: text("account_id").notNull(),
    workflowId: text("workflow_id").notNull(),
    /** JSON of `workflowDefinition`. */
    definition: text("definition").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.workflowId] }),
    index("workflows_by_time").on(row.accountId, row.createdAt, row.workflowId),
    uniqueIndex("workflows_by_external_id").on(row.accountId, sql`(definition ->> '$.externalId')`),
  ],
);

/**
 * Webhook endpoints. This table owns them. The row of a deleted endpoint stays without its settings, so
 * that its addresses answer 410; its path is free for another endpoint.
 */
export const endpoints = sqliteTable(
  "endpoints",
  {
    endpointId: text("endpoint_id").primaryKey(),
    accountId: text("account_id").notNull(),
    path: text("path"),
    /** The path of a deleted endpoint. */
    formerPath: text("former_path"),
    workflowId: text("workflow_id"),
    /** Increases with every change of the endpoint and of its workflow. */
    version: integer("version").notNull(),
    /** JSON of the fields of `endpointConfig` that are no column; empty once it is deleted. */
    settings: text("settings").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
  },
  (row) => [
    uniqueIndex("endpoints_by_path").on(row.path).where(sql`path IS NOT NULL`),
    index("endpoints_by_former_path").on(row.formerPath).where(sql`former_path IS NOT NULL`),
    index("endpoints_by_time").on(row.accountId, row.createdAt, row.endpointId),
    index("endpoints_not_deleted").on(row.accountId).where(sql`deleted_at IS NULL`),
    index("endpoints_by_workflow")
      .on(row.accountId, row.workflowId)
      .where(sql`workflow_id IS NOT NULL`),
    uniqueIndex("endpoints_by_external_id")
      .on(row.accountId, sql`(settings ->> '$.externalId')`)
      .where(sql`deleted_at IS NULL`),
  ],
);

/** What was done to what this database owns: workflows and endpoints. The ids of entries sort by time. */
export const audit = sqliteTable(
  "audit",
  {
    accountId: text("account_id").notNull(),
    entryId: text("entry_id").notNull(),
    action: text("action").notNull(),
    resourceId: text("resource_id").notNull(),
    byKind: text("by_kind").notNull(),
    byId: text("by_id").notNull(),
    /** JSON of `auditEntry`. */
    entry: text("entry").notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.entryId] })],
);

/** Effects that executions had before their account went back in time, which their objects forgot. */
export const keptEffects = sqliteTable(
  "kept_effects",
  {
    accountId: text("account_id").notNull(),
    executionId: text("execution_id").notNull(),
    effectId: text("effect_id").notNull(),
    /** JSON of the other fields of `keptEffect`. */
    effect: text("effect").notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.executionId, row.effectId] })],
);

/** What people and programs think of executions, each of a name once. A boolean is 0 or 1. */
export const scores = sqliteTable(
  "scores",
  {
    accountId: text("account_id").notNull(),
    executionId: text("execution_id").notNull(),
    name: text("name").notNull(),
    byId: text("by_id").notNull(),
    workflowId: text("workflow_id"),
    revision: integer("revision"),
    model: text("model").notNull(),
    value: real("value").notNull(),
    /** JSON of `scoreRecord`. */
    score: text("score").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.executionId, row.name, row.byId] }),
    index("scores_by_workflow")
      .on(row.accountId, row.workflowId)
      .where(sql`workflow_id IS NOT NULL`),
  ],
);

/** The accounts of which an address may be a member; the account's object knows whether it is. */
export const memberships = sqliteTable(
  "memberships",
  { email: text("email").notNull(), accountId: text("account_id").notNull() },
  (row) => [primaryKey({ columns: [row.email, row.accountId] })],
);

/** Links for signing in that were sent and not used, by the hash of their token. */
export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    tokenHash: text("token_hash").primaryKey(),
    email: text("email").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (row) => [index("sign_in_links_by_email").on(row.email)],
);

/**
 * Earlier revisions of workflows and endpoints; the newest one is the row of the resource itself. Secrets
 * are left out.
 */
export const revisions = sqliteTable(
  "revisions",
  {
    accountId: text("account_id").notNull(),
    /** The id of the workflow or the endpoint. */
    resourceId: text("resource_id").notNull(),
    revision: integer("revision").notNull(),
    /** JSON of `storedWorkflow`, or of an endpoint's settings with its path and its workflow's id. */
    content: text("content").notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.resourceId, row.revision] })],
);
