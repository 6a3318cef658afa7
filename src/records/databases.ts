import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { CONTROL_DATABASE } from "../contract/placement.ts";
import * as schema from "./schema.ts";

const RECORDS = /^RECORDS_\d+$/;

/**
 * Returns the bindings of the databases for new execution rows: `RECORDS_0` and so on, or the one of the
 * control rows where there are none.
 */
export function recordDatabases(env: object): string[] {
  const names = Object.keys(env).filter((name) => RECORDS.test(name));
  return names.length === 0 ? [CONTROL_DATABASE] : names;
}

/** The tables of a database: their names, columns and keys. */
const TABLES = Object.values(schema)
  .filter((each) => is(each, SQLiteTable))
  .map((table) => {
    const { name, columns, primaryKeys } = getTableConfig(table);
    const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
    return { name, columns: columns.map(nameOf), key: keys.map(nameOf) };
  });

/** The tables that name accounts. */
export const OWNED = TABLES.filter(({ columns }) => columns.includes("account_id"));

function nameOf({ name }: { name: string }): string {
  return name;
}

/** A statement for each table that reads all of its columns, and no row. */
// Without quotes: SQLite takes a quoted name that it does not know for a text.
const PROBES = TABLES.map(({ name, columns }) => `SELECT ${columns.join()} FROM ${name} LIMIT 0`);

/** Returns the bindings of all databases. */
export function allDatabases(env: object): string[] {
  return [...new Set([CONTROL_DATABASE, ...recordDatabases(env)])];
}

/** Throws unless every database answers and has the tables and columns that this code uses. */
export async function probeDatabases(env: object): Promise<void> {
  const databases = allDatabases(env).map((name) => databaseNamed(env, name));
  await Promise.all(databases.map((db) => db.batch(PROBES.map((probe) => db.prepare(probe)))));
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
