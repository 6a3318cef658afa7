const KEY = "schema_version";

/** The part of an object's storage that migrations need. */
export interface SchemaStorage {
  kv: { get(key: string): unknown; put(key: string, value: unknown): void };
  sql: { exec(query: string): unknown };
}

/** Returns whether this object ever stored anything. Reading an unknown object must not write to it. */
export function isInitialised(storage: SchemaStorage): boolean {
  return storage.kv.get(KEY) !== undefined;
}

/**
 * Migrates an object's tables to the newest version: `steps[n]` leads from version n to n + 1. Steps are
 * append-only. Called within a transaction.
 */
export function migrate(storage: SchemaStorage, steps: readonly string[]): void {
  const known = storage.kv.get(KEY);
  const version = typeof known === "number" ? known : 0;
  if (version > steps.length) {
    throw new Error(
      `The stored schema ${version} is newer than this code knows (${steps.length}).`,
    );
  }
  if (version === steps.length) return;
  for (const step of steps.slice(version)) storage.sql.exec(step);
  storage.kv.put(KEY, steps.length);
}
