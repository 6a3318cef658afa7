import { and, desc, eq, gte, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { type EndpointConfig, endpointId as generatedId } from "../contract/inbound/endpoint.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { configOf, settingsText } from "./endpoints.ts";
import { endpoints, workflows } from "./schema.ts";

/** The last endpoint of the page before. */
export interface EndpointPosition {
  createdAt: number;
  endpointId: string;
}

/** A page of endpoints, the newest first; `next` is null on the last one. */
export interface EndpointPage {
  endpoints: EndpointConfig[];
  next: EndpointPosition | null;
}

/** What became of a write. `config` is what D1 holds after it, with the workflow of that moment. */
export type EndpointWrite =
  | { kind: "saved"; config: EndpointConfig }
  /** Another endpoint has this path. */
  | { kind: "path_taken" }
  /** It is not in the version that was expected any more, or it is deleted. */
  | { kind: "changed" };

/**
 * Stores a new endpoint. A repeat of the same call changes nothing and answers the same. A workflow
 * that was deleted meanwhile is not attached, as if it had been deleted right after.
 */
export async function insertEndpoint(
  db: D1Database,
  config: EndpointConfig,
): Promise<EndpointWrite> {
  const { endpointId, accountId, path, version, createdAt, updatedAt } = config;
  const orm = drizzle(db);
  const [, [row]] = await orm.batch([
    orm
      .insert(endpoints)
      .values({
        endpointId,
        accountId,
        path,
        workflowId: existingWorkflow(config),
        version,
        settings: settingsText(config),
        createdAt,
        updatedAt,
      })
      .onConflictDoNothing(),
    joined(orm, owned(accountId, endpointId)),
  ]);
  // Ids are random: that it is not there can only be the path's unique index.
  return row === undefined ? { kind: "path_taken" } : { kind: "saved", config: configOf(row) };
}

/**
 * Replaces an endpoint that still is in version `config.version`, and raises the version. A repeat of
 * the same call changes nothing and answers the same.
 */
export async function updateEndpoint(
  db: D1Database,
  config: EndpointConfig,
): Promise<EndpointWrite> {
  const { endpointId, accountId, path, version, updatedAt } = config;
  const settings = settingsText(config);
  const orm = drizzle(db);
  const [written, [row]] = await orm.batch([
    orm
      .update(endpoints)
      .set({
        path,
        workflowId: existingWorkflow(config),
        version: version + 1,
        settings,
        updatedAt,
      })
      .where(and(owned(accountId, endpointId), eq(endpoints.version, version), isFree(config)))
      .returning({ version: endpoints.version }),
    joined(orm, owned(accountId, endpointId)),
  ]);
  if (row === undefined) return { kind: "changed" };
  // A write whose answer was lost: nobody else would store just this at just this time.
  const repeated =
    row.endpoint.version === version + 1 &&
    row.endpoint.settings === settings &&
    row.endpoint.updatedAt === updatedAt;
  if (written.length > 0 || repeated) return { kind: "saved", config: configOf(row) };
  return row.endpoint.version === version ? { kind: "path_taken" } : { kind: "changed" };
}

/**
 * Deletes an endpoint: what stays is a mark, without its settings and secrets, and its path is free.
 * Answers what is left as a configuration, also when it was deleted before; null when there is none.
 */
export async function deleteEndpoint(
  db: D1Database,
  accountId: string,
  endpointId: string,
  now: number,
): Promise<EndpointConfig | null> {
  const orm = drizzle(db);
  const here = and(eq(endpoints.endpointId, endpointId), eq(endpoints.accountId, accountId));
  const [, [row]] = await orm.batch([
    orm
      .update(endpoints)
      .set({
        path: null,
        formerPath: sql`${endpoints.path}`,
        workflowId: null,
        version: sql`${endpoints.version} + 1`,
        settings: "",
        updatedAt: now,
        deletedAt: now,
      })
      .where(owned(accountId, endpointId)),
    joined(orm, here),
  ]);
  return row === undefined ? null : configOf(row);
}

/** An endpoint of this account with its workflow; null when there is none, or it is deleted. */
export async function loadEndpoint(
  db: D1Database,
  accountId: string,
  endpointId: string,
): Promise<EndpointConfig | null> {
  const [row] = await joined(drizzle(db), owned(accountId, endpointId));
  return row === undefined ? null : configOf(row);
}

/**
 * The endpoint that requests under `/hooks/<address>` are for: a generated id or a custom path. A
 * deleted one is found as well, by its path until another endpoint has it, and says that it is.
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
 * Endpoints of an account, the newest first, at most `limit` of them from after `position`. A row that
 * cannot be read is told to the operators and left out: it must not hide the others.
 */
export async function selectEndpoints(
  db: D1Database,
  accountId: string,
  position: EndpointPosition | null,
  limit: number,
): Promise<EndpointPage> {
  const rows = await joined(drizzle(db), and(live(accountId), after(position)))
    .orderBy(desc(endpoints.createdAt), desc(endpoints.endpointId))
    // One more than asked for tells whether there is a next page.
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)?.endpoint : undefined;
  return {
    endpoints: readableRows(page, configOf, ({ endpoint: { endpointId } }, error) => {
      logError("endpoint not readable", { endpointId }, error);
    }),
    next: last === undefined ? null : { createdAt: last.createdAt, endpointId: last.endpointId },
  };
}

/** Ids of the account's endpoints, deleted ones too, whose id begins with these hex digits. */
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
  // With the account in the condition, D1 would go through all of the account's endpoints.
  return rows.filter((row) => row.accountId === accountId).map(({ endpointId }) => endpointId);
}

/** Ids of the endpoints that a workflow is attached to. */
export async function endpointsOfWorkflow(
  db: D1Database,
  accountId: string,
  workflowId: string,
): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ endpointId: endpoints.endpointId })
    .from(endpoints)
    .where(attached(accountId, workflowId));
  return rows.map(({ endpointId }) => endpointId);
}

/** The statement that raises the version of all endpoints of a workflow which changes. */
export function touchEndpointsOf(
  orm: DrizzleD1Database,
  accountId: string,
  workflowId: string,
  now: number,
) {
  return orm
    .update(endpoints)
    .set({ version: sql`${endpoints.version} + 1`, updatedAt: now })
    .where(attached(accountId, workflowId))
    .returning({ endpointId: endpoints.endpointId });
}

/** The statement that detaches a workflow which is deleted from all its endpoints. */
export function detachEndpointsOf(
  orm: DrizzleD1Database,
  accountId: string,
  workflowId: string,
  now: number,
) {
  return orm
    .update(endpoints)
    .set({ workflowId: null, version: sql`${endpoints.version} + 1`, updatedAt: now })
    .where(attached(accountId, workflowId))
    .returning({ endpointId: endpoints.endpointId });
}

/** Endpoints beside their workflows, in one statement and so as of one moment. */
function joined(orm: DrizzleD1Database, where: SQL | undefined) {
  return orm
    .select({ endpoint: endpoints, definition: workflows.definition })
    .from(endpoints)
    .leftJoin(
      workflows,
      and(
        eq(workflows.accountId, endpoints.accountId),
        eq(workflows.workflowId, endpoints.workflowId),
      ),
    )
    .where(where);
}

const live = (accountId: string) =>
  and(eq(endpoints.accountId, accountId), isNull(endpoints.deletedAt));

const owned = (accountId: string, endpointId: string) =>
  and(eq(endpoints.endpointId, endpointId), live(accountId));

const attached = (accountId: string, workflowId: string) =>
  and(eq(endpoints.accountId, accountId), eq(endpoints.workflowId, workflowId));

/** The id of the workflow if there still is one, decided by the writing statement itself. */
function existingWorkflow({ accountId, workflow }: EndpointConfig) {
  if (workflow === null) return null;
  const { workflowId } = workflow;
  return sql<string>`(SELECT ${workflows.workflowId} FROM ${workflows} WHERE ${workflows.accountId} = ${accountId} AND ${workflows.workflowId} = ${workflowId})`;
}

/** That no other endpoint has the path, decided by the writing statement itself. */
function isFree({ path, endpointId }: EndpointConfig): SQL | undefined {
  if (path === null) return undefined;
  return sql`NOT EXISTS (SELECT 1 FROM endpoints AS other WHERE other.path = ${path} AND other.endpoint_id <> ${endpointId})`;
}

function after(position: EndpointPosition | null): SQL | undefined {
  if (position === null) return undefined;
  return or(
    lt(endpoints.createdAt, position.createdAt),
    and(eq(endpoints.createdAt, position.createdAt), lt(endpoints.endpointId, position.endpointId)),
  );
}
