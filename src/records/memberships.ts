import { and, asc, count, eq, gt, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { memberships, signInLinks } from "./schema.ts";

/** The most links for signing in that one address has at a time. */
const MAX_LINKS = 5;
/** The most accounts of which one address is shown to be a member. */
const MAX_ACCOUNTS = 100;

/**
 * Notes that an address may be a member of an account. It is written before and after the account's object
 * adds the member, and deleted after it removed the member, so that every member is found.
 */
export async function addMembership(
  db: D1Database,
  email: string,
  accountId: string,
): Promise<void> {
  await drizzle(db).insert(memberships).values({ email, accountId }).onConflictDoNothing();
}

export async function deleteMembership(
  db: D1Database,
  email: string,
  accountId: string,
): Promise<void> {
  const here = and(eq(memberships.email, email), eq(memberships.accountId, accountId));
  await drizzle(db).delete(memberships).where(here);
}

/** Returns the ids of the accounts of which an address may be a member. */
export async function accountsOfEmail(db: D1Database, email: string): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.email, email))
    .orderBy(asc(memberships.accountId))
    .limit(MAX_ACCOUNTS);
  return rows.map(({ accountId }) => accountId);
}

/** Stores a link for signing in. Returns false if the address has enough of them. */
export async function addSignInLink(
  db: D1Database,
  link: { tokenHash: string; email: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  const { tokenHash, email, expiresAt } = link;
  const orm = drizzle(db);
  const live = orm.select({ n: count() }).from(signInLinks).where(eq(signInLinks.email, email));
  const added = sql`SELECT ${tokenHash}, ${email}, ${expiresAt} WHERE ${live} < ${MAX_LINKS}`;
  const [, stored] = await orm.batch([
    orm.delete(signInLinks).where(lte(signInLinks.expiresAt, now)),
    orm.insert(signInLinks).select(added).returning(),
  ]);
  return stored.length > 0;
}

/** Returns the address of a link, or null if it was used before or has expired; `take` uses it up. */
export async function signInLinkEmail(
  db: D1Database,
  { tokenHash, take }: { tokenHash: string; take: boolean },
  now: number,
): Promise<string | null> {
  const here = and(eq(signInLinks.tokenHash, tokenHash), gt(signInLinks.expiresAt, now));
  const orm = drizzle(db);
  const found = take
    ? orm.delete(signInLinks).where(here).returning()
    : orm.select().from(signInLinks).where(here);
  return (await found).at(0)?.email ?? null;
}
