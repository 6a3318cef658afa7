import { and, count, desc, eq, gte, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { By } from "../contract/actor.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { type EndpointConfig, endpointId as generatedId } from "../contract/webhooks/endpoint.ts";
import { logError } from "../lib/log.ts";
import { firstOf, type Page, type Position } from "../lib/pages.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { recordAudit } from "./audit.ts";
import { configOf, settingsText } from "./endpoint-rows.ts";
import {
  archiveEndpoints,
  deleteRevisions,
  endpointRevision,
  pruneRevisions,
} from "./revisions.ts";
import { accounts, endpoints, olderThan, valuesOf, workflows } from "./schema.ts";

/** The result of a write. `config` is the row after it, with its workflow at that moment. */
export type EndpointWrite =
  | { kind: "saved"; config: EndpointConfig }
  /** Another endpoint has this path. */
  | { kind: "path_taken" }
  /** The account has as many endpoints as it may have. */
  | { kind: "full" }
  /** The endpoint has another version than expected, or is deleted. */
  | { kind: "changed" };

/**
 * Stores a new endpoint, unless its account has `most` already. A repeat of the call changes nothing and
 * returns the same. A workflow that was deleted meanwhile is not attached.
 */
export async function insertEndpoint(
  db: D1Database,
  config: EndpointConfig,
  most: number,
  entry: AuditEntry | null = null,
): Promise<EndpointWrite> {
  const { endpointId, accountId, path, version, createdAt, updatedAt } = config;
  const orm = drizzle(db);
  const counted = orm.select({ endpoints: count() }).from(endpoints).where(live(accountId));
  const [, [row], [known]] = await orm.batch([
    orm
      .insert(endpoints)
      .select(
        sql`SELECT ${endpointId}, ${accountId}, ${path}, NULL, ${existingWorkflow(config)}, ${version},
          ${settingsText(config)}, ${createdAt}, ${updatedAt}, NULL WHERE ${counted} < ${most}`,
      )
      .onConflictDoNothing(),
    joined(orm, owned(accountId, endpointId)),
    counted,
    recordAudit(orm, accountId, entry, found(owned(accountId, endpointId))),
  ]);
  if (row !== undefined) return { kind: "saved", config: configOf(row) };
  // Ids are random: else only the unique index of the path or of the external id can have refused the row.
  return (known?.endpoints ?? 0) >= most ? { kind: "full" } : { kind: "path_taken" };
}

/**
 * Replaces an endpoint that still has version `config.version`, and increases the version. If its revision
 * is another one, the earlier one is kept. A repeat of the call changes nothing and returns the same.
 */
export async function updateEndpoint(
  db: D1Database,
  config: EndpointConfig,
  entry: AuditEntry | null = null,
): Promise<EndpointWrite> {
  const { endpointId, accountId, path, version, revision, updatedAt } = config;
  const next = Math.max(version + 1, updatedAt);
  const settings = settingsText(config);
  const orm = drizzle(db);
  const unchanged = and(
    owned(accountId, endpointId),
    eq(endpoints.version, version),
    isFree(config),
  );
  const [, , written, [row]] = await orm.batch([
    archiveEndpoints(orm, and(unchanged, sql`${endpointRevision} < ${revision}`)),
    recordAudit(orm, accountId, entry, found(unchanged)),
    orm
      .update(endpoints)
      .set({
        path,
        workflowId: existingWorkflow(config),
        version: next,
        settings,
        updatedAt,
      })
      .where(unchanged)
      .returning({ version: endpoints.version }),
    joined(orm, owned(accountId, endpointId)),
    pruneRevisions(orm, accountId, endpointId, revision),
  ]);
  if (row === undefined) return { kind: "changed" };
  // The answer to the first write was lost: no other caller stores these settings at this time.
  const repeated =
    row.endpoint.version === next &&
    row.endpoint.settings === settings &&
    row.endpoint.updatedAt === updatedAt;
  if (written.length > 0 || repeated) return { kind: "saved", config: configOf(row) };
  return row.endpoint.version === version ? { kind: "path_taken" } : { kind: "changed" };
}

/**
 * Deletes an endpoint. Its row stays, without settings and secrets, and its path is free. Returns the
 * remaining configuration, also if it was deleted before, or null if there is no such endpoint.
 */
export async function deleteEndpoint(
  db: D1Database,
  accountId: string,
  endpointId: string,
  now: number,
  entry: AuditEntry | null = null,
): Promise<EndpointConfig | null> {
  const orm = drizzle(db);
  const here = and(eq(endpoints.endpointId, endpointId), eq(endpoints.accountId, accountId));
  const [, , [row]] = await orm.batch([
    recordAudit(orm, accountId, entry, found(owned(accountId, endpointId))),
    orm
      .update(endpoints)
      .set({
        path: null,
        formerPath: sql`${endpoints.path}`,
        workflowId: null,
        version: laterVersion(now),
        settings: "",
        updatedAt: now,
        deletedAt: now,
      })
      .where(owned(accountId, endpointId)),
    joined(orm, here),
    deleteRevisions(orm, accountId, endpointId),
  ]);
  return row === undefined ? null : configOf(row);
}

/** Returns an endpoint of this account with its workflow, or null if there is none or it is deleted. */
export function loadEndpoint(
  db: D1Database,
  accountId: string,
  endpointId: string,
): Promise<EndpointConfig | null> {
  return endpointWhere(db, owned(accountId, endpointId));
}

/** Returns the endpoint of this account with an external id, or null if there is none. */
export function loadEndpointByExternalId(
  db: D1Database,
  accountId: string,
  externalId: string,
): Promise<EndpointConfig | null> {
  const here = sql`${endpoints.settings} ->> '$.externalId' = ${externalId}`;
  return endpointWhere(db, and(live(accountId), here));
}

async function endpointWhere(db: D1Database, where: SQL | undefined) {
  const [row] = await joined(drizzle(db), where);
  return row === undefined ? null : configOf(row);
}

/**
 * Returns the endpoint at `/hooks/<address>`, by its generated id or its custom path. A deleted endpoint
 * is found too, by its path until another endpoint has it.
 */
export async function loadByAddress(
  db: D1Database,
  address: string,
): Promise<EndpointConfig | null> {
  const here = generatedId.safeParse(address).success
    ? eq(endpoints.endpointId, address)
    : or(eq(endpoints.path, address), eq(endpoints.formerPath, address));
  const [row] = await joined(drizzle(db), here)
    .orderBy(isNotNull(endpoints.deletedAt), desc(endpoints.deletedAt))
    .limit(1);
  return row === undefined ? null : configOf(row);
}

/**
 * Returns up to `limit` endpoints of an account after a position, the newest first. A row that cannot be
 * read is logged and skipped.
 */
export async function selectEndpoints(
  db: D1Database,
  accountId: string,
  after: Position | null,
  limit: number,
): Promise<Page<EndpointConfig>> {
  const row = { createdAt: endpoints.createdAt, id: endpoints.endpointId };
  const rows = await joined(drizzle(db), and(live(accountId), olderThan(row, after)))
    .orderBy(desc(endpoints.createdAt), desc(endpoints.endpointId))
    .limit(limit + 1);
  const { items, next } = firstOf(rows, limit, ({ endpoint: { createdAt, endpointId: id } }) => ({
    createdAt,
    id,
  }));
  const readable = readableRows(items, configOf, ({ endpoint: { endpointId } }, error) => {
    logError("endpoint not readable", { endpointId }, error);
  });
  return { items: readable, next };
}

/** Returns the number of an account's endpoints, without deleted ones. */
export async function countEndpoints(db: D1Database, accountId: string): Promise<number> {
  return await drizzle(db).$count(endpoints, live(accountId));
}

/** Returns the ids of the account's endpoints, deleted ones too, that begin with these hex digits. */
export async function endpointsByTag(
  db: D1Database,
  accountId: string,
  tag: string,
): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ endpointId: endpoints.endpointId, accountId: endpoints.accountId })
    .from(endpoints)
    // "g" comes right after the hex digits.
    .where(and(gte(endpoints.endpointId, `ep_${tag}`), lt(endpoints.endpointId, `ep_${tag}g`)));
  // With the account in the condition, D1 would read all of the account's endpoints.
  return rows.filter((row) => row.accountId === accountId).map(({ endpointId }) => endpointId);
}

/** Returns the ids of an account's endpoints. */
export function endpointIdsOf(db: D1Database, accountId: string): Promise<string[]> {
  return idsWhere(db, live(accountId));
}

/** Returns the ids of all endpoints of an account, deleted ones included: they have a log. */
export function allEndpointIds(db: D1Database, accountId: string): Promise<string[]> {
  return idsWhere(db, eq(endpoints.accountId, accountId));
}

/** Returns the ids of the endpoints of a workflow. */
export function endpointsOfWorkflow(
  db: D1Database,
  accountId: string,
  workflowId: string,
): Promise<string[]> {
  return idsWhere(db, attached(accountId, workflowId));
}

/** Deletes the rows of these endpoints: their addresses are unknown from then on. */
export async function deleteEndpointRows(
  db: D1Database,
  endpointIds: readonly string[],
): Promise<void> {
  const here = sql`${endpoints.endpointId} IN ${valuesOf(endpointIds)}`;
  await drizzle(db).delete(endpoints).where(here);
}

async function idsWhere(db: D1Database, where: SQL | undefined): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ endpointId: endpoints.endpointId })
    .from(endpoints)
    .where(where);
  return rows.map(({ endpointId }) => endpointId);
}

/** Returns the statement that increases the version of all endpoints of a changed workflow. */
export function touchEndpointsOf(
  orm: DrizzleD1Database,
  accountId: string,
  workflowId: string,
  now: number,
) {
  return orm
    .update(endpoints)
    .set({ version: laterVersion(now), updatedAt: now })
    .where(attached(accountId, workflowId))
    .returning({ endpointId: endpoints.endpointId });
}

/**
 * Returns the statements that detach a deleted workflow from all its endpoints. Those that have it alone
 * get another revision; a route keeps the workflow's id.
 */
export function detachEndpointsOf(
  orm: DrizzleD1Database,
  accountId: string,
  workflowId: string,
  { now, by }: { now: number; by: By },
) {
  const own = and(eq(endpoints.accountId, accountId), eq(endpoints.workflowId, workflowId));
  const stamped = sql`json_set(settings, '$.revision', ${endpointRevision} + 1,
    '$.revisedAt', ${now}, '$.revisedBy', ${by.id}, '$.by', json(${JSON.stringify(by)}))`;
  return [
    archiveEndpoints(orm, own),
    orm
      .update(endpoints)
      .set({
        workflowId: null,
        settings: sql`CASE WHEN workflow_id = ${workflowId} THEN ${stamped} ELSE settings END`,
        version: laterVersion(now),
        updatedAt: now,
      })
      .where(attached(accountId, workflowId))
      .returning({ endpointId: endpoints.endpointId }),
  ] as const;
}

/**
 * The version of a change: the time, which is also later than what an inbox knows from before a restore of
 * the database, or else the next number.
 */
export const laterVersion = (now: number) => sql`max(${endpoints.version} + 1, ${now})`;

/** Selects endpoints with their workflows and their accounts' controls, as of one moment. */
function joined(orm: DrizzleD1Database, where: SQL | undefined) {
  return orm
    .select({
      endpoint: endpoints,
      definition: workflows.definition,
      routed: routedDefinitions,
      inbound: accounts.inbound,
    })
    .from(endpoints)
    .leftJoin(accounts, eq(accounts.accountId, endpoints.accountId))
    .leftJoin(
      workflows,
      and(
        eq(workflows.accountId, endpoints.accountId),
        eq(workflows.workflowId, endpoints.workflowId),
      ),
    )
    .where(where);
}

/** Selects the endpoints of an account, without deleted ones. */
export const live = (accountId: string) =>
  and(eq(endpoints.accountId, accountId), isNull(endpoints.deletedAt));

/** The condition that there is such an endpoint. */
const found = (where: SQL | undefined) => sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${where})`;

const owned = (accountId: string, endpointId: string) =>
  and(eq(endpoints.endpointId, endpointId), live(accountId));

/** The routes in the settings of an endpoint; a deleted one has no settings. */
const ROUTES = sql`json_each(CASE WHEN endpoints.deleted_at IS NULL THEN endpoints.settings ELSE '{}' END, '$.routing.routes') AS route`;

/** The definitions of the workflows that routes start, as a JSON array of JSON texts. */
const routedDefinitions = sql<string>`(SELECT json_group_array(routed.definition) FROM workflows AS routed WHERE routed.account_id = endpoints.account_id AND routed.workflow_id IN (SELECT route.value ->> '$.workflowId' FROM ${ROUTES}))`;

const attached = (accountId: string, workflowId: string) =>
  and(
    eq(endpoints.accountId, accountId),
    or(
      eq(endpoints.workflowId, workflowId),
      sql`EXISTS (SELECT 1 FROM ${ROUTES} WHERE route.value ->> '$.workflowId' = ${workflowId})`,
    ),
  );

/** Selects the id of the workflow if it still exists, within the writing statement. */
function existingWorkflow({ accountId, workflow }: EndpointConfig) {
  if (workflow === null) return null;
  const { workflowId } = workflow;
  return sql<string>`(SELECT ${workflows.workflowId} FROM ${workflows} WHERE ${workflows.accountId} = ${accountId} AND ${workflows.workflowId} = ${workflowId})`;
}

/** Checks that no other endpoint has the path, within the writing statement. */
function isFree({ path, endpointId }: EndpointConfig): SQL | undefined {
  if (path === null) return undefined;
  return sql`NOT EXISTS (SELECT 1 FROM endpoints AS other WHERE other.path = ${path} AND other.endpoint_id <> ${endpointId})`;
}
