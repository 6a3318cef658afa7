import * as z from "zod";
import type { JsonObject } from "../contract/json.ts";
import { storedAdvice } from "../contract/webhooks/advice.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import { type ReceivedRequest, storedReceipt } from "../contract/webhooks/inbox.ts";
import { batchItem, eventIdSource, requestId, requestStatus } from "../contract/webhooks/log.ts";
import { stageError } from "../contract/webhooks/payload.ts";
import { routeMatch } from "../contract/webhooks/routing.ts";
import { SUBSCRIPTIONS_TABLE } from "../deliveries/subscriptions.ts";
import { jsonColumn, rowShape } from "../durable/rows.ts";

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
  `
  -- What became of a request at each route that it matched; the id is made of seq and place. \`work\` has
  -- a row for a request while some of its starts are ready.
  CREATE TABLE starts (
    start_id INTEGER PRIMARY KEY, route TEXT NOT NULL, status TEXT NOT NULL, execution_id TEXT,
    config_version INTEGER NOT NULL, run_version INTEGER NOT NULL, to_start INTEGER,
    to_completion INTEGER, outcome TEXT NOT NULL, inputs TEXT
  );
  CREATE INDEX starts_by_execution ON starts (execution_id) WHERE execution_id IS NOT NULL;
  `,
  `
  -- The groups of three characters of payloads, event ids and event types, by \`seq\`.
  CREATE VIRTUAL TABLE search USING fts5(
    payload, event_id, event_type, content='', contentless_delete=1, detail=column, tokenize='trigram'
  );
  `,
  `
  -- What routes with a key keep in order: the execution that is live for a key, and when to look again.
  CREATE TABLE cases (
    case_id INTEGER PRIMARY KEY AUTOINCREMENT, route TEXT NOT NULL, key TEXT NOT NULL,
    rule TEXT NOT NULL, execution_id TEXT, due_at INTEGER, changed_at INTEGER NOT NULL,
    UNIQUE (route, key)
  );
  CREATE INDEX cases_by_time ON cases (due_at) WHERE due_at IS NOT NULL;
  -- The case of a start, the bytes of its body, whether its execution gets the events of those that
  -- joined it, and the execution that may have been told of it.
  ALTER TABLE starts ADD COLUMN case_id INTEGER;
  ALTER TABLE starts ADD COLUMN bytes INTEGER;
  ALTER TABLE starts ADD COLUMN gathered INTEGER;
  ALTER TABLE starts ADD COLUMN told_to TEXT;
  CREATE INDEX starts_by_case ON starts (case_id, start_id) WHERE case_id IS NOT NULL;
  CREATE INDEX starts_waiting ON starts (case_id, start_id)
    WHERE status = 'queued' AND execution_id IS NULL;
  `,
  `
  -- The calls of executions that wait for an event, and the events that belong to one of them alone.
  CREATE TABLE waiters (
    waiter_id INTEGER PRIMARY KEY AUTOINCREMENT, execution_id TEXT NOT NULL, call_id TEXT NOT NULL,
    condition TEXT NOT NULL, wake TEXT NOT NULL, after_seq INTEGER NOT NULL, until INTEGER NOT NULL,
    UNIQUE (execution_id, call_id)
  );
  CREATE TABLE wakes (seq INTEGER PRIMARY KEY, waiter_id INTEGER NOT NULL);
  `,
  `
  -- A held item that could not be mapped when it was released has the version of the configuration that it
  -- was tried under. The others are released as soon as there is something to start.
  CREATE INDEX work_untried ON work (seq) WHERE execution_id IS NULL AND config_version IS NULL;
  `,
  `
  -- The replays of a request.
  CREATE INDEX requests_replays ON requests (facts ->> 'replayOf')
    WHERE facts ->> 'replayOf' IS NOT NULL;
  `,
  SUBSCRIPTIONS_TABLE,
  `
  -- The configuration under which the endpoint's own workflow starts for a request. While that is queued,
  -- it needs no row in \`work\`: it is ready itself.
  ALTER TABLE requests ADD COLUMN start_version INTEGER;
  -- The highest place whose entry is gone, and a place before which no request is ready itself.
  CREATE TABLE places (
    place_id INTEGER PRIMARY KEY, given INTEGER NOT NULL, ready_from INTEGER NOT NULL
  );
  INSERT INTO sqlite_sequence SELECT 'requests', 0
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'requests');
  INSERT INTO places SELECT 1, seq, seq + 1 FROM sqlite_sequence WHERE name = 'requests';
  CREATE TRIGGER requests_newest_gone AFTER DELETE ON requests
    WHEN OLD.seq > (SELECT coalesce(max(seq), 0) FROM requests)
    BEGIN UPDATE places SET given = OLD.seq WHERE given < OLD.seq; END;
  CREATE VIEW ready AS
    SELECT seq, request_id, work.execution_id AS execution_id, config_version
      FROM work JOIN requests USING (seq) WHERE work.execution_id IS NOT NULL
    UNION ALL
    SELECT seq, request_id, execution_id, start_version FROM requests
      WHERE seq >= (SELECT ready_from FROM places) AND status = 'queued' AND start_version IS NOT NULL;
  -- Most requests start and succeed, and would change their place in it once more.
  DROP INDEX requests_by_status;
  CREATE INDEX requests_by_status
    ON requests (status, received_at, request_id, duplicate, start_version)
    WHERE status <> 'succeeded' AND (status <> 'queued' OR start_version IS NULL);
  `,
] as const;

/** The condition of the index by status, without which a query cannot use it. */
export const BY_STATUS = "status <> 'succeeded' AND (status <> 'queued' OR start_version IS NULL)";
/** The condition of the queued requests that it leaves out. */
export const READY_ITSELF =
  "status = 'queued' AND start_version IS NOT NULL AND seq IN (SELECT seq FROM ready)";

/** What was known of a request when it came, and never changes. */
const facts = z.object({
  v: z.literal(1),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  headers: z.record(z.string(), z.string()),
  contentType: z.string().nullable(),
  sourceIp: z.string().nullable(),
  replayOf: requestId.nullable(),
  edited: z.boolean(),
  batch: batchItem.nullable().default(null),
  httpStatus: z.int(),
  diagnosis: z.array(z.string()),
  advice: storedAdvice,
  eventIdSource: eventIdSource.default(null),
  eventType: z.string().nullable().default(null),
  /** Null if it is the event id. */
  eventKey: z.string().nullable().default(null),
  receipt: storedReceipt,
  /** What each route decided; absent without routes. */
  routes: z.array(routeMatch).default([]),
  /** The revisions that it ran under; absent in entries of older code. */
  revision: z.int().nullable().default(null),
  workflowRevision: z.int().nullable().default(null),
  /** When the request was routed, if it had been held (epoch milliseconds). */
  releasedAt: z.int().nullable().default(null),
});
export type Facts = z.infer<typeof facts>;

const outcome = z.object({ errors: z.array(stageError), warnings: z.array(z.string()) });
export type EntryNotes = z.infer<typeof outcome>;

const flag = z.int().transform((value) => value === 1);

/** The columns of an entry that follow its execution, in `starts` as in the log. */
export const progressFields = {
  status: requestStatus,
  executionId: z.string().nullable(),
  runVersion: z.int(),
  toStart: z.int().nullable(),
  toCompletion: z.int().nullable(),
  outcome: jsonColumn(outcome),
};

/** An entry of the log as its row has it. */
export const entryRow = rowShape({
  seq: z.int(),
  requestId: z.string(),
  receivedAt: z.int(),
  duplicate: flag,
  drifted: flag,
  eventId: z.string().nullable(),
  firstId: z.string().nullable(),
  ...progressFields,
  isRouted: flag,
  facts: jsonColumn(facts),
  inputs: z.string().nullable(),
  inputsChunked: flag,
  bodyChunked: flag,
  bodyTruncated: flag,
  body: z.instanceof(ArrayBuffer).nullable(),
});
export type EntryRow = z.infer<typeof entryRow>;

/** The part of an entry that follows its execution, without its request. */
export const progressRow = rowShape({
  seq: z.int(),
  receivedAt: z.int(),
  ...progressFields,
  isRouted: flag,
  releasedAt: z.int().nullable(),
});
export type ProgressRow = z.infer<typeof progressRow>;

/** The rate limit that a request counts for; `counted` has its place in this list. */
export const BUDGETS = ["none", "verified", "unverified"] as const;
export type Budget = (typeof BUDGETS)[number];

type DecidedFacts =
  | "httpStatus"
  | "diagnosis"
  | "advice"
  | "eventIdSource"
  | "eventType"
  | "eventKey"
  | "receipt"
  | "routes";

/** What becomes of a request that arrives. */
export interface NewEntry extends Pick<Facts, DecidedFacts>, EntryNotes {
  status: z.infer<typeof requestStatus>;
  eventId: string | null;
  /** Whether it holds the claim on its event from now on. */
  claims: boolean;
  duplicate: boolean;
  /** The entry that holds the claim, where this one is a duplicate. */
  firstSeq: number | null;
  executionId: string | null;
  /** The configuration under which the endpoint's own workflow starts; null if that does not start. */
  startVersion: number | null;
  mappedInputs: JsonObject | null;
}

/** An arrival with what became of it, as it is stored. */
export interface Arrived {
  request: ReceivedRequest;
  entry: NewEntry;
  /** The inbox's own time, by which the rate is counted. */
  arrivedAt: number;
  budget: Budget;
  /** The configuration that it runs under. */
  under: Pick<EndpointConfig, "revision" | "workflow">;
}
