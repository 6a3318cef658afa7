import { desc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { accounts, olderThan } from "./schema.ts";

/** The last account of the previous page. */
export interface AccountPosition {
  createdAt: number;
  accountId: string;
}

/** Adds an account to the operators' list. A repeat changes nothing. */
export async function insertAccount(db: D1Database, account: AccountPosition): Promise<void> {
  await drizzle(db).insert(accounts).values(account).onConflictDoNothing();
}

/** Returns up to `limit` account ids after `cursor`, the newest first. */
export async function listAccountIds(
  db: D1Database,
  query: { limit: number; cursor: AccountPosition | null },
): Promise<AccountPosition[]> {
  const { cursor } = query;
  const row = { createdAt: accounts.createdAt, id: accounts.accountId };
  const older = cursor === null ? undefined : olderThan(row, cursor.createdAt, cursor.accountId);
  return await drizzle(db)
    .select()
    .from(accounts)
    .where(older)
    .orderBy(desc(accounts.createdAt), desc(accounts.accountId))
    .limit(query.limit);
}
