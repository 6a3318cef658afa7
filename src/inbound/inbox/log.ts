import * as z from "zod";
import { isSettled, type RequestStatus } from "../../contract/inbound/log.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Chunks } from "./chunks.ts";
import { type Arrived, type EntryRow, entryRow, type Facts, type Outcome } from "./entry.ts";

/** What a list shows of a body; bodies up to this size are kept in their entry's row. */
export const EXCERPT_BYTES = 16_384;
/** Errors, and warnings, that an entry tells, and characters of each. */
const MAX_TOLD = 100;
const MAX_TEXT = 2_000;

/** The first one's execution may get its id after its duplicates came. */
const COLUMNS = `seq, request_id, received_at, status, duplicate, drifted, event_id,
  coalesce(execution_id, (SELECT first.execution_id FROM requests AS first
    WHERE first.seq = requests.first_seq)) AS execution_id,
  (SELECT first.request_id FROM requests AS first WHERE requests.duplicate = 1
    AND first.claim = requests.event_id AND first.seq < requests.seq) AS first_id,
  run_version, to_start, to_completion, outcome, facts, inputs, inputs_chunked, body_chunked,
  body_truncated, body`;

const seqRow = z.object({ seq: z.int() });

/** The changes that an entry goes through after its request arrived. */
export interface Change {
  status: RequestStatus;
  outcome: Outcome;
  executionId: string | null;
  runVersion: number;
  toStart: number | null;
  toCompletion: number | null;
}

/** The endpoint's log: an entry for each request that ever arrived. */
export class RequestLog {
  readonly #sql: SqlStorage;
  readonly #chunks: Chunks;

  constructor(sql: SqlStorage, chunks: Chunks) {
    this.#sql = sql;
    this.#chunks = chunks;
  }

  /** Stores an arrival; answers its place in the order of arrivals. */
  add({ request, entry, arrivedAt, counted }: Arrived): number {
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
      httpStatus: entry.httpStatus,
      diagnosis: entry.diagnosis,
      receipt: entry.receipt,
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
          Number(counted),
          entry.status,
          isSettled(entry.status) ? arrivedAt : null,
          Number(entry.duplicate),
          entry.eventId,
          entry.claims ? entry.eventId : null,
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

  /** The entry at this place in the order of arrivals. */
  at(seq: number): EntryRow | null {
    return this.#one("seq = ?", seq);
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

  #putInputs(seq: number, text: string): void {
    this.#chunks.put(seq, "inputs", new TextEncoder().encode(text));
  }
}

function isLong(text: string): boolean {
  return text.length > EXCERPT_BYTES;
}

/** A row holds 2 MB, and names from a payload may be of any length. */
function outcomeText({ errors, warnings }: Outcome): string {
  const text = (long: string) => long.slice(0, MAX_TEXT);
  const kept = errors.slice(0, MAX_TOLD).map(({ stage, path, rule, message }) => ({
    stage,
    ...(path !== undefined && { path: text(path) }),
    rule: text(rule),
    message: text(message),
  }));
  return JSON.stringify({ errors: kept, warnings: warnings.slice(0, MAX_TOLD).map(text) });
}
