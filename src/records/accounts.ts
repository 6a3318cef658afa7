import { desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { InboundControls } from "../contract/quotas.ts";
import { laterVersion, live } from "./endpoints.ts";
import { accounts, endpoints, olderThan } from "./schema.ts";

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
    .select({ accountId: accounts.accountId, createdAt: accounts.createdAt })
    .from(accounts)
    .where(older)
    .orderBy(desc(accounts.createdAt), desc(accounts.accountId))
    .limit(query.limit);
}

/** Sets what an account allows its endpoints, and increases their versions, in one transaction. */
export async function setInboundControls(
  db: D1Database,
  accountId: string,
  controls: InboundControls,
  now: number,
): Promise<void> {
  const orm = drizzle(db);
  await orm.batch([
    orm
      .update(accounts)
      .set({ inbound: JSON.stringify(controls) })
      .where(eq(accounts.accountId, accountId)),
    orm
      .update(endpoints)
      .set({ version: laterVersion(now) })
      .where(live(accountId)),
  ]);
}
