import { RequestBatcher } from "../durable/request-batcher.ts";
import { migrate } from "../durable/schema.ts";
import { AccessControl } from "./access.ts";
import { ApiKeys } from "./api-keys.ts";
import { Ledger } from "./ledger.ts";
import { McpServers } from "./mcp-servers.ts";
import { Projector, RowOutbox } from "./outbox.ts";
import { PendingStarts, StartDispatcher } from "./pending-starts.ts";

/** The components of an account's object, once the account exists. */
export type Components = ReturnType<typeof createComponents>;

/** Creates the components over an account's storage, and migrates its tables to the newest version. */
export function createComponents(storage: DurableObjectStorage, env: CloudflareEnv) {
  migrate(storage, ACCOUNT_SCHEMA);
  const { sql } = storage;
  const apiKeys = new ApiKeys(sql);
  const outbox = new RowOutbox(sql);
  const pendingStarts = new PendingStarts(storage);
  return {
    ledger: new Ledger(storage, pendingStarts, outbox),
    apiKeys,
    access: new AccessControl(sql, apiKeys, Date.now()),
    mcpServers: new McpServers(sql),
    outbox,
    projector: new Projector(env.DB, outbox),
    pendingStarts,
    dispatcher: new StartDispatcher(env, pendingStarts),
    batcher: new RequestBatcher(),
  };
}

/** The tables of an account's object, as the steps that `migrate` takes. Append-only. */
const ACCOUNT_SCHEMA = [
  `
  CREATE TABLE keys (
    key_id TEXT PRIMARY KEY, key_hash TEXT NOT NULL UNIQUE, last4 TEXT NOT NULL,
    name TEXT NOT NULL, scopes TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER,
    revoked_at INTEGER, last_used_at INTEGER
  );
  CREATE TABLE grants (
    grant_id TEXT PRIMARY KEY, amount INTEGER NOT NULL, note TEXT NOT NULL, at INTEGER NOT NULL
  );
  -- One row per execution from its acceptance until it has ended and D1 has its last row: its hold, its
  -- seed until its session reports, its row for the lists. No index but the key: each would be a row more
  -- to write. Ids sort by time.
  CREATE TABLE executions (
    execution_id TEXT PRIMARY KEY, held INTEGER NOT NULL, used INTEGER, version INTEGER NOT NULL,
    projected INTEGER NOT NULL, changed_at INTEGER NOT NULL, seed TEXT, row TEXT NOT NULL
  ) WITHOUT ROWID;
  -- Executions that an inbox promised, after that: it may promise them again.
  CREATE TABLE settled (execution_id TEXT PRIMARY KEY, settled_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE idempotency (
    key TEXT PRIMARY KEY, body_hash TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE rate (
    rate_class TEXT NOT NULL, second INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (rate_class, second)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE mcp_servers (
    server_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, url TEXT NOT NULL,
    headers TEXT NOT NULL, sealed_headers TEXT, created_at INTEGER NOT NULL
  );
  `,
] as const;
