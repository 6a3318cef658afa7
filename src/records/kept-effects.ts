import { and, eq, gte } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type KeptEffect, keptEffect } from "../contract/backup.ts";
import { idsFrom } from "../lib/execution-id.ts";
import { allDatabases, databaseNamed } from "./databases.ts";
import { executions, keptEffects } from "./schema.ts";

/** Keeps effects that executions had before their account went back in time. A repeat changes nothing. */
export async function keepEffects(
  db: D1Database,
  accountId: string,
  effects: readonly KeptEffect[],
): Promise<void> {
  const [first, ...others] = effects.map(({ executionId, effectId, ...effect }) =>
    drizzle(db)
      .insert(keptEffects)
      .values({ accountId, executionId, effectId, effect: JSON.stringify(effect) })
      .onConflictDoNothing(),
  );
  if (first !== undefined) await drizzle(db).batch([first, ...others]);
}

/** Returns all effects that are kept for an account. */
export async function keptEffectsOf(db: D1Database, accountId: string): Promise<KeptEffect[]> {
  const rows = await drizzle(db)
    .select()
    .from(keptEffects)
    .where(eq(keptEffects.accountId, accountId));
  return rows.map(({ executionId, effectId, effect }) =>
    keptEffect.parse({ executionId, effectId, ...JSON.parse(effect) }),
  );
}

/**
 * Deletes the rows of executions that an account accepted since a time (epoch milliseconds), to which it went
 * back, and lets earlier versions replace those that were written since.
 */
export async function forgetExecutionsSince(
  env: object,
  accountId: string,
  since: number,
): Promise<void> {
  const own = eq(executions.accountId, accountId);
  for (const name of allDatabases(env)) {
    const orm = drizzle(databaseNamed(env, name));
    await orm.batch([
      orm.delete(executions).where(and(own, gte(executions.executionId, idsFrom(since)))),
      orm
        .update(executions)
        .set({ version: 0 })
        .where(and(own, gte(executions.updatedAt, since))),
    ]);
  }
}
