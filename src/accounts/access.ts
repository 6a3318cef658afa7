import * as z from "zod";
import type { Caller, Credential, Denial, RateClass, RateState } from "../contract/account.ts";
import type { By } from "../contract/actor.ts";
import type { Scope } from "../contract/keys.ts";
import { rowShape, type TableSql, Tables } from "../durable/rows.ts";
import type { StorageChanges } from "../durable/storage-changes.ts";
import { RateLimiter, WINDOW_MS } from "../lib/rate-limiter.ts";
import type { ApiKeys } from "./api-keys.ts";

/** Requests per minute to the management routes, and reads per minute of the dashboard's pages. */
const LIMITS = { management: 600, dashboard: 600 };
/** Up to this limit, each millisecond with requests is stored; above it, each tenth of a second. */
const EXACT_LIMIT = 600;
const FLUSH_INTERVAL_MS = 1_000;

/** `second` is the time of the requests; older code stored it without decimals. */
const rateRow = rowShape({
  rateClass: z.enum(["agent", "management"]),
  second: z.number(),
  count: z.number(),
});

/** Checks keys, and the tokens of sessions, by their hashes. */
type Callers = Pick<ApiKeys, "check" | "flush">;

/** A request that passed every check and was counted. */
export interface Admitted {
  kind: "admitted";
  rate: RateState;
  key: Caller["key"];
  by: By;
  endpointIds: string[] | null;
}

/**
 * Admits an account's requests by key, rate and scope.
 *
 * Once a second the counts are stored with their times, so that a restart neither reopens the window nor
 * refuses a caller who waited as long as a 429 said.
 */
export class AccessControl extends Tables {
  readonly #callers: Callers;
  readonly #changes: StorageChanges;
  readonly #limiters: Record<RateClass, RateLimiter> = {
    agent: new RateLimiter(),
    management: new RateLimiter(),
    dashboard: new RateLimiter(),
  };
  readonly #unsaved = new Map<string, { rateClass: RateClass; second: number; count: number }>();
  #isFlushing = false;

  constructor(sql: TableSql, callers: Callers, changes: StorageChanges, now: number) {
    super(sql);
    this.#callers = callers;
    this.#changes = changes;
    const query = "SELECT * FROM rate WHERE second >= ? ORDER BY second";
    for (const { rateClass, second, count } of this.rows(rateRow, query, (now - WINDOW_MS) / 1_000))
      this.#limiters[rateClass].restore(Math.min(Math.round(second * 1_000), now), count);
  }

  /** Checks the key, then the rate, then the scope: a stranger must not use up an account's rate. */
  admit(
    credential: Credential,
    requestsPerMinute: number,
    now: number,
    count = 1,
  ): Denial | Admitted {
    const checked = this.#callers.check(credential.keyHash, now);
    if (checked.kind === "unauthorized") return checked;
    const { key, by, endpointIds = null } = checked;
    const { scope, orScope = scope, isPageRead = false } = credential;
    const rateClass: RateClass = isPageRead ? "dashboard" : credential.rateClass;
    const limit = rateClass === "agent" ? requestsPerMinute : LIMITS[rateClass];
    const { allowed, remaining, resetMs } = this.#limiters[rateClass].take(now, limit, count);
    const grain = limit > EXACT_LIMIT ? 100 : 1;
    if (allowed) this.#count(rateClass, (Math.ceil(now / grain) * grain) / 1_000, count);
    const rate = { rateClass, limit, remaining, resetSeconds: Math.ceil(resetMs / 1_000) };
    if (!allowed) return { kind: "rate_limited", rate };
    const has = (one: Scope | null) => one === null || key.scopes.includes(one);
    if (scope !== null && !has(scope) && !has(orScope)) {
      return { kind: "insufficient_scope", scope, by, rate };
    }
    return { kind: "admitted", rate, key, by, endpointIds };
  }

  #count(rateClass: RateClass, second: number, count: number): void {
    // A page that stays open for hours must not write as long.
    if (rateClass !== "dashboard") {
      const name = `${rateClass}:${second}`;
      const entry = this.#unsaved.get(name);
      if (entry === undefined) this.#unsaved.set(name, { rateClass, second, count });
      else entry.count += count;
    }
    // Counts are stored once a second, not once a request: reading must not cost a write.
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setTimeout(() => {
      this.#isFlushing = false;
      this.#changes.quietly(() => {
        this.#flush(Date.now());
        this.#callers.flush();
      });
    }, FLUSH_INTERVAL_MS);
  }

  #flush(now: number): void {
    const added = "ON CONFLICT (rate_class, second) DO UPDATE SET count = count + excluded.count";
    for (const entry of this.#unsaved.values()) this.insert("rate", entry, added);
    if (this.#unsaved.size === 0) return;
    this.#unsaved.clear();
    this.sql.exec("DELETE FROM rate WHERE second < ?", (now - 2 * WINDOW_MS) / 1_000);
  }
}
