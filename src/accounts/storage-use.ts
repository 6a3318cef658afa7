import * as z from "zod";
import type { ExecutionReport } from "../contract/account.ts";
import { Tables } from "../durable/rows.ts";
import type { TableSql } from "../durable/storage.ts";
import { slotOf } from "../lib/execution-id.ts";

/** A size is stored again when it has changed by this much: not with every report. */
const STORED_STEP = 1_048_576;

const row = z.object({ source: z.string(), bytes: z.int() });

/** The bytes that each object of an account stores, as it last reported them. */
export class StorageUse extends Tables {
  readonly #ownBytes: () => number;
  readonly #bytes = new Map<string, number>();
  readonly #stored = new Map<string, number>();
  #sum = 0;

  /** `ownBytes` returns the size of the account's own object. */
  constructor(sql: TableSql, ownBytes: () => number) {
    super(sql);
    this.#ownBytes = ownBytes;
    for (const { source, bytes } of this.rows(row, "SELECT * FROM storage_use")) {
      this.#stored.set(source, bytes);
      this.#note(source, bytes);
    }
  }

  /** The bytes of all objects. */
  get total(): number {
    return this.#sum + this.#ownBytes();
  }

  /** Notes the bytes of the host that a report is from, if it says them. */
  reportHost({ storedBytes, row }: ExecutionReport): void {
    if (storedBytes === undefined) return;
    this.report(`host/${slotOf(row.executionId)}`, storedBytes);
  }

  /** Notes the size of an object. */
  report(source: string, bytes: number): void {
    this.#note(source, bytes);
    const stored = this.#stored.get(source);
    if (stored !== undefined && Math.abs(stored - bytes) < STORED_STEP) return;
    this.#stored.set(source, bytes);
    const newest = "ON CONFLICT (source) DO UPDATE SET bytes = excluded.bytes";
    this.insert("storage_use", { source, bytes }, newest);
  }

  #note(source: string, bytes: number): void {
    this.#sum += bytes - (this.#bytes.get(source) ?? 0);
    this.#bytes.set(source, bytes);
  }
}
