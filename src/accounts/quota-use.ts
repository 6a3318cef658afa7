import * as z from "zod";
import type { ExecutionReport, InboxGrant, InboxReport } from "../contract/account.ts";
import { quotaReached } from "../contract/operators.ts";
import { RateLimiter, WINDOW_MS } from "../durable/rate-limiter.ts";
import { type TableSql, Tables } from "../durable/rows.ts";
import { slotOf } from "../lib/execution-id.ts";
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
    const newest = "ON CONFLICT (source) DO UPDATE SET bytes = excluded.bytes";
    this.insert("storage_use", { source, bytes }, newest);
  }

  #note(source: string, bytes: number): void {
    this.#sum += bytes - (this.#bytes.get(source) ?? 0);
    this.#bytes.set(source, bytes);
  }
}
