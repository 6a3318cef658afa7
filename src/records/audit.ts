import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import * as z from "zod";
import {
  type AuditEntry,
  type AuditQuery,
  auditEntry,
  auditIdAt,
  oldestAuditId,
} from "../contract/audit.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { audit } from "./schema.ts";

/** A stored entry, in D1 as in an account's object. */
export const auditRow = z
  .object({ entry: z.string() })
  .transform(({ entry }) => auditEntry.parse(JSON.parse(entry)));

/** Returns the condition of a query in SQL, and the values of its parameters. */
export function auditConditions(query: AuditQuery): { where: string; values: string[] } {
  const { after, action, resource, by, from, to } = query;
  const given: [condition: string, ...values: (string | null | undefined)[]][] = [
    ["entry_id < ?", after],
    ["action = ?", action],
    ["resource_id = ?", resource],
    ["(by_kind = ? OR by_id = ?)", by, by],
    ["entry_id >= ?", from === undefined ? null : auditIdAt(from)],
    ["entry_id < ?", to === undefined ? null : auditIdAt(to)],
  ];
  const conditions = ["TRUE"];
  const values: string[] = [];
  for (const [condition, ...those] of given) {
    const known = those.filter((value) => value !== null && value !== undefined);
    if (known.length === 0) continue;
    conditions.push(condition);
    values.push(...known);
  }
  return { where: conditions.join(" AND "), values };
}

/**
 * Returns the statement that stores an entry while `happens` holds: in the batch of the change, so that
 * neither is there without the other. A repeat stores nothing, and neither does null.
 */
export function recordAudit(
  orm: DrizzleD1Database,
  accountId: string,
  entry: AuditEntry | null,
  happens: SQL,
) {
  const stored = JSON.stringify(entry);
  return orm
    .insert(audit)
    .select(
      sql`SELECT ${accountId}, entry ->> '$.entryId', entry ->> '$.action', entry ->> '$.resource.id',
        entry ->> '$.by.kind', entry ->> '$.by.id', entry
        FROM (SELECT ${stored} AS entry) WHERE entry <> 'null' AND ${happens}`,
    )
    .onConflictDoNothing();
}

/** Returns the entries of a query that D1 has, newest first. One that cannot be read is logged and skipped. */
export async function selectAudit(
  db: D1Database,
  accountId: string,
  query: AuditQuery,
): Promise<AuditEntry[]> {
  const { where, values } = auditConditions(query);
  const { results } = await db
    .prepare(
      `SELECT entry_id, entry FROM audit WHERE account_id = ? AND ${where}
       ORDER BY entry_id DESC LIMIT ?`,
    )
    .bind(accountId, ...values, query.limit)
    .all();
  return readableRows(
    results,
    (row) => auditRow.parse(row),
    (row, error) => logError("audit entry not readable", { id: String(row.entry_id) }, error),
  );
}

/** Deletes an account's entries that are older than the log is kept. */
export async function pruneAudit(db: D1Database, accountId: string, now: number): Promise<void> {
  await drizzle(db)
    .delete(audit)
    .where(and(eq(audit.accountId, accountId), lt(audit.entryId, oldestAuditId(now))));
}
