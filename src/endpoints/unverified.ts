import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import { RateLimiter, WINDOW_MS } from "../durable/rate-limiter.ts";
import { unverifiedLimit } from "../intake/checks/check.ts";
import { networkOf } from "../intake/ip-ranges.ts";
import { LruMap } from "../lib/lru-map.ts";

const MAX_ENDPOINTS = 2_000;

/** A limit of Cloudflare's, counted per location. */
export interface LocationLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

interface Counted {
  limiter: RateLimiter;
  /** Requests turned away that no inbox knows of yet. */
  turnedAway: number;
}

/**
 * The budget of unverified requests in this isolate: a number for each endpoint, and a smaller one for each
 * address or IPv6 network, which the location counts. Requests beyond it do not reach the inbox, which counts exactly.
 */
export class UnverifiedBudget {
  readonly #endpoints = new LruMap<Counted>(MAX_ENDPOINTS);

  /** Counts an unverified request. Returns the seconds until the next try if there is no room for it. */
  async take(
    config: EndpointConfig,
    sourceIp: string | null,
    perAddress: LocationLimit,
    now: number,
  ): Promise<number | null> {
    const counted = this.#of(config.endpointId);
    const taken = counted.limiter.take(now, unverifiedLimit(config));
    if (!taken.allowed) {
      counted.turnedAway += 1;
      return Math.ceil(taken.resetMs / 1_000);
    }
    const { success } = await perAddress.limit({
      key: `${config.endpointId} ${networkOf(sourceIp ?? "")}`,
    });
    if (success) return null;
    counted.turnedAway += 1;
    return WINDOW_MS / 1_000;
  }

  /** Returns the number of requests turned away since the last call, for the inbox to count. */
  collect(endpointId: string): number {
    const counted = this.#endpoints.get(endpointId);
    if (counted === undefined) return 0;
    const { turnedAway } = counted;
    counted.turnedAway = 0;
    return turnedAway;
  }

  #of(endpointId: string): Counted {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const counted = { limiter: new RateLimiter(), turnedAway: 0 };
    this.#endpoints.set(endpointId, counted);
    return counted;
  }
}
