import { unverifiedLimit } from "../intake/checks/unverified.ts";
import { networkOf } from "../intake/ip-ranges.ts";
import { LruMap } from "../lib/lru-map.ts";
import { RateLimiter, WINDOW_MS } from "../lib/rate-limiter.ts";
import type { UnverifiedPort } from "../ports/webhooks.ts";

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

const endpoints = new LruMap<Counted>(MAX_ENDPOINTS);

/**
 * Returns the budget of unverified requests in this isolate: a number for each endpoint, and a smaller one for
 * each address or IPv6 network, which the location counts. Requests beyond it do not reach the inbox, which
 * counts exactly.
 */
export function unverifiedBudget(perAddress: LocationLimit): UnverifiedPort {
  return {
    async take(config, sourceIp) {
      const { endpointId } = config;
      const counted = countedOf(endpointId);
      const taken = counted.limiter.take(Date.now(), unverifiedLimit(config));
      const key = `${endpointId} ${networkOf(sourceIp ?? "")}`;
      if (taken.allowed && (await perAddress.limit({ key })).success) return null;
      counted.turnedAway += 1;
      return taken.allowed ? WINDOW_MS / 1_000 : Math.ceil(taken.resetMs / 1_000);
    },
    collect(endpointId) {
      const counted = endpoints.get(endpointId);
      if (counted === undefined) return 0;
      const { turnedAway } = counted;
      counted.turnedAway = 0;
      return turnedAway;
    },
  };
}

function countedOf(endpointId: string): Counted {
  const known = endpoints.get(endpointId);
  if (known !== undefined) return known;
  const counted = { limiter: new RateLimiter(), turnedAway: 0 };
  endpoints.set(endpointId, counted);
  return counted;
}
