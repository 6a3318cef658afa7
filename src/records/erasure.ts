import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as z from "zod";
import { endpoints, executions } from "./schema.ts";

const tableRow = z.object({ name: z.string() });

/** Ids as one parameter: D1 takes a hundred. */
const listed = (ids: readonly string[]) =>
  sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Deletes the rows of these executions. */
export async function deleteExecutionRows(
  db: D1Database,
  accountId: string,
  executionIds: readonly string[],
): Promise<void> {
  const here = sql`${executions.executionId} IN ${listed(executionIds)}`;
  await drizzle(db)
    .delete(executions)
    .where(and(eq(executions.accountId, accountId), here));
}

/** Deletes the rows of these endpoints: their addresses are unknown from then on. */
export async function deleteEndpointRows(
  db: D1Database,
  endpointIds: readonly string[],
): Promise<void> {
  await drizzle(db)
    .delete(endpoints)
    .where(sql`${endpoints.endpointId} IN ${listed(endpointIds)}`);
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
