import * as z from "zod";
import {
  type AddConnectionReply,
  type ConnectionRecord,
  connectionRule,
  MAX_CONNECTIONS,
  type NewConnection,
  type SealedConnection,
} from "../contract/connections.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { TableSql } from "../durable/storage.ts";

const row = z
  .object({
    connection_id: z.string(),
    name: z.string(),
    rule: z.string().transform((text) => connectionRule.parse(JSON.parse(text))),
    sealed_value: z.string(),
    created_at: z.number(),
  })
  .transform((stored) => ({
    connectionId: stored.connection_id,
    name: stored.name,
    rule: stored.rule,
    sealedValue: stored.sealed_value,
    createdAt: stored.created_at,
  }));
type Connection = z.infer<typeof row>;

/** The connections that an execution may use, or the name of one that the account lacks. */
export type ConnectionGrant =
  | { ok: true; connections: ExecutionSeed["connections"] }
  | { ok: false; missing: string };

/** The connections of an account: credentials that its executions may use. */
export class Connections {
  readonly #sql: TableSql;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  add({ connectionId, name, rule, sealedValue }: NewConnection, now: number): AddConnectionReply {
    const known = this.#all();
    if (known.some((each) => each.name === name)) return { kind: "name_taken" };
    if (known.length >= MAX_CONNECTIONS) return { kind: "full", limit: MAX_CONNECTIONS };
    this.#sql.exec(
      `INSERT INTO connections (connection_id, name, rule, sealed_value, created_at)
       VALUES (?, ?, ?, ?, ?)`,
      connectionId,
      name,
      JSON.stringify(rule),
      sealedValue,
      now,
    );
    return { kind: "added", record: recordOf({ connectionId, name, rule, createdAt: now }) };
  }

  list(): ConnectionRecord[] {
    return this.#all().map(recordOf);
  }

  /** Removes a connection. Returns false if there is none with that id. */
  remove(connectionId: string): boolean {
    const removed = this.#sql
      .exec("DELETE FROM connections WHERE connection_id = ? RETURNING 1", connectionId)
      .toArray();
    return removed.length > 0;
  }

  /** Returns the sealed values of these connections, except those that were removed. */
  sealed(connectionIds: readonly string[]): SealedConnection[] {
    return this.#all()
      .filter(({ connectionId }) => connectionIds.includes(connectionId))
      .map(({ connectionId, rule, sealedValue }) => ({ connectionId, rule, sealedValue }));
  }

  ids(): string[] {
    return this.#all().map(({ connectionId }) => connectionId);
  }

  /** Replaces a sealed value that is still the same. */
  reseal(connectionId: string, before: string, after: string): void {
    this.#sql.exec(
      "UPDATE connections SET sealed_value = ? WHERE connection_id = ? AND sealed_value = ?",
      after,
      connectionId,
      before,
    );
  }

  /** Returns the named connections, all of which must exist. */
  grant(names: readonly string[]): ConnectionGrant {
    const connections = this.grantKnown(names);
    const missing = names.find((name) => !connections.some((each) => each.name === name));
    return missing === undefined ? { ok: true, connections } : { ok: false, missing };
  }

  /** Like `grant`, but skips connections that were removed since they were named. */
  grantKnown(names: readonly string[]): ExecutionSeed["connections"] {
    if (names.length === 0) return [];
    return this.#all()
      .filter(({ name }) => names.includes(name))
      .map(({ connectionId, name }) => ({ connectionId, name }));
  }

  #all(): Connection[] {
    return this.#sql
      .exec("SELECT * FROM connections ORDER BY created_at, connection_id")
      .toArray()
      .map((stored) => row.parse(stored));
  }
}

function recordOf({
  connectionId,
  name,
  rule,
  createdAt,
}: Omit<Connection, "sealedValue">): ConnectionRecord {
  return { connectionId, name, ...rule, createdAt: new Date(createdAt).toISOString() };
}
