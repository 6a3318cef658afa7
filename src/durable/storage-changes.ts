import { sleep } from "../lib/async.ts";
import type { TableSql } from "./rows.ts";

/** How often a waiting reader's object compares the counts. */
const COMPARE_MS = 250;

/**
 * Tells readers when an object's storage has changed, by SQLite's own count of changed rows. No writer has to
 * say so, and nothing more is written.
 */
export class StorageChanges {
  readonly #sql: TableSql;
  /** SQLite counts from zero in each process. */
  readonly #process = crypto.randomUUID().slice(0, 8);
  #quiet = 0;
  #noted = 0;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  /** Makes a change that no reader needs to hear of, such as a count of requests. */
  quietly(change: () => void): void {
    const before = this.#count();
    change();
    this.#quiet += this.#count() - before;
  }

  /** Counts a change of something that is stored elsewhere. */
  note(): void {
    this.#noted += 1;
  }

  /** Waits until the mark is no longer `seen`, at most `waitMs`. Returns the current mark. */
  async since(seen: string | null, waitMs: number): Promise<string> {
    const until = Date.now() + waitMs;
    for (;;) {
      const mark = `${this.#process}.${this.#count() - this.#quiet + this.#noted}`;
      const left = until - Date.now();
      if (mark !== seen || left <= 0) return mark;
      await sleep(Math.min(COMPARE_MS, left));
    }
  }

  #count(): number {
    return Number(this.#sql.exec("SELECT total_changes() AS count").one().count);
  }
}
