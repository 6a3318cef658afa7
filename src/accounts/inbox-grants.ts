import type { InboxGrant, InboxReport } from "../contract/account.ts";
import { quotaReached } from "../contract/quotas.ts";
import { RateLimiter, WINDOW_MS } from "../durable/rate-limiter.ts";
import type { Controls } from "./controls.ts";
import type { StorageUse } from "./storage-use.ts";

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
