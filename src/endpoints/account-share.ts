import type { InboxGrant, InboxReport } from "../contract/account.ts";
import { logWarning } from "../lib/log.ts";
import { RateLimiter } from "../lib/rate-limiter.ts";

/** What an inbox asks for at once; the account grants as much of it as its quota allows. */
const WANTED = 1_000;
/** What an inbox accepts while its account does not answer: a quota must not stop senders. */
const UNGRANTED = 1_000;
/** A grant counts in the account's minute: it ends with that. */
const GRANT_MS = 60_000;
/** The account is not asked again within this time after it granted nothing. */
const ASK_AGAIN_MS = 1_000;
/** The inbox reports its size to the account again after growing by this many bytes. */
const REPORT_STEP = 1_048_576;
/** How long the account's word on its stored bytes counts. */
const FULL_MS = 60_000;

interface ShareComponents {
  /** Returns the requests per minute that need no question. */
  unaskedPerMinute(): number;
  storedBytes(): number;
  /** Asks the account. */
  ask(report: InboxReport): Promise<InboxGrant>;
}

/** When to try again, and the sentence about the quota. */
interface ShareRefusal {
  retryAfterSeconds: number;
  detail?: string | undefined;
}

/**
 * The inbox's share of its account's quotas. It accepts a few requests per minute unasked and others by
 * grants of the account, each for many requests, so that the account is not on the path of every webhook.
 */
export class AccountShare {
  readonly #components: ShareComponents;
  readonly #unasked = new RateLimiter();
  #granted = 0;
  #grantedUntil = 0;
  #askAgainAt = 0;
  #refusal: ShareRefusal = { retryAfterSeconds: 1 };
  #reportedBytes = 0;
  #full: string | null = null;
  #fullUntil = 0;
  #asking: Promise<void> | null = null;

  constructor(components: ShareComponents) {
    this.#components = components;
  }

  /** Whether `take` would refuse a request that the account may grant. */
  mustAsk(now: number): boolean {
    return !this.#hasRoom(now) && now >= this.#askAgainAt;
  }

  /** Asks the account for more requests, once for all that wait meanwhile. */
  ask(now: number, wanted = WANTED): Promise<void> {
    this.#asking ??= this.#askNow(wanted, now).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Takes one request. Returns the refusal if the account's quota has no room for it, else null. */
  take(now: number): ShareRefusal | null {
    if (this.#unasked.take(now, this.#components.unaskedPerMinute()).allowed) return null;
    if (this.#granted > 0 && now < this.#grantedUntil) {
      this.#granted -= 1;
      return null;
    }
    return this.#refusal;
  }

  /** Returns the sentence about the account's quota of stored bytes if it is reached, else null. */
  full(now: number): string | null {
    return now < this.#fullUntil ? this.#full : null;
  }

  /** Tells the account the size of the inbox, if it has changed by much or the account is full. */
  report(now: number): void {
    const grown = Math.abs(this.#components.storedBytes() - this.#reportedBytes);
    if (grown < REPORT_STEP && (this.#full === null || now < this.#fullUntil)) return;
    void this.ask(now, 0);
  }

  #hasRoom(now: number): boolean {
    if (this.#unasked.count(now) < this.#components.unaskedPerMinute()) return true;
    return this.#granted > 0 && now < this.#grantedUntil;
  }

  async #askNow(wanted: number, now: number): Promise<void> {
    const storedBytes = this.#components.storedBytes();
    try {
      const report = { wanted, storedBytes };
      const { granted, retryAfterSeconds, full, refusal } = await this.#components.ask(report);
      this.#reportedBytes = storedBytes;
      this.#full = full;
      this.#fullUntil = full === null ? 0 : now + FULL_MS;
      if (wanted === 0) return;
      this.#granted = granted;
      this.#grantedUntil = now + GRANT_MS;
      this.#refusal = { retryAfterSeconds, detail: refusal };
      if (granted === 0) this.#askAgainAt = now + ASK_AGAIN_MS;
    } catch (error) {
      logWarning("account not asked for its quota", {}, error);
      this.#granted = UNGRANTED;
      this.#grantedUntil = now + GRANT_MS;
    }
  }
}
