import * as z from "zod";
import { type ExecutionEvent, executionEvent } from "../../contract/events.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { UnreadableStateError } from "../../durable/schema.ts";
import { concatBytes } from "../../lib/read-up-to.ts";
import { type Entry, entry, type StoredFact } from "./facts.ts";
import { type Head, head, WRITER } from "./head.ts";

/**
 * The tables of a host, for all executions that it hosts. A commit is a row of `journal` and one of
 * `heads`; files and texts that are too long for a row are in `blobs`, in pieces. Append-only.
 */
export const HOST_SCHEMA = [
  `
  CREATE TABLE heads (
    execution_id TEXT PRIMARY KEY, wake_at INTEGER, head TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE journal (
    execution_id TEXT NOT NULL, seq INTEGER NOT NULL, events INTEGER NOT NULL, entry TEXT NOT NULL,
    PRIMARY KEY (execution_id, seq)
  ) WITHOUT ROWID;
  CREATE TABLE blobs (
    execution_id TEXT NOT NULL, name TEXT NOT NULL, piece INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (execution_id, name, piece)
  ) WITHOUT ROWID;
  `,
  `
  -- The executions that continue one, all of them of this host.
  CREATE TABLE forks (
    execution_id TEXT NOT NULL, fork_id TEXT NOT NULL, PRIMARY KEY (execution_id, fork_id)
  ) WITHOUT ROWID;
  `,
] as const;

/** The part of an object's storage that a journal needs. */
export interface JournalStorage {
  sql: Pick<SqlStorage, "exec">;
  transactionSync<T>(change: () => T): T;
}

/** Bytes of a blob per row; a row holds at most 2 MB. */
const PIECE_BYTES = 1_048_576;
/** An entry of more characters is stored as a blob: a character takes up to three bytes. */
const ENTRY_LENGTH = 500_000;

/** Rows that one slice of a removal deletes: its execution's neighbours wait meanwhile. */
const SLICE_COMMITS = 200;
const SLICE_PIECES = 8;

const headRow = z.object({ head: z.string() });
const textRow = z.object({ entry: z.string() });
const entryRow = textRow.extend({ seq: z.number(), events: z.number() });
const forkRow = z.object({ fork_id: z.string() });
const pieceRow = z.object({ bytes: z.instanceof(ArrayBuffer) });

/** A commit's place in the journal. */
export interface JournalPosition {
  seq: number;
  /** The number of the last event before it. */
  eventsBefore: number;
}

/** The stored rows of one execution. */
export class Journal {
  readonly executionId: string;
  readonly #storage: JournalStorage;

  constructor(storage: JournalStorage, executionId: string) {
    this.#storage = storage;
    this.executionId = executionId;
  }

  /** Returns the stored head, or null if there is no such execution. Throws if this code cannot read it. */
  head(): Head | null {
    const [row] = this.#rows("SELECT head FROM heads WHERE execution_id = ?");
    if (row === undefined) return null;
    try {
      return head.parse(JSON.parse(headRow.parse(row).head));
    } catch (error) {
      throw new UnreadableStateError(error);
    }
  }

  /** Stores the newest head. */
  saveHead(next: Head, wakeAt: number | null): void {
    this.#storage.sql.exec(
      `INSERT INTO heads (execution_id, wake_at, head) VALUES (?, ?, ?)
       ON CONFLICT (execution_id) DO UPDATE SET wake_at = excluded.wake_at, head = excluded.head`,
      this.executionId,
      wakeAt,
      JSON.stringify({ ...next, ...WRITER }),
    );
  }

  /** Adds a commit; `events` is the number of its last event. Called within the transaction that stores its head. */
  append(
    { seq, events }: { seq: number; events: number },
    commit: { at: number; version: number; facts: StoredFact[] },
  ): void {
    this.#storage.sql.exec(
      "INSERT INTO journal (execution_id, seq, events, entry) VALUES (?, ?, ?, ?)",
      this.executionId,
      seq,
      events,
      this.#columnOf(seq, JSON.stringify(commit)),
    );
  }

  transaction<T>(change: () => T): T {
    return this.#storage.transactionSync(change);
  }

  /** Reads the commits in their order, one at a time: all of them together may not fit in memory. */
  *entries(): Generator<{ seq: number; entry: Entry }> {
    for (let seq = 0; ; seq += 1) {
      const found = this.#entry(seq);
      if (found === null) return;
      yield { seq, entry: found };
    }
  }

  /** Returns the input of the execution, or null if there is no such execution. */
  seed(): ExecutionSeed | null {
    const first = this.entries().next();
    if (first.done) return null;
    const [fact] = first.value.entry.facts;
    if (fact?.kind !== "seed") throw new Error("The journal does not begin with a seed.");
    return fact.seed;
  }

  /** Replaces a text of the input that occurs nowhere else in it. */
  replaceInSeed(before: string, after: string): void {
    this.#storage.transactionSync(() => {
      const [row] = this.#rows("SELECT entry FROM journal WHERE execution_id = ? AND seq = 0");
      if (row === undefined) return;
      const whole = this.#text(0, textRow.parse(row).entry);
      this.deleteBlob(longEntry(0));
      this.#rows(
        "UPDATE journal SET entry = ?2 WHERE execution_id = ?1 AND seq = 0",
        this.#columnOf(0, whole.replace(before, after)),
      );
    });
  }

  /** Returns one commit. Throws if there is none of this number. */
  entry(seq: number): Entry {
    const found = this.#entry(seq);
    if (found === null) throw new Error(`The journal has no entry ${seq}.`);
    return found;
  }

  #entry(seq: number): Entry | null {
    const [row] = this.#rows("SELECT entry FROM journal WHERE execution_id = ? AND seq = ?", seq);
    return row === undefined ? null : this.#parse(seq, textRow.parse(row).entry);
  }

  /** Returns at most `limit` events after the event `after`. */
  events(after: number, limit: number): ExecutionEvent[] {
    const found: ExecutionEvent[] = [];
    const rows = this.#storage.sql.exec(
      "SELECT seq, events, entry FROM journal WHERE execution_id = ? AND events > ? ORDER BY seq",
      this.executionId,
      after,
    );
    for (const row of rows) {
      const { seq, events, entry: text } = entryRow.parse(row);
      const { at, version, facts } = this.#parse(seq, text);
      const own = facts.flatMap((fact) => (fact?.kind === "event" ? [fact] : []));
      own.forEach(({ type, data }, index) => {
        const number = events - own.length + index + 1;
        if (number <= after || found.length === limit) return;
        const event = { seq: number, type, at: new Date(at).toISOString(), version, data };
        const known = executionEvent.safeParse(event);
        if (known.success) found.push(known.data);
      });
      if (found.length === limit) break;
    }
    return found;
  }

  /** Returns the executions that continue this one. */
  forks(): string[] {
    const rows = this.#rows("SELECT fork_id FROM forks WHERE execution_id = ? ORDER BY fork_id");
    return rows.map((row) => forkRow.parse(row).fork_id);
  }

  addFork(forkId: string): void {
    this.#rows("INSERT OR IGNORE INTO forks (execution_id, fork_id) VALUES (?, ?)", forkId);
  }

  /** Returns another execution of the same host. */
  other(executionId: string): Journal {
    return new Journal(this.#storage, executionId);
  }

  /** Stores bytes under a name. */
  putBlob(name: string, bytes: Uint8Array): void {
    for (let piece = 0; piece * PIECE_BYTES < bytes.length; piece += 1) {
      const part = bytes.slice(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
      this.#storage.sql.exec(
        "INSERT OR REPLACE INTO blobs (execution_id, name, piece, bytes) VALUES (?, ?, ?, ?)",
        this.executionId,
        name,
        piece,
        part.buffer,
      );
    }
  }

  /** Returns the bytes of this name; none if there is no such blob. */
  blob(name: string): Uint8Array {
    const pieces = this.#rows(
      "SELECT bytes FROM blobs WHERE execution_id = ? AND name = ? ORDER BY piece",
      name,
    ).map((row) => new Uint8Array(pieceRow.parse(row).bytes));
    return concatBytes(pieces);
  }

  deleteBlob(name: string): void {
    this.#rows("DELETE FROM blobs WHERE execution_id = ? AND name = ?", name);
  }

  /**
   * Deletes a slice of the execution's rows; returns whether any are left. The newest commits go first and
   * the seed last, so that what is left can be read, and deleted, by another process.
   */
  removeSlice(): boolean {
    return this.#storage.transactionSync(() => {
      const commits = this.#rows(
        `DELETE FROM journal WHERE execution_id = ?1 AND seq > 0 AND seq >
           (SELECT max(seq) FROM journal WHERE execution_id = ?1) - ${SLICE_COMMITS} RETURNING seq`,
      );
      if (commits.length > 0) return true;
      const pieces = this.#rows(
        `DELETE FROM blobs WHERE execution_id = ?1 AND (name, piece) IN
           (SELECT name, piece FROM blobs WHERE execution_id = ?1 AND name <> '${longEntry(0)}'
            LIMIT ${SLICE_PIECES}) RETURNING piece`,
      );
      if (pieces.length > 0) return true;
      for (const table of ["heads", "journal", "blobs", "forks"]) {
        this.#rows(`DELETE FROM ${table} WHERE execution_id = ?`);
      }
      return false;
    });
  }

  /** Returns the column of a commit, which is empty if its text is in a blob. */
  #columnOf(seq: number, text: string): string {
    if (text.length <= ENTRY_LENGTH) return text;
    this.putBlob(longEntry(seq), new TextEncoder().encode(text));
    return "";
  }

  #text(seq: number, column: string): string {
    return column === "" ? new TextDecoder().decode(this.blob(longEntry(seq))) : column;
  }

  #parse(seq: number, column: string): Entry {
    return entry.parse(JSON.parse(this.#text(seq, column)));
  }

  #rows(query: string, ...bindings: SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.#storage.sql.exec(query, this.executionId, ...bindings).toArray();
  }
}

function longEntry(seq: number): string {
  return `entry/${seq}`;
}
