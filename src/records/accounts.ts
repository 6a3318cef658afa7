import { desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { InboundControls } from "../contract/operators.ts";
import { firstOf, type Page, type Position } from "../lib/pages.ts";
import { OWNED } from "./databases.ts";
import { laterVersion, live } from "./endpoints.ts";
import { accounts, endpoints, olderThan } from "./schema.ts";

/** Adds an account to the operators' list. A repeat changes nothing. */
export async function insertAccount(
  db: D1Database,
  account: { accountId: string; createdAt: number },
): Promise<void> {
  await drizzle(db).insert(accounts).values(account).onConflictDoNothing();
}

/** Returns a page of the accounts, the newest first. */
export async function listAccounts(
  db: D1Database,
  after: Position | null,
  limit: number,
): Promise<Page<Position>> {
  const row = { createdAt: accounts.createdAt, id: accounts.accountId };
  const found = await drizzle(db)
    .select(row)
    .from(accounts)
    .where(olderThan(row, after))
    .orderBy(desc(accounts.createdAt), desc(accounts.accountId))
    .limit(limit + 1);
  return firstOf(found, limit, (account) => account);
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

/** Deletes what is left of an account: its rows in every table that names accounts, in one transaction. */
export async function deleteAccountRows(db: D1Database, accountId: string): Promise<void> {
  const statements = OWNED.map(({ name }) =>
    db.prepare(`DELETE FROM ${name} WHERE account_id = ?`).bind(accountId),
  );
  await db.batch(statements);
}
