import * as z from "zod";
import { type Output, output, type Source } from "../../contract/execution.ts";
import type { OutputFile } from "../../contract/tools/call.ts";
import type { NewOutput } from "../tools/tool.ts";

/** Bytes of a file per row; a row holds at most 2 MB. */
const CHUNK_BYTES = 1_048_576;

const outputRow = z.object({ output: z.string().transform((text) => JSON.parse(text)) });
const chunkRow = z.object({ bytes: z.instanceof(ArrayBuffer) });
const countRow = z.object({ count: z.number() });

/** Stores an execution's outputs and the bytes of its files. */
export class Outputs {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): Output[] {
    return parsed(this.#sql.exec("SELECT output FROM outputs ORDER BY idx"));
  }

  /** Adds an output under the next id. Call it within a transaction. */
  add(
    { bytes, ...fields }: NewOutput,
    { callId, sources, now }: { callId: string; sources: Source[]; now: number },
  ): Output {
    const { count } = countRow.parse(this.#sql.exec("SELECT count(*) AS count FROM outputs").one());
    const outputId = `out_${count + 1}`;
    const stored = output.parse({
      outputId,
      ...fields,
      ...(bytes === undefined ? {} : { sizeBytes: bytes.length }),
      sources,
      createdAt: new Date(now).toISOString(),
    });
    this.#sql.exec(
      "INSERT INTO outputs (idx, output_id, output, call_id) VALUES (?, ?, ?, ?)",
      count,
      outputId,
      JSON.stringify(stored),
      callId,
    );
    if (bytes !== undefined) this.#addBytes(outputId, bytes);
    return stored;
  }

  /** Returns the bytes of a file output. */
  bytes(outputId: string): Uint8Array {
    const query = "SELECT bytes FROM output_chunks WHERE output_id = ? ORDER BY idx";
    const chunks = this.#sql
      .exec(query, outputId)
      .toArray()
      .map((row) => new Uint8Array(chunkRow.parse(row).bytes));
    const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
    let offset = 0;
    for (const chunk of chunks) {
      whole.set(chunk, offset);
      offset += chunk.length;
    }
    return whole;
  }

  /** Returns the files that a call output. */
  filesOf(callId: string): OutputFile[] {
    const query = "SELECT output FROM outputs WHERE call_id = ? ORDER BY idx";
    return parsed(this.#sql.exec(query, callId))
      .filter(({ type }) => type === "file")
      .map(({ outputId, mediaType, filename }) => ({
        filename: filename ?? outputId,
        mediaType,
        bytes: this.bytes(outputId),
      }));
  }

  #addBytes(outputId: string, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      this.#sql.exec(
        "INSERT INTO output_chunks (output_id, idx, bytes) VALUES (?, ?, ?)",
        outputId,
        at / CHUNK_BYTES,
        bytes.slice(at, at + CHUNK_BYTES).buffer,
      );
    }
  }
}

function parsed(rows: SqlStorageCursor<Record<string, SqlStorageValue>>): Output[] {
  return rows.toArray().map((row) => output.parse(outputRow.parse(row).output));
}
