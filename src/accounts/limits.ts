import * as z from "zod";
import type { LimitOf } from "../contract/operators.ts";
import { type TableSql, Tables } from "../durable/rows.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No execution is longer: its waits have an end. */
const LONGEST_MS = 100 * DAY_MS;

const used = z.object({ started: z.int(), credits: z.int() });
const NOTHING = { started: 0, credits: 0 };

/** Returns the limits which do this once they are reached. */
export const thatDo = (what: LimitOf["onExceeded"], limits: readonly LimitOf[] = []): LimitOf[] =>
  limits.filter(({ onExceeded }) => onExceeded === what);

/** What the executions of limited workflows and endpoints used in the last day. */
export class LimitUse extends Tables {
  /** Whether there is any limited execution: without one, nothing is read or written. */
  #isUsed: boolean;

  constructor(sql: TableSql) {
    super(sql);
    this.#isUsed = this.exists("SELECT 1 FROM limit_use LIMIT 1");
  }

  /** Returns the sentence about the first of these limits that is reached, or null. */
  reached(limits: readonly LimitOf[], now: number): string | null {
    for (const { resourceId, creditsPerDay, executionsPerHour } of limits) {
      const query = `SELECT count(*) FILTER (WHERE started_at > ?) AS started,
          coalesce(sum(credits) FILTER (WHERE settled_at > ?), 0) AS credits
        FROM limit_use WHERE resource_id = ?`;
      const sums = this.first(used, query, now - HOUR_MS, now - DAY_MS, resourceId);
      const { started, credits } = sums ?? NOTHING;
      if (executionsPerHour !== undefined && started >= executionsPerHour)
        return `The limit of ${executionsPerHour} executions an hour of ${resourceId} is reached.`;
      if (creditsPerDay !== undefined && credits >= creditsPerDay)
        return `The limit of ${creditsPerDay} credits a day of ${resourceId} is reached.`;
    }
    return null;
  }

  /** Returns the same for an execution that may be counted under these limits already, and then none. */
  newlyReached(executionId: string, limits: readonly LimitOf[], now: number): string | null {
    return this.#isKnown(executionId, limits) ? null : this.reached(limits, now);
  }

  /** Counts an execution that starts under these limits; again changes nothing. */
  start(executionId: string, limits: readonly LimitOf[], now: number): void {
    if (limits.length > 0) this.#isUsed = true;
    for (const { resourceId } of limits) {
      const row = { resourceId, executionId, startedAt: now };
      this.insert("limit_use", row, "ON CONFLICT DO NOTHING");
    }
  }

  /** Counts the credits of an execution that ended. */
  settle(executionId: string, credits: number, now: number): void {
    if (!this.#isUsed) return;
    const isLive = "execution_id = ? AND settled_at IS NULL";
    this.update("limit_use", { credits, settledAt: now }, isLive, executionId);
  }

  /** Deletes the use that has left every window, and that of executions which never reported their end. */
  prune(now: number): void {
    if (!this.#isUsed) return;
    this.sql.exec(
      "DELETE FROM limit_use WHERE settled_at < ? OR started_at < ?",
      now - DAY_MS,
      now - LONGEST_MS,
    );
  }

  #isKnown(executionId: string, limits: readonly LimitOf[]): boolean {
    const [first] = limits;
    if (first === undefined) return true;
    const query = "SELECT 1 FROM limit_use WHERE resource_id = ? AND execution_id = ?";
    return this.exists(query, first.resourceId, executionId);
  }
}
