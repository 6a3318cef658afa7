import { CONTROL_DATABASE } from "../contract/placement.ts";

const RECORDS = /^RECORDS_\d+$/;

/**
 * Returns the bindings of the databases for new execution rows: `RECORDS_0` and so on, or the one of the
 * control rows where there are none.
 */
export function recordDatabases(env: object): string[] {
  const names = Object.keys(env).filter((name) => RECORDS.test(name));
  return names.length === 0 ? [CONTROL_DATABASE] : names;
}

/** Returns the database of a binding. Throws if there is none. */
export function databaseNamed(env: object, name: string): D1Database {
  const found: unknown = Reflect.get(env, name);
  if (!isDatabase(found)) throw new Error(`No database is bound as ${name}.`);
  return found;
}

/**
 * Returns a database whose reads the nearest replica answers, which may be a moment behind. Each use has
 * one of its own.
 */
export function nearestReplica(db: D1Database): D1Database {
  const session = db.withSession("first-unconstrained");
  return {
    prepare: (query) => session.prepare(query),
    batch: (statements) => session.batch(statements),
    exec: (query) => db.exec(query),
    dump: () => db.dump(),
    withSession: (constraint) => db.withSession(constraint),
  };
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === "object" && binding !== null && "prepare" in binding;
}
