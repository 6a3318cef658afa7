import * as z from "zod";
import type { JsonObject } from "../contract/json.ts";
import { isSettled } from "../contract/webhooks/log.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import type { RouteMatch } from "../contract/webhooks/routing.ts";
import { type Row, rowShape, type TableSql, Tables } from "../durable/rows.ts";
import { concatBytes } from "../lib/read-up-to.ts";
import {
  type Arrived,
  BUDGETS,
  type EntryNotes,
  type EntryRow,
  entryRow,
  type Facts,
  type ProgressRow,
  type progressFields,
  progressRow,
} from "./tables.ts";

/** Bytes of a body that a list shows; bodies up to this size are stored in the row of their entry. */
export const EXCERPT_BYTES = 16_384;
/** Limits of the errors and warnings of an entry: their number, and the characters of each. */
const MAX_MESSAGES = 100;
const MAX_TEXT = 2_000;
/** Places that are noted at once. After a restart, about as many entries are looked through for ready ones. */
const PLACES_AHEAD = 127;

const IS_ROUTED = "coalesce(json_array_length(facts, '$.routes'), 0) > 0 AS is_routed";

/** The first one's execution may get its id after its duplicates came. */
const COLUMNS = `seq, request_id, received_at, status, duplicate, drifted, event_id,
  coalesce(execution_id, (SELECT first.execution_id FROM requests AS first
    WHERE first.seq = requests.first_seq)) AS execution_id,
  (SELECT first.request_id FROM requests AS first WHERE requests.duplicate = 1
    AND first.claim = coalesce(requests.facts ->> '$.eventKey', requests.event_id) AND first.seq < requests.seq) AS first_id,
  run_version, to_start, to_completion, outcome, ${IS_ROUTED}, facts, inputs, inputs_chunked,
  body_chunked, body_truncated, body`;

/** Leaves the request out: each execution reads these several times. One just released has its work only. */
const PROGRESS = `seq, received_at, status, coalesce(execution_id, (SELECT work.execution_id FROM work
    WHERE work.seq = requests.seq)) AS execution_id, run_version, to_start, to_completion, outcome,
  ${IS_ROUTED}, facts ->> '$.releasedAt' AS released_at`;

/** The request that holds the claim on an event. */
const claimRow = rowShape({
  seq: z.int(),
  requestId: z.string(),
  executionId: z.string().nullable(),
});

/** The fields of an entry that change after its request is logged. */
export type Change = Pick<ProgressRow, keyof typeof progressFields>;

/** The endpoint's log: one entry per request. */
export class RequestLog extends Tables {
  readonly #chunks: Pick<Chunks, "put">;

  constructor(sql: TableSql, chunks: Pick<Chunks, "put">) {
    super(sql);
    this.#chunks = chunks;
  }

  /** Stores an arrival. Returns its place in the order of arrival. */
  add({ request, entry, arrivedAt, budget, under }: Arrived): number {
    const { requestId, receivedAt, body, bodyTruncated, ...sent } = request;
    const { status, duplicate, eventId, firstSeq, executionId, startVersion } = entry;
    const { httpStatus, diagnosis, advice, eventIdSource, eventType, receipt, routes } = entry;
    const decided = { httpStatus, diagnosis, advice, eventIdSource, eventType, receipt, routes };
    const facts: Facts = {
      v: 1,
      ...sent,
      batch: request.batch ?? null,
      ...decided,
      eventKey: entry.eventKey === entry.eventId ? null : entry.eventKey,
      revision: under.revision,
      workflowRevision: under.workflow?.revision ?? null,
      releasedAt: null,
    };
    const bodyChunked = body !== null && body.byteLength > EXCERPT_BYTES;
    const inputs = entry.mappedInputs === null ? null : JSON.stringify(entry.mappedInputs);
    const longInputs = inputs !== null && isLong(inputs) ? inputs : null;
    const seq = this.head() + 1;
    this.#noteAhead(seq);
    const row = {
      seq,
      requestId,
      receivedAt,
      arrivedAt,
      status,
      duplicate,
      eventId,
      firstSeq,
      executionId,
      startVersion,
      counted: BUDGETS.indexOf(budget),
      settledAt: isSettled(status) ? arrivedAt : null,
      drifted: false,
      claim: entry.claims ? entry.eventKey : null,
      runVersion: 0,
      outcome: outcomeOf(entry),
      facts,
      inputs: longInputs === null ? inputs : null,
      inputsChunked: longInputs !== null,
      bodyChunked,
      bodyTruncated,
      body: bodyChunked ? null : body,
    };
    this.insert("requests", row);
    if (bodyChunked) this.#chunks.put(seq, "body", body);
    if (longInputs !== null) this.#putInputs(seq, longInputs);
    return seq;
  }

  /** Returns the newest place that was ever given; older code passes subscriptions one that is only noted. */
  head(): number {
    const query = `SELECT max(given, coalesce((SELECT max(seq) FROM requests), 0),
        coalesce((SELECT max(progress ->> 'position') FROM subscriptions), 0)) FROM places`;
    return this.number(query) ?? 0;
  }

  /**
   * Notes places ahead: SQLite, which gives none twice either, would write the newest one with each entry, and
   * what is ready is looked for from where it was at the last note.
   */
  #noteAhead(seq: number): void {
    const noted = "UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'requests' AND seq < ?2";
    if (!this.exists(`${noted} RETURNING 1`, seq + PLACES_AHEAD, seq)) return;
    this.sql.exec(
      `UPDATE places SET ready_from = (SELECT coalesce(min(seq), ?) FROM requests
         WHERE seq >= ready_from AND status = 'queued' AND start_version IS NOT NULL)`,
      seq,
    );
  }

  byId(requestId: string): EntryRow | null {
    return this.#entry("request_id = ?", requestId);
  }

  /** Returns the entry at this place in the order of arrival. */
  at(seq: number): EntryRow | null {
    return this.#entry("seq = ?", seq);
  }

  /** Returns what an entry knows of its execution. */
  progressOf(requestId: string): ProgressRow | null {
    return this.#progress("request_id = ?", requestId);
  }

  progressAt(seq: number): ProgressRow | null {
    return this.#progress("seq = ?", seq);
  }

  change(seq: number, { outcome, ...change }: Change, now: number): void {
    const settledAt = isSettled(change.status) ? now : null;
    this.#update(seq, { ...change, settledAt, outcome: outcomeOf(outcome) });
  }

  /** Notes the configuration that a request runs under that was held until now, and what its routes decided. */
  noteRelease(
    seq: number,
    { revision, workflow }: Arrived["under"],
    routes: readonly RouteMatch[],
    now: number,
  ): void {
    this.sql.exec(
      `UPDATE requests SET facts = json_set(facts, '$.revision', ?, '$.workflowRevision', ?,
         '$.routes', json(?), '$.releasedAt', ?) WHERE seq = ?`,
      revision,
      workflow?.revision ?? null,
      JSON.stringify(routes),
      now,
      seq,
    );
  }

  /** Shows why a request is still held. */
  noteErrors(seq: number, errors: StageError[]): void {
    const warnings = this.progressAt(seq)?.outcome.warnings ?? [];
    this.noteOutcome(seq, { errors, warnings });
  }

  noteOutcome(seq: number, outcome: EntryNotes): void {
    this.#update(seq, { outcome: outcomeOf(outcome) });
  }

  noteInputs(seq: number, mappedInputs: JsonObject): void {
    const inputs = JSON.stringify(mappedInputs);
    const chunked = isLong(inputs);
    if (chunked) this.#putInputs(seq, inputs);
    this.#update(seq, { inputs: chunked ? null : inputs, inputsChunked: chunked });
  }

  noteDrift(seq: number, sentences: readonly string[]): void {
    const row = this.at(seq);
    if (row === null) return;
    const { errors, warnings } = row.outcome;
    const notes = { errors, warnings: [...warnings, ...sentences] };
    this.#update(seq, { drifted: true, outcome: outcomeOf(notes) });
  }

  /**
   * Returns the first request of an event. The claim is a unique column of its entry, so it is stored and
   * deleted with it. It outlasts a failed start: the sender got a 2xx and repeats in vain, and the failed
   * request is replayed from the log.
   */
  claimOf(eventKey: string): z.infer<typeof claimRow> | null {
    const query = "SELECT seq, request_id, execution_id FROM requests WHERE claim = ?";
    return this.first(claimRow, query, eventKey);
  }

  #entry(condition: string, value: string | number): EntryRow | null {
    return this.first(entryRow, `SELECT ${COLUMNS} FROM requests WHERE ${condition}`, value);
  }

  #progress(condition: string, value: string | number): ProgressRow | null {
    const query = `SELECT ${PROGRESS} FROM requests WHERE ${condition}`;
    return this.first(progressRow, query, value);
  }

  #update(seq: number, changes: Row): void {
    this.update("requests", changes, "seq = ?", seq);
  }

  #putInputs(seq: number, text: string): void {
    this.#chunks.put(seq, "inputs", new TextEncoder().encode(text));
  }
}

function isLong(text: string): boolean {
  return text.length > EXCERPT_BYTES;
}

/** A row holds 2 MB, and names from a payload may be of any length. */
function outcomeOf({ errors, warnings }: EntryNotes): EntryNotes {
  const text = (long: string) => long.slice(0, MAX_TEXT);
  const kept = errors.slice(0, MAX_MESSAGES).map(({ stage, path, rule, message }) => ({
    stage,
    ...(path !== undefined && { path: text(path) }),
    rule: text(rule),
    message: text(message),
  }));
  return { errors: kept, warnings: warnings.slice(0, MAX_MESSAGES).map(text) };
}

/** The parts of an entry that may be too long for its row. */
export type Part = "body" | "inputs";

/** A row holds 2 MB at most. */
const CHUNK_BYTES = 1_000_000;
/** Chunks of one part: 128 MB are more than a request can become. */
const PER_PART = 128;
const PER_ENTRY = 2 * PER_PART;

const chunkRow = z.object({ bytes: z.instanceof(ArrayBuffer) });

/** Stores bytes that exceed the size of a row, in several rows. */
export class Chunks extends Tables {
  put(seq: number, part: Part, bytes: Uint8Array): void {
    const first = firstOf(seq, part);
    if (bytes.byteLength > PER_PART * CHUNK_BYTES)
      throw new RangeError("a body or its inputs are too long to be stored");
    for (let n = 0; n * CHUNK_BYTES < bytes.byteLength; n += 1) {
      const chunk = bytes.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
      this.insert("chunks", { chunk_id: first + n, bytes: chunk });
    }
  }

  read(seq: number, part: Part): Uint8Array {
    const first = firstOf(seq, part);
    const query = "SELECT bytes FROM chunks WHERE chunk_id >= ? AND chunk_id < ? ORDER BY chunk_id";
    const rows = this.rows(chunkRow, query, first, first + PER_PART);
    return concatBytes(rows.map(({ bytes }) => new Uint8Array(bytes)));
  }

  /** Returns the first bytes of a part, at most `limit`. */
  beginning(seq: number, part: Part, limit: number): Uint8Array {
    const query = "SELECT substr(bytes, 1, ?) AS bytes FROM chunks WHERE chunk_id = ?";
    const row = this.first(chunkRow, query, limit, firstOf(seq, part));
    return new Uint8Array(row?.bytes ?? []);
  }

  /** Deletes all parts of an entry. */
  drop(seq: number): void {
    const [first, end] = [seq * PER_ENTRY, (seq + 1) * PER_ENTRY];
    this.sql.exec("DELETE FROM chunks WHERE chunk_id >= ? AND chunk_id < ?", first, end);
  }
}

function firstOf(seq: number, part: Part): number {
  return seq * PER_ENTRY + (part === "body" ? 0 : PER_PART);
}
