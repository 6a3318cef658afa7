import * as z from "zod";
import type { Chunks } from "./log.ts";

const DAY_MS = 86_400_000;
/** Entries are looked for at most so often. */
const INTERVAL_MS = 3_600_000;
/** What one sweep removes; requests that wait behind it must not wait long. */
const PORTION = 200;
const NEXT_PORTION_MS = 50;
/** An object holds 10 GB. */
export const MOST_BYTES = 8_000_000_000;
/** After so many bytes it is looked again whether there is too much: to ask each time is not free. */
const LOOK_BYTES = 67_108_864;
/** What an entry takes besides its body, about. */
const ENTRY_BYTES = 2_048;

const seqRow = z.object({ seq: z.int() });
const oldestRow = z.object({ received_at: z.int().nullable() });

interface RetentionParts {
  sql: SqlStorage;
  chunks: Chunks;
  /** What the whole inbox may come to, in bytes. */
  mostBytes: number;
}

/**
 * Removes what has served its time. What is held, or runs, stays however old it is. A claim goes with
 * its entry.
 */
export class Retention {
  readonly #sql: SqlStorage;
  readonly #chunks: Chunks;
  readonly #mostBytes: number;
  /** Nothing that has ended has a body up to this place. */
  #strippedUpTo = 0;
  /** Bytes that came since it was looked whether there is too much. */
  #grown = 0;

  constructor({ sql, chunks, mostBytes }: RetentionParts) {
    this.#sql = sql;
    this.#chunks = chunks;
    this.#mostBytes = mostBytes;
  }

  /** Whether more is stored than may be. */
  get isOverfull(): boolean {
    return this.#sql.databaseSize > this.#mostBytes;
  }

  /** Takes note of a new entry; true when room has to be made at once, and not when it is next due. */
  grew(bodyBytes: number): boolean {
    this.#grown += bodyBytes + ENTRY_BYTES;
    if (this.#grown < LOOK_BYTES) return false;
    this.#grown = 0;
    return this.isOverfull;
  }

  /** Removes a portion; answers when to come again (epoch milliseconds), or null for an empty log. */
  sweep(retentionDays: number, now: number): number | null {
    const expired = this.#expired(now - retentionDays * DAY_MS);
    for (const seq of expired) this.#remove(seq);
    const madeRoom = this.isOverfull && this.#makeRoom();
    if (expired.length === PORTION || madeRoom) return now + NEXT_PORTION_MS;
    const oldest = this.#oldest();
    return oldest === null ? null : Math.max(oldest + retentionDays * DAY_MS, now + INTERVAL_MS);
  }

  /** The oldest bodies of what has ended go first, then what was refused; false when nothing can go. */
  #makeRoom(): boolean {
    const whole = this.#seqs(
      `SELECT seq FROM requests WHERE seq > ? AND settled_at IS NOT NULL
         AND (body IS NOT NULL OR body_chunked = 1 OR inputs_chunked = 1) ORDER BY seq LIMIT ?`,
      this.#strippedUpTo,
      PORTION,
    );
    for (const seq of whole) this.#strip(seq);
    const wasAtStart = this.#strippedUpTo === 0;
    // What had not ended when it was passed over is found in the next round.
    this.#strippedUpTo = whole.at(-1) ?? 0;
    if (whole.length > 0 || !wasAtStart) return true;
    const refused = this.#seqs(
      "SELECT seq FROM requests WHERE status = 'rejected' ORDER BY received_at LIMIT ?",
      PORTION,
    );
    for (const seq of refused) this.#remove(seq);
    return refused.length > 0;
  }

  /** Entries that ended before `cutoff`: they came before it as well, which the index knows. */
  #expired(cutoff: number): number[] {
    return this.#seqs(
      `SELECT seq FROM requests WHERE received_at <= ?1 AND settled_at <= ?1
       ORDER BY received_at LIMIT ?2`,
      cutoff,
      PORTION,
    );
  }

  #oldest(): number | null {
    const row = this.#sql.exec("SELECT min(received_at) AS received_at FROM requests").one();
    return oldestRow.parse(row).received_at;
  }

  #strip(seq: number): void {
    this.#chunks.drop(seq);
    this.#sql.exec(
      `UPDATE requests SET body = NULL, body_truncated = body_truncated OR body_chunked
         OR body IS NOT NULL, body_chunked = 0, inputs_chunked = 0 WHERE seq = ?`,
      seq,
    );
  }

  #remove(seq: number): void {
    this.#chunks.drop(seq);
    this.#sql.exec("DELETE FROM requests WHERE seq = ?", seq);
  }

  #seqs(query: string, ...values: number[]): number[] {
    return this.#sql
      .exec(query, ...values)
      .toArray()
      .map((row) => seqRow.parse(row).seq);
  }
}
