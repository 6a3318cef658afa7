const KEY = "schema_version";
/** The fewest steps that code knows which can work on the tables; absent while steps only add. */
const READABLE_KEY = "schema_readable_by";

const UNREADABLE = "The stored state cannot be read by this version; start the one that stored it.";

/** An object's stored state is damaged, or another version stored it. It stays as it is. */
export class UnreadableStateError extends Error {
  constructor(reason: unknown) {
    super(`${UNREADABLE} ${reason instanceof Error ? reason.message : String(reason)}`);
    this.name = "UnreadableStateError";
  }
}

/** Whether a call failed because of an object's stored state. Only the message comes over from the object. */
export function isUnreadableState(error: unknown): boolean {
  return error instanceof Error && error.message.includes(UNREADABLE);
}

/** The part of an object's storage that migrations need. */
export interface SchemaStorage {
  kv: { get(key: string): unknown; put(key: string, value: unknown): void };
  sql: { exec(query: string): unknown };
}

/** Returns whether this object ever stored anything. Reading an unknown object must not write to it. */
export function isInitialised(storage: SchemaStorage): boolean {
  return storage.kv.get(KEY) !== undefined;
}

/** Returns how many steps led to an object's tables; 0 if it never stored anything. */
export function versionOf(storage: SchemaStorage): number {
  return numberAt(storage, KEY);
}

/** Declares tables that exist already to be those after so many steps. */
export function putVersion(storage: SchemaStorage, version: number): void {
  storage.kv.put(KEY, version);
}

/**
 * Migrates an object's tables to the newest version: `steps[n]` leads from version n to n + 1. Steps are
 * append-only and only add tables, indexes and columns that are nullable or have a default, or replace an
 * index, so older code, to which a deployment can be rolled back, works on the tables of newer code. A step
 * that cannot be so stores under `schema_readable_by` how many steps code has to know. Called within a
 * transaction.
 */
export function migrate(storage: SchemaStorage, steps: readonly string[]): void {
  const version = numberAt(storage, KEY);
  if (version > steps.length) {
    if (numberAt(storage, READABLE_KEY) <= steps.length) return;
    throw new Error(`Its schema ${version} is newer than the known one (${steps.length}).`);
  }
  if (version === steps.length) return;
  for (const step of steps.slice(version)) storage.sql.exec(step);
  storage.kv.put(KEY, steps.length);
}

function numberAt({ kv }: SchemaStorage, key: string): number {
  const known = kv.get(key);
  return typeof known === "number" ? known : 0;
}
