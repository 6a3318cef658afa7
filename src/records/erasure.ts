import { and, eq, inArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as z from "zod";
import { endpoints, executions } from "./schema.ts";

/** Rows of one statement: D1 takes a hundred parameters. */
const PARAMETERS = 90;

const tableRow = z.object({ name: z.string() });

/** Deletes the rows of these executions. */
export async function deleteExecutionRows(
  db: D1Database,
  accountId: string,
  executionIds: readonly string[],
): Promise<void> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(executionIds)}))`;
  await drizzle(db)
    .delete(executions)
    .where(and(eq(executions.accountId, accountId), sql`${executions.executionId} IN ${ids}`));
}

/** Returns the ids of some endpoints of an account, deleted ones included. */
export async function endpointIdsOf(
  db: D1Database,
  accountId: string,
  limit: number,
): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ id: endpoints.endpointId })
    .from(endpoints)
    .where(eq(endpoints.accountId, accountId))
    .limit(Math.min(limit, PARAMETERS));
  return rows.map(({ id }) => id);
}

/** Deletes the rows of these endpoints: their addresses are unknown from then on. */
export async function deleteEndpointRows(
  db: D1Database,
  endpointIds: readonly string[],
): Promise<void> {
  await drizzle(db)
    .delete(endpoints)
    .where(inArray(endpoints.endpointId, [...endpointIds]));
}

/** Deletes what is left of an account: its rows in every table that names accounts, in one transaction. */
export async function deleteAccountRows(db: D1Database, accountId: string): Promise<void> {
  const orm = drizzle(db);
  const found = await orm.all(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%account_id%'`,
  );
  const statements = found
    .map((row) => tableRow.parse(row).name)
    .map((name) => db.prepare(`DELETE FROM "${name}" WHERE account_id = ?`).bind(accountId));
  if (statements.length > 0) await db.batch(statements);
}
