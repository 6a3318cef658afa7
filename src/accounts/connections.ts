import {
  type AddReply,
  type ConnectionRecord,
  type ConnectionRule,
  connectionRule,
  MAX_CONNECTIONS,
  type NewConnection,
  type SealedConnection,
} from "../contract/connections.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { TableSql } from "../durable/storage.ts";
import { type SealedRecord, SealedRecords } from "./sealed-records.ts";

/** The connections that an execution may use, or the name of one that the account lacks. */
export type ConnectionGrant =
  | { ok: true; connections: ExecutionSeed["connections"] }
  | { ok: false; missing: string };

/** The connections of an account: credentials that its executions may use. */
export class Connections {
  readonly records: SealedRecords<ConnectionRule>;

  constructor(sql: TableSql) {
    this.records = new SealedRecords(sql, {
      table: "connections",
      idColumn: "connection_id",
      rule: connectionRule,
      limit: MAX_CONNECTIONS,
    });
  }

  add(
    { connectionId: id, ...connection }: NewConnection,
    createdAt: number,
  ): AddReply<ConnectionRecord> {
    const record = { id, ...connection, createdAt };
    return this.records.add(record) ?? { kind: "added", record: recordOf(record) };
  }

  list(): ConnectionRecord[] {
    return this.records.all().map(recordOf);
  }

  /** Returns the sealed values of these connections, except those that were removed. */
  sealed(connectionIds: readonly string[]): SealedConnection[] {
    return this.records
      .all()
      .filter(({ id }) => connectionIds.includes(id))
      .map(({ id, rule, sealedValue }) => ({ connectionId: id, rule, sealedValue }));
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
    return this.records
      .all()
      .filter(({ name }) => names.includes(name))
      .map(({ id, name }) => ({ connectionId: id, name }));
  }
}

function recordOf({ id, name, rule, createdAt }: SealedRecord<ConnectionRule>): ConnectionRecord {
  return { connectionId: id, name, ...rule, createdAt: new Date(createdAt).toISOString() };
}
