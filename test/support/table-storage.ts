import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { ACCOUNT_SCHEMA } from "../../src/accounts/schema.ts";
import type { TableStorage } from "../../src/durable/rows.ts";
import { migrate } from "../../src/durable/schema.ts";
import { INBOX_SCHEMA } from "../../src/endpoints/tables.ts";

/** An object's storage over SQLite in memory, without a runtime. */
export function tableStorage(): TableStorage {
  const database = new DatabaseSync(":memory:");
  const values = new Map<string, unknown>();
  // Objects ask the same few questions thousands of times, and to parse one takes longer than to answer it.
  const statements = new Map<string, StatementSync>();
  return {
    sql: {
      exec(query, ...bindings) {
        if (bindings.length === 0 && /\b(?:CREATE|ALTER) TABLE\b/.test(query)) {
          database.exec(query);
          return { toArray: () => [], one: () => ({}) };
        }
        const statement = statements.get(query) ?? database.prepare(query);
        statements.set(query, statement);
        const stored = statement
          .all(...bindings.map(inputOf))
          .map((row) =>
            Object.fromEntries(Object.entries(row).map(([name, value]) => [name, outputOf(value)])),
          );
        return {
          toArray: () => stored,
          one() {
            const [only] = stored;
            if (only === undefined) throw new Error("There is no row.");
            return only;
          },
        };
      },
    },
    kv: {
      get: (key) => structuredClone(values.get(key)),
      put: (key, value) => void values.set(key, structuredClone(value)),
      delete: (key) => values.delete(key),
    },
    transactionSync(change) {
      const before = new Map(values);
      database.exec("SAVEPOINT change");
      try {
        const value = change();
        database.exec("RELEASE change");
        return value;
      } catch (error) {
        database.exec("ROLLBACK TO change; RELEASE change");
        values.clear();
        for (const [key, value] of before) values.set(key, value);
        throw error;
      }
    },
  };
}

function inputOf(value: SqlStorageValue | Uint8Array): SQLInputValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

function outputOf(value: unknown): SqlStorageValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new Error("Blobs are not supported.");
}

/** The storage of a new account. */
export function accountStorage(): TableStorage {
  const storage = tableStorage();
  migrate(storage, ACCOUNT_SCHEMA);
  return storage;
}

/** The storage of a new inbox. */
export function inboxStorage(): TableStorage {
  const storage = tableStorage();
  migrate(storage, INBOX_SCHEMA);
  return storage;
}

/** Adds the entry of a request that waits for its work to the log of an inbox. */
export function addRequest(
  { sql }: TableStorage,
  seq: number,
  { at = 0, facts = {} }: { at?: number; facts?: object } = {},
): void {
  sql.exec(
    `INSERT INTO requests (seq, request_id, received_at, arrived_at, counted, status, duplicate,
       drifted, run_version, outcome, facts, inputs_chunked, body_chunked, body_truncated)
     VALUES (?1, ?2, ?3, ?3, 0, 'queued', 0, 0, 0, ?4, ?5, 0, 0, 0)`,
    seq,
    `request ${seq}`,
    at,
    JSON.stringify({ errors: [], warnings: [] }),
    JSON.stringify(facts),
  );
}
