import * as z from "zod";
import {
  type ConnectionRecord,
  connectionRule,
  MAX_CONNECTIONS,
  type NewConnection,
  type SealedConnection,
} from "../contract/connections.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { jsonColumn } from "../durable/rows.ts";
import { NamedRecords, namedRow } from "./named-records.ts";

const row = namedRow.extend({ sealedValue: z.string(), rule: jsonColumn(connectionRule) });
type Connection = z.infer<typeof row>;

/** The connections that an execution may use, or the name of one that the account lacks. */
type ConnectionGrant =
  | { ok: true; connections: ExecutionSeed["connections"] }
  | { ok: false; missing: string };

/** The connections of an account: credentials that its executions may use. */
export class Connections extends NamedRecords<Connection, ConnectionRecord> {
  protected override readonly of = {
    table: "connections",
    idColumn: "connection_id",
    sealedColumn: "sealed_value",
    row,
    own: ({ rule }: Connection) => ({ rule }),
    limit: MAX_CONNECTIONS,
    shown: recordOf,
  };

  add({ connectionId: id, ...given }: NewConnection, createdAt: number) {
    return this.put({ id, ...given, createdAt });
  }

  /** Returns the sealed values of these connections, except those that were removed. */
  sealed(connectionIds: readonly string[]): SealedConnection[] {
    return this.among(connectionIds).map(({ id, rule, sealedValue }) => {
      return { connectionId: id, rule, sealedValue };
    });
  }

  /** Returns the named connections, all of which must exist. */
  grant(names: readonly string[]): ConnectionGrant {
    const connections = this.grantKnown(names);
    const missing = names.find((name) => !connections.some((each) => each.name === name));
    return missing === undefined ? { ok: true, connections } : { ok: false, missing };
  }

  /** Like `grant`, but skips connections that were removed since they were named. */
  grantKnown(names: readonly string[]): ExecutionSeed["connections"] {
    return this.all()
      .filter(({ name }) => names.includes(name))
      .map(({ id, name }) => ({ connectionId: id, name }));
  }
}

function recordOf({ id, name, rule, createdAt }: Connection): ConnectionRecord {
  return { connectionId: id, name, ...rule, createdAt: new Date(createdAt).toISOString() };
}
