import { SUBSCRIPTIONS_TABLE } from "../deliveries/subscriptions.ts";

/** The tables of an account's object, as the steps that `migrate` takes. Append-only. */
export const ACCOUNT_SCHEMA = [
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
  -- seed until its session reports, its row for the lists, and when its credits changed. No index but
  -- the key, by which rows sort by time: each would be a row more to write.
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
  `
  CREATE TABLE storage_use (source TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE connections (
    connection_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, rule TEXT NOT NULL,
    sealed_value TEXT NOT NULL, created_at INTEGER NOT NULL
  );
  `,
  `
  -- Schedules: the next time, when to look again, runs that wait, the newest execution, and those that are
  -- decided and may not be accepted yet.
  CREATE TABLE schedules (
    schedule_id TEXT PRIMARY KEY, workflow_id TEXT NOT NULL, settings TEXT NOT NULL,
    enabled INTEGER NOT NULL, next_at INTEGER, look_at INTEGER, waiting INTEGER NOT NULL, live TEXT,
    promised TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  );
  `,
  `
  -- The times of the runs that wait and of those that are promised, in their order, and the last runs.
  ALTER TABLE schedules ADD COLUMN waiting_for TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE schedules ADD COLUMN promised_for TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE schedules ADD COLUMN last_runs TEXT NOT NULL DEFAULT '[]';
  `,
  `
  CREATE TABLE audit (
    entry_id TEXT PRIMARY KEY, action TEXT NOT NULL, resource_id TEXT NOT NULL,
    by_kind TEXT NOT NULL, by_id TEXT NOT NULL, entry TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE members (
    member_id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT, role TEXT NOT NULL,
    created_at INTEGER NOT NULL, last_sign_in_at INTEGER
  );
  CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY, member_id TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- Keys that had all scopes get those that are new.
  UPDATE keys SET scopes = '["executions:read","executions:write","credits:read","workflows:read","workflows:write","webhooks:read","webhooks:write","decisions:read","decisions:write","destinations:read","destinations:write","models:read","models:write","members:admin","audit:read","keys:admin"]'
    WHERE json_array_length(scopes) = 8;
  `,
  `
  CREATE TABLE destinations (destination_id TEXT PRIMARY KEY, destination TEXT NOT NULL) WITHOUT ROWID;
  -- What is owed to each destination, and what became of it; the ids sort by time.
  CREATE TABLE deliveries (
    destination_id TEXT NOT NULL, delivery_id TEXT NOT NULL, state TEXT NOT NULL,
    message TEXT NOT NULL, deliveries TEXT NOT NULL, attempts TEXT NOT NULL,
    PRIMARY KEY (destination_id, delivery_id)
  ) WITHOUT ROWID;
  CREATE INDEX deliveries_pending ON deliveries (state) WHERE state = 'pending';
  -- What is failing now, and what was told of it.
  CREATE TABLE alerts (
    type TEXT NOT NULL, resource_id TEXT NOT NULL, alert TEXT NOT NULL,
    PRIMARY KEY (type, resource_id)
  ) WITHOUT ROWID;
  `,
  `
  -- The name of a schedule that files may keep, and the revision of its settings; managed_by is JSON.
  ALTER TABLE schedules ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE schedules ADD COLUMN external_id TEXT;
  ALTER TABLE schedules ADD COLUMN managed_by TEXT NOT NULL DEFAULT 'null';
  CREATE UNIQUE INDEX schedules_by_external_id ON schedules (external_id);
  `,
  `
  -- Decisions of executions, as their sessions reported them, and the codes that links ask for.
  CREATE TABLE decisions (
    decision_id TEXT PRIMARY KEY, requested_at INTEGER NOT NULL, state TEXT NOT NULL,
    decision TEXT NOT NULL, rules TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX decisions_by_time ON decisions (requested_at, decision_id);
  CREATE INDEX decisions_open ON decisions (requested_at, decision_id) WHERE state = 'open';
  CREATE TABLE decision_codes (
    decision_id TEXT NOT NULL, recipient TEXT NOT NULL, code_hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL, tries INTEGER NOT NULL, sent INTEGER NOT NULL,
    PRIMARY KEY (decision_id, recipient)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE model_providers (
    provider_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, rule TEXT NOT NULL,
    sealed_value TEXT NOT NULL, created_at INTEGER NOT NULL
  );
  `,
  `
  -- Replays of requests and retries of executions, with what each is made of. \`made_id\` is the id of what an
  -- item starts, and is stored before that.
  CREATE TABLE jobs (
    job_id TEXT PRIMARY KEY, settings TEXT NOT NULL, status TEXT NOT NULL, next_place INTEGER NOT NULL,
    look_at INTEGER, created_at INTEGER NOT NULL, finished_at INTEGER
  );
  CREATE TABLE job_items (
    job_id TEXT NOT NULL, place INTEGER NOT NULL, subject TEXT NOT NULL, endpoint_id TEXT, made_id TEXT,
    outcome TEXT, PRIMARY KEY (job_id, place)
  ) WITHOUT ROWID;
  `,
  `
  -- The executions of workflows and endpoints with limits, and what they used.
  CREATE TABLE limit_use (
    resource_id TEXT NOT NULL, execution_id TEXT NOT NULL, started_at INTEGER NOT NULL,
    settled_at INTEGER, credits INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (resource_id, execution_id)
  ) WITHOUT ROWID;
  CREATE INDEX limit_use_by_execution ON limit_use (execution_id);
  `,
  `
  -- The endpoints that a token of the MCP server is limited to.
  ALTER TABLE keys ADD COLUMN endpoint_ids TEXT;
  -- The events of the account, in their order, while there are subscriptions to them.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
    at INTEGER NOT NULL, page TEXT NOT NULL, data TEXT NOT NULL
  );
  `,
  SUBSCRIPTIONS_TABLE,
] as const;
