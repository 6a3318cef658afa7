/** The tables of an execution's object; see `durable/schema.ts`. Append-only. */
export const SESSION_SCHEMA = [
  `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, type TEXT NOT NULL, at INTEGER NOT NULL, version INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE TABLE turns (idx INTEGER PRIMARY KEY, turn TEXT NOT NULL);
  CREATE TABLE evidence (
    call_id TEXT PRIMARY KEY, sources TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE outputs (idx INTEGER PRIMARY KEY, output_id TEXT NOT NULL, output TEXT NOT NULL);
  CREATE TABLE output_chunks (
    output_id TEXT NOT NULL, idx INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (output_id, idx)
  ) WITHOUT ROWID;
  CREATE TABLE effects (
    effect_id TEXT PRIMARY KEY, tool TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE TABLE message_replies (
    key TEXT PRIMARY KEY, body_hash TEXT NOT NULL, reply TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE deliveries (
    delivery_id TEXT PRIMARY KEY, event TEXT NOT NULL, webhook_id TEXT NOT NULL, url TEXT NOT NULL,
    snapshot TEXT, state TEXT NOT NULL, attempt INTEGER NOT NULL, event_at INTEGER NOT NULL,
    check_at INTEGER NOT NULL, sends INTEGER NOT NULL, leased INTEGER NOT NULL
  );
  CREATE TABLE attempts (
    idx INTEGER PRIMARY KEY, delivery_id TEXT NOT NULL, attempt TEXT NOT NULL
  );
  `,
  // The call that handed an output over, so that a later call can take up its files.
  "ALTER TABLE outputs ADD COLUMN call_id TEXT",
  `
  CREATE TABLE remote_tools (
    idx INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, remote_name TEXT NOT NULL,
    server_id TEXT NOT NULL, server TEXT NOT NULL, description TEXT NOT NULL,
    input_schema TEXT NOT NULL, read_only INTEGER NOT NULL
  );
  `,
] as const;
