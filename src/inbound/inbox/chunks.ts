import * as z from "zod";

/** The parts of an entry that may be too long for its row. */
export type Part = "body" | "inputs";

/** A row holds 2 MB at most. */
const CHUNK_BYTES = 1_000_000;
/** Chunks of one part: 128 MB are more than a request can become. */
const PER_PART = 128;
const PER_ENTRY = 2 * PER_PART;

const chunkRow = z.object({ bytes: z.instanceof(ArrayBuffer) });

/** Bytes that are too many for one row, in pieces that are not. */
export class Chunks {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  put(seq: number, part: Part, bytes: Uint8Array): void {
    const first = firstOf(seq, part);
    if (bytes.byteLength > PER_PART * CHUNK_BYTES) throw new RangeError("too long to be stored");
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

  /** The first bytes of a part, at most `limit`. */
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

  /** Drops all parts of an entry. */
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
