import { and, desc, eq, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { accounts } from "./schema.ts";

/** The last account of the page before. */
export interface AccountPosition {
  createdAt: number;
  accountId: string;
}

/** Enters an account in the operators' list; a repeat changes nothing. */
export async function insertAccount(db: D1Database, account: AccountPosition): Promise<void> {
  await drizzle(db).insert(accounts).values(account).onConflictDoNothing();
}

/** Ids of accounts, the newest first, `limit` of them at most from after `cursor`. */
export async function listAccountIds(
  db: D1Database,
  query: { limit: number; cursor: AccountPosition | null },
): Promise<AccountPosition[]> {
  const { cursor } = query;
  const older =
    cursor === null
      ? undefined
      : or(
          lt(accounts.createdAt, cursor.createdAt),
          and(eq(accounts.createdAt, cursor.createdAt), lt(accounts.accountId, cursor.accountId)),
        );
  return await drizzle(db)
    .select()
    .from(accounts)
    .where(older)
    .orderBy(desc(accounts.createdAt), desc(accounts.accountId))
    .limit(query.limit);
}
