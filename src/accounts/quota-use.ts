import * as z from "zod";
import type { ExecutionReport, InboxGrant, InboxReport } from "../contract/account.ts";
import { type LimitOf, quotaReached } from "../contract/operators.ts";
import { type TableSql, Tables } from "../durable/rows.ts";
import { slotOf } from "../lib/execution-id.ts";
import { RateLimiter, WINDOW_MS } from "../lib/rate-limiter.ts";
import { counted } from "../lib/text.ts";
import type { Controls } from "./controls.ts";

/** The part of the quota that one inbox is granted at once; what it leaves of that is lost to the others. */
const LARGEST_PART = 1 / 100;

/**
 * Divides the account's webhook requests per minute among its inboxes. The count is in memory alone: after
 * a restart of the object the window is open again.
 */
export class InboxGrants {
  readonly #controls: Controls;
  readonly #storageUse: StorageUse;
  readonly #limiter = new RateLimiter();

  constructor(controls: Controls, storageUse: StorageUse) {
    this.#controls = controls;
    this.#storageUse = storageUse;
  }

  /** Returns the requests of the last minute that were granted. */
  granted(now: number): number {
    return this.#limiter.count(now);
  }

  /** Notes the size of an inbox and grants it what it wants, as far as the quota has room. */
  grant(endpointId: string, { wanted, storedBytes }: InboxReport, now: number): InboxGrant {
    this.#storageUse.report(`inbox/${endpointId}`, storedBytes);
    const { webhookRequestsPerMinute, storedBytes: most } = this.#controls.quotas;
    const full = this.#storageUse.total >= most ? quotaReached("storedBytes", most) : null;
    if (wanted === 0) return { granted: 0, retryAfterSeconds: 0, full };
    const { allowed, remaining, resetMs } = this.#limiter.take(now, webhookRequestsPerMinute);
    const retryAfterSeconds = Math.ceil(Math.min(resetMs, WINDOW_MS) / 1_000);
    if (!allowed) {
      const refusal = quotaReached("webhookRequestsPerMinute", webhookRequestsPerMinute);
      return { granted: 0, retryAfterSeconds, full, refusal };
    }
    const part = Math.ceil(webhookRequestsPerMinute * LARGEST_PART);
    const more = Math.min(Math.min(wanted, part) - 1, remaining);
    this.#limiter.restore(now, more);
    return { granted: 1 + more, retryAfterSeconds, full };
  }
}

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
    this.upsert("storage_use", "source", { source, bytes });
  }

  #note(source: string, bytes: number): void {
    this.#sum += bytes - (this.#bytes.get(source) ?? 0);
    this.#bytes.set(source, bytes);
  }
}

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
        return `The limit of ${counted(executionsPerHour, "execution")} an hour of ${resourceId} is reached.`;
      if (creditsPerDay !== undefined && credits >= creditsPerDay)
        return `The limit of ${counted(creditsPerDay, "credit")} a day of ${resourceId} is reached.`;
    }
    return null;
  }

  /** Returns the same for an execution that may be counted under these limits already, and then none. */
  newlyReached(executionId: string, limits: readonly LimitOf[], now: number): string | null {
    const [first] = limits;
    const query = "SELECT 1 FROM limit_use WHERE resource_id = ? AND execution_id = ?";
    const isKnown = first === undefined || this.exists(query, first.resourceId, executionId);
    return isKnown ? null : this.reached(limits, now);
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
}
