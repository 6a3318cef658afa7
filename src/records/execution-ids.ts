import { and, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { allDatabases, databaseNamed } from "./databases.ts";
import { executions } from "./schema.ts";

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
