import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { ROWS_PER_BATCH, upsertExecutions } from "../records/executions.ts";
import type { UnconfirmedRows } from "./unconfirmed.ts";

/** Rows are gathered this long, so that many become one write to D1. */
export const PROJECT_DELAY_MS = 250;
const WRITE_TIMEOUT_MS = 15_000;
const LONGEST_BACKOFF_MS = 60_000;

/** Brings D1 up to date. While D1 fails, the rows wait, and the lists show them from where they wait. */
export class Projector {
  readonly #db: D1Database;
  readonly #rows: UnconfirmedRows;
  #failures = 0;

  constructor(db: D1Database, rows: UnconfirmedRows) {
    this.#db = db;
    this.#rows = rows;
  }

  /** Writes one batch. Returns when to come again (epoch milliseconds), or null when all is there. */
  async project(accountId: string): Promise<number | null> {
    const batch = this.#rows.toProject(ROWS_PER_BATCH);
    if (batch.length === 0) return null;
    let written: number;
    try {
      const write = upsertExecutions(
        this.#db,
        accountId,
        batch.map(({ row }) => row),
      );
      written = await within("D1", WRITE_TIMEOUT_MS, write);
    } catch (error) {
      this.#failures += 1;
      logWarning("rows not written", { accountId, rows: batch.length }, error);
      return Date.now() + Math.min(1_000 * 2 ** this.#failures, LONGEST_BACKOFF_MS);
    }
    this.#failures = 0;
    const now = Date.now();
    this.#rows.projected(batch.slice(0, written), now);
    const more = this.#rows.toProject(1).length > 0;
    const isFull = batch.length === ROWS_PER_BATCH || written < batch.length;
    return more ? now + (isFull ? 0 : PROJECT_DELAY_MS) : null;
  }
}
