import * as z from "zod";
import type { JsonObject } from "../contract/json.ts";
import { isSettled, type RequestStatus } from "../contract/webhooks/log.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import type { RouteMatch } from "../contract/webhooks/routing.ts";
import type { TableSql } from "../durable/storage.ts";
import {
  type Arrived,
  BUDGETS,
  type EntryNotes,
  type EntryRow,
  entryRow,
  type Facts,
  type ProgressRow,
  progressRow,
} from "./tables.ts";

/** Bytes of a body that a list shows; bodies up to this size are stored in the row of their entry. */
export const EXCERPT_BYTES = 16_384;
/** Limits of the errors and warnings of an entry: their number, and the characters of each. */
const MAX_MESSAGES = 100;
const MAX_TEXT = 2_000;

/** The first one's execution may get its id after its duplicates came. */
const COLUMNS = `seq, request_id, received_at, status, duplicate, drifted, event_id,
  coalesce(execution_id, (SELECT first.execution_id FROM requests AS first
    WHERE first.seq = requests.first_seq)) AS execution_id,
  (SELECT first.request_id FROM requests AS first WHERE requests.duplicate = 1
    AND first.claim = coalesce(requests.facts ->> '$.eventKey', requests.event_id) AND first.seq < requests.seq) AS first_id,
  run_version, to_start, to_completion, outcome, facts, inputs, inputs_chunked, body_chunked,
  body_truncated, body`;

/** Leaves the request out: each execution reads these several times. */
const PROGRESS = `seq, received_at, status, execution_id, run_version, to_start, to_completion, outcome,
  coalesce(json_array_length(facts, '$.routes'), 0) > 0 AS is_routed,
  facts ->> '$.releasedAt' AS released_at`;

const seqRow = z.object({ seq: z.int() });

/** The fields of an entry that change after its request is logged. */
export interface Change {
  status: RequestStatus;
  outcome: EntryNotes;
  executionId: string | null;
  runVersion: number;
  toStart: number | null;
  toCompletion: number | null;
}

/** The endpoint's log: one entry per request. */
export class RequestLog {
  readonly #sql: TableSql;
  readonly #chunks: Pick<Chunks, "put">;

  constructor(sql: TableSql, chunks: Pick<Chunks, "put">) {
    this.#sql = sql;
    this.#chunks = chunks;
  }

  /** Stores an arrival. Returns its place in the order of arrival. */
  add({ request, entry, arrivedAt, budget, under }: Arrived): number {
    const facts: Facts = {
      v: 1,
      method: request.method,
      path: request.path,
      query: request.query,
      headers: request.headers,
      contentType: request.contentType,
      sourceIp: request.sourceIp,
      replayOf: request.replayOf,
      edited: request.edited,
      batch: request.batch ?? null,
      httpStatus: entry.httpStatus,
      diagnosis: entry.diagnosis,
      advice: entry.advice,
      eventIdSource: entry.eventIdSource,
      eventType: entry.eventType,
      eventKey: entry.eventKey === entry.eventId ? null : entry.eventKey,
      receipt: entry.receipt,
      routes: entry.routes,
      revision: under.revision,
      workflowRevision: under.workflow?.revision ?? null,
      releasedAt: null,
    };
    const body = request.body;
    const bodyChunked = body !== null && body.byteLength > EXCERPT_BYTES;
    const inputs = entry.mappedInputs === null ? null : JSON.stringify(entry.mappedInputs);
    const longInputs = inputs !== null && isLong(inputs) ? inputs : null;
    const { seq } = seqRow.parse(
      this.#sql
        .exec(
          `INSERT INTO requests (request_id, received_at, arrived_at, counted, status, settled_at,
             duplicate, drifted, event_id, claim, first_seq, execution_id, run_version, outcome,
             facts, inputs, inputs_chunked, body_chunked, body_truncated, body)
           VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
          request.requestId,
          request.receivedAt,
          arrivedAt,
          BUDGETS.indexOf(budget),
          entry.status,
          isSettled(entry.status) ? arrivedAt : null,
          Number(entry.duplicate),
          entry.eventId,
          entry.claims ? entry.eventKey : null,
          entry.firstSeq,
          entry.executionId,
          outcomeText(entry),
          JSON.stringify(facts),
          longInputs === null ? inputs : null,
          Number(longInputs !== null),
          Number(bodyChunked),
          Number(request.bodyTruncated),
          bodyChunked ? null : body,
        )
        .one(),
    );
    if (bodyChunked) this.#chunks.put(seq, "body", body);
    if (longInputs !== null) this.#putInputs(seq, longInputs);
    return seq;
  }

  byId(requestId: string): EntryRow | null {
    return this.#one("request_id = ?", requestId);
  }

  /** Returns the entry at this place in the order of arrival. */
  at(seq: number): EntryRow | null {
    return this.#one("seq = ?", seq);
  }

  /** Returns what an entry knows of its execution. */
  progressOf(requestId: string): ProgressRow | null {
    return this.#progress("request_id = ?", requestId);
  }

  progressAt(seq: number): ProgressRow | null {
    return this.#progress("seq = ?", seq);
  }

  change(seq: number, change: Change, now: number): void {
    this.#sql.exec(
      `UPDATE requests SET status = ?, settled_at = ?, outcome = ?, execution_id = ?,
         run_version = ?, to_start = ?, to_completion = ? WHERE seq = ?`,
      change.status,
      isSettled(change.status) ? now : null,
      outcomeText(change.outcome),
      change.executionId,
      change.runVersion,
      change.toStart,
      change.toCompletion,
      seq,
    );
  }

  /** Notes the configuration that a request runs under that was held until now, and what its routes decided. */
  noteRelease(
    seq: number,
    { revision, workflow }: Arrived["under"],
    routes: readonly RouteMatch[],
    now: number,
  ): void {
    this.#sql.exec(
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
    const text = outcomeText({ errors, warnings });
    this.#sql.exec("UPDATE requests SET outcome = ? WHERE seq = ?", text, seq);
  }

  noteInputs(seq: number, mappedInputs: JsonObject): void {
    const inputs = JSON.stringify(mappedInputs);
    const chunked = isLong(inputs);
    if (chunked) this.#putInputs(seq, inputs);
    this.#sql.exec(
      "UPDATE requests SET inputs = ?, inputs_chunked = ? WHERE seq = ?",
      chunked ? null : inputs,
      Number(chunked),
      seq,
    );
  }

  noteDrift(seq: number, sentences: readonly string[]): void {
    const row = this.at(seq);
    if (row === null) return;
    const { errors, warnings } = row.outcome;
    this.#sql.exec(
      "UPDATE requests SET drifted = 1, outcome = ? WHERE seq = ?",
      outcomeText({ errors, warnings: [...warnings, ...sentences] }),
      seq,
    );
  }

  #one(condition: string, value: string | number): EntryRow | null {
    const row = this.#sql
      .exec(`SELECT ${COLUMNS} FROM requests WHERE ${condition}`, value)
      .toArray()[0];
    return row === undefined ? null : entryRow.parse(row);
  }

  #progress(condition: string, value: string | number): ProgressRow | null {
    const row = this.#sql
      .exec(`SELECT ${PROGRESS} FROM requests WHERE ${condition}`, value)
      .toArray()[0];
    return row === undefined ? null : progressRow.parse(row);
  }

  #putInputs(seq: number, text: string): void {
    this.#chunks.put(seq, "inputs", new TextEncoder().encode(text));
  }
}

function isLong(text: string): boolean {
  return text.length > EXCERPT_BYTES;
}

/** A row holds 2 MB, and names from a payload may be of any length. */
function outcomeText({ errors, warnings }: EntryNotes): string {
  const text = (long: string) => long.slice(0, MAX_TEXT);
  const kept = errors.slice(0, MAX_MESSAGES).map(({ stage, path, rule, message }) => ({
    stage,
    ...(path !== undefined && { path: text(path) }),
    rule: text(rule),
    message: text(message),
  }));
  return JSON.stringify({ errors: kept, warnings: warnings.slice(0, MAX_MESSAGES).map(text) });
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
export class Chunks {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  put(seq: number, part: Part, bytes: Uint8Array): void {
    const first = firstOf(seq, part);
    if (bytes.byteLength > PER_PART * CHUNK_BYTES)
      throw new RangeError("a body or its inputs are too long to be stored");
    for (let n = 0; n * CHUNK_BYTES < bytes.byteLength; n += 1) {
      this.#sql.exec(
        "INSERT INTO chunks (chunk_id, bytes) VALUES (?, ?)",
        first + n,
        bytes.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
      );
    }
  }

  read(seq: number, part: Part): Uint8Array {
    const first = firstOf(seq, part);
    const pieces = this.#sql
      .exec(
        "SELECT bytes FROM chunks WHERE chunk_id >= ? AND chunk_id < ? ORDER BY chunk_id",
        first,
        first + PER_PART,
      )
      .toArray()
      .map((row) => new Uint8Array(chunkRow.parse(row).bytes));
    const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  /** Returns the first bytes of a part, at most `limit`. */
  beginning(seq: number, part: Part, limit: number): Uint8Array {
    const row = this.#sql
      .exec(
        "SELECT substr(bytes, 1, ?) AS bytes FROM chunks WHERE chunk_id = ?",
        Math.min(limit, CHUNK_BYTES),
        firstOf(seq, part),
      )
      .toArray()[0];
    return row === undefined ? new Uint8Array() : new Uint8Array(chunkRow.parse(row).bytes);
  }

  /** Deletes all parts of an entry. */
  drop(seq: number): void {
    this.#sql.exec(
      "DELETE FROM chunks WHERE chunk_id >= ? AND chunk_id < ?",
      seq * PER_ENTRY,
      (seq + 1) * PER_ENTRY,
    );
  }
}

function firstOf(seq: number, part: Part): number {
  return seq * PER_ENTRY + (part === "body" ? 0 : PER_PART);
}
