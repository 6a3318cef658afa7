import { and, desc, eq, lt, lte, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { KEPT_REVISIONS, type RevisionStamp } from "../contract/revision.ts";
import { endpoints, revisions, workflows } from "./schema.ts";

/** An earlier revision, with its content as JSON. */
export interface ArchivedRevision {
  revision: number;
  content: string;
}

/** Returns up to `limit` earlier revisions of a resource before the revision `before`, the newest first. */
export async function selectRevisions(
  db: D1Database,
  accountId: string,
  resourceId: string,
  { before, limit }: { before: number; limit: number },
): Promise<ArchivedRevision[]> {
  return await drizzle(db)
    .select({ revision: revisions.revision, content: revisions.content })
    .from(revisions)
    .where(and(ofResource(accountId, resourceId), lt(revisions.revision, before)))
    .orderBy(desc(revisions.revision))
    .limit(limit);
}

/** A workflow or an endpoint whose revisions are read. */
export interface Revised<Settings extends RevisionStamp> {
  accountId: string;
  resourceId: string;
  /** The settings of today. */
  current: Settings;
  /** Reads the settings of an earlier revision. Throws if they cannot be read. */
  parse(content: string): Settings;
}

/** `not_found`: there never was such a revision. `gone`: it is no longer kept. */
export class RevisionUnavailable extends Error {
  readonly code: "not_found" | "gone" | "conflict";

  constructor(code: RevisionUnavailable["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the settings of a revision. Throws if there is none, or if it is no longer kept. */
export async function settingsAt<Settings extends RevisionStamp>(
  db: D1Database,
  { accountId, resourceId, current, parse }: Revised<Settings>,
  revision: number,
): Promise<Settings> {
  if (revision === current.revision) return current;
  if (revision > current.revision)
    throw new RevisionUnavailable("not_found", `There is no revision ${revision}.`);
  const row = await drizzle(db)
    .select({ content: revisions.content })
    .from(revisions)
    .where(and(ofResource(accountId, resourceId), eq(revisions.revision, revision)))
    .get();
  if (row !== undefined) return parse(row.content);
  throw new RevisionUnavailable(
    "gone",
    `Revision ${revision} of ${resourceId} is no longer kept: only the current one and the ${KEPT_REVISIONS} before it are.`,
  );
}

/** Returns the statement that stores endpoints as they are, before a change that raises their revisions. */
export function archiveEndpoints(orm: DrizzleD1Database, where: SQL | undefined) {
  return orm
    .insert(revisions)
    .select(
      sql`SELECT account_id, endpoint_id, ${endpointRevision}, json_set(${withoutSecrets},
        '$.path', path, '$.workflowId', workflow_id) FROM endpoints WHERE ${where}`,
    )
    .onConflictDoNothing();
}

/** Returns the statement that stores a workflow as it is, before a change that raises its revision. */
export function archiveWorkflow(orm: DrizzleD1Database, where: SQL | undefined) {
  return orm
    .insert(revisions)
    .select(
      sql`SELECT account_id, workflow_id, ${workflowRevision}, CASE
          WHEN json_type(definition, '$.callback.sealedSecret') = 'text'
          THEN json_replace(definition, '$.callback.sealedSecret', '') ELSE definition END
        FROM workflows WHERE ${where}`,
    )
    .onConflictDoNothing();
}

/** Returns the statement that deletes the revisions that are not kept once `current` is the newest. */
export function pruneRevisions(
  orm: DrizzleD1Database,
  accountId: string,
  resourceId: string,
  current: number,
) {
  const old = lte(revisions.revision, current - 1 - KEPT_REVISIONS);
  return orm.delete(revisions).where(and(ofResource(accountId, resourceId), old));
}

/** Returns the statement that deletes all revisions of a deleted resource. */
export function deleteRevisions(orm: DrizzleD1Database, accountId: string, resourceId: string) {
  return orm.delete(revisions).where(ofResource(accountId, resourceId));
}

/** The revisions of rows; what older code stored is the first one. */
export const endpointRevision = sql`coalesce(${endpoints.settings} ->> '$.revision', 1)`;
export const workflowRevision = sql`coalesce(${workflows.definition} ->> '$.revision', 1)`;

/** Settings whose sealed secrets are empty: keys change, and revisions are not sealed again. */
const withoutSecrets = sql`json_replace(settings,
  '$.auth.token.secret.sealed', '', '$.auth.token.secret.previous', NULL,
  '$.auth.hmac.secret.sealed', '', '$.auth.hmac.secret.previous', NULL,
  '$.auth.signature.secret.sealed', '', '$.auth.signature.secret.previous', NULL,
  '$.auth.headers', json((SELECT json_group_array(json_replace(header.value, '$.value.sealed', ''))
    FROM json_each(settings, '$.auth.headers') AS header)))`;

function ofResource(accountId: string, resourceId: string) {
  return and(eq(revisions.accountId, accountId), eq(revisions.resourceId, resourceId));
}
