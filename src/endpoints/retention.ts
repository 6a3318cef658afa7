import * as z from "zod";
import { Tables } from "../durable/rows.ts";
import type { Cases } from "./cases.ts";
import type { Chunks } from "./log.ts";
import type { Starts } from "./starts.ts";
import { BUDGETS, BY_STATUS } from "./tables.ts";
import type { Waiters } from "./waiters.ts";

const DAY_MS = 86_400_000;
/** The shortest time between two sweeps. */
const INTERVAL_MS = 3_600_000;
/** Entries that one sweep removes: requests wait behind it. */
const PORTION = 200;
const NEXT_PORTION_MS = 50;
/** An object holds 10 GB. */
export const MOST_BYTES = 8_000_000_000;
/** Bytes after which the size is checked again, because each check has a cost. */
const LOOK_BYTES = 67_108_864;
/** The approximate size of an entry without its body. */
const ENTRY_BYTES = 2_048;

const placeRow = z.object({ seq: z.int(), received_at: z.int() });

interface RetentionComponents {
  sql: SqlStorage;
  chunks: Chunks;
  starts: Starts;
  cases: Cases;
  waiters: Waiters;
  /** What the whole inbox may come to, in bytes. */
  mostBytes: number;
}

/**
 * Removes entries that are older than the retention period, with their claims. Keeps held and running
 * ones, however old.
 */
export class Retention extends Tables {
  readonly #components: RetentionComponents;
  /** No settled entry has a body up to this place. */
  #strippedUpTo = 0;
  /** No unverified entry was received up to this time. */
  #clearedUpTo = 0;
  /** Bytes stored since the last check of the size. */
  #grown = 0;

  constructor(components: RetentionComponents) {
    super(components.sql);
    this.#components = components;
  }

  /** Whether the inbox exceeds its size limit. */
  get isOverfull(): boolean {
    const { sql, mostBytes } = this.#components;
    return sql.databaseSize > mostBytes;
  }

  /** Counts a new entry. Returns true if room must be made at once. */
  grew(bodyBytes: number): boolean {
    this.#grown += bodyBytes + ENTRY_BYTES;
    if (this.#grown < LOOK_BYTES) return false;
    this.#grown = 0;
    return this.isOverfull;
  }

  /** Removes a portion. Returns when to sweep next (epoch milliseconds), or null for an empty log. */
  sweep(retentionDays: number, now: number): number | null {
    // Entries that ended before the cutoff came before it as well, which the index knows.
    const expired = this.numbers(
      `SELECT seq FROM requests WHERE received_at <= ?1 AND settled_at <= ?1
       ORDER BY received_at LIMIT ?2`,
      now - retentionDays * DAY_MS,
      PORTION,
    );
    for (const seq of expired) this.#remove(seq);
    const madeRoom = this.isOverfull && this.#makeRoom();
    if (expired.length === PORTION || madeRoom) return now + NEXT_PORTION_MS;
    this.#components.cases.prune();
    const oldest = this.number("SELECT min(received_at) FROM requests");
    return oldest === null ? null : Math.max(oldest + retentionDays * DAY_MS, now + INTERVAL_MS);
  }

  /**
   * Removes the entries of unverified requests, then the oldest bodies of settled entries, then refused
   * entries: no stranger may push out what a sender sent. Returns false if none is left.
   */
  #makeRoom(): boolean {
    const unverified = this.#unverified();
    for (const seq of unverified) this.#remove(seq);
    if (unverified.length > 0) return true;
    const whole = this.numbers(
      `SELECT seq FROM requests WHERE seq > ? AND settled_at IS NOT NULL
         AND (body IS NOT NULL OR body_chunked = 1 OR inputs_chunked = 1) ORDER BY seq LIMIT ?`,
      this.#strippedUpTo,
      PORTION,
    );
    for (const seq of whole) this.#strip(seq);
    const wasAtStart = this.#strippedUpTo === 0;
    // The next round finds entries that settle after they are passed over.
    this.#strippedUpTo = whole.at(-1) ?? 0;
    if (whole.length > 0 || !wasAtStart) return true;
    const refused = this.numbers(
      `SELECT seq FROM requests WHERE status = 'rejected' AND ${BY_STATUS}
       ORDER BY received_at LIMIT ?`,
      PORTION,
    );
    for (const seq of refused) this.#remove(seq);
    return refused.length > 0;
  }

  #unverified(): number[] {
    const rows = this.rows(
      placeRow,
      `SELECT seq, received_at FROM requests WHERE status = 'rejected' AND ${BY_STATUS}
         AND received_at >= ? AND counted = ? ORDER BY received_at LIMIT ?`,
      this.#clearedUpTo,
      BUDGETS.indexOf("unverified"),
      PORTION,
    );
    // The next round finds entries that arrive after they are passed over.
    this.#clearedUpTo = rows.at(-1)?.received_at ?? 0;
    return rows.map(({ seq }) => seq);
  }

  #strip(seq: number): void {
    this.#components.chunks.drop(seq);
    this.sql.exec(
      `UPDATE requests SET body = NULL, body_truncated = body_truncated OR body_chunked
         OR body IS NOT NULL, body_chunked = 0, inputs_chunked = 0 WHERE seq = ?`,
      seq,
    );
  }

  #remove(seq: number): void {
    const { chunks, starts, waiters } = this.#components;
    chunks.drop(seq);
    starts.remove(seq);
    waiters.forget(seq);
    // Filled by an earlier version, which searched there.
    this.sql.exec("DELETE FROM search WHERE rowid = ?", seq);
    this.sql.exec("DELETE FROM requests WHERE seq = ?", seq);
  }
}
