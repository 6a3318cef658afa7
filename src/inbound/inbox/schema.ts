/** The tables of an endpoint's inbox; see `durable/schema.ts`. Append-only. */
export const INBOX_SCHEMA = [
  `
  -- The newest configuration, and older ones while work refers to them.
  CREATE TABLE configs (version INTEGER PRIMARY KEY, config TEXT NOT NULL);
  -- The log. \`seq\` is the order of arrival; none is given twice, also when its entry is gone: what was
  -- sent and learned up to a place is not looked at again. A claim on an event id lives and goes with
  -- its entry.
  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL UNIQUE, received_at INTEGER NOT NULL,
    arrived_at INTEGER NOT NULL, counted INTEGER NOT NULL,
    status TEXT NOT NULL, settled_at INTEGER, duplicate INTEGER NOT NULL, drifted INTEGER NOT NULL,
    event_id TEXT, claim TEXT, first_seq INTEGER,
    execution_id TEXT, run_version INTEGER NOT NULL, to_start INTEGER, to_completion INTEGER,
    outcome TEXT NOT NULL, facts TEXT NOT NULL, inputs TEXT,
    inputs_chunked INTEGER NOT NULL, body_chunked INTEGER NOT NULL,
    body_truncated INTEGER NOT NULL, body BLOB
  );
  CREATE INDEX requests_by_time ON requests (received_at, request_id, duplicate);
  CREATE INDEX requests_by_status ON requests (status, received_at, request_id, duplicate);
  CREATE INDEX requests_duplicate ON requests (received_at, request_id) WHERE duplicate = 1;
  CREATE INDEX requests_drifted ON requests (seq) WHERE drifted = 1;
  CREATE UNIQUE INDEX requests_claim ON requests (claim) WHERE claim IS NOT NULL;
  -- What is too long for its row, in pieces; the id is made of seq, part and place.
  CREATE TABLE chunks (chunk_id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  -- What waits to be started. Held items have no execution and no configuration yet; released ones
  -- go out in order.
  CREATE TABLE work (
    seq INTEGER PRIMARY KEY, execution_id TEXT UNIQUE, config_version INTEGER,
    released INTEGER NOT NULL, body_bytes INTEGER NOT NULL
  );
  CREATE INDEX work_held ON work (seq, body_bytes) WHERE execution_id IS NULL;
  CREATE INDEX work_released ON work (seq) WHERE released = 1;
  `,
] as const;
