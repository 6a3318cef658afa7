import { jsonObject } from "../contract/json.ts";
import type { Settings } from "../env.ts";
import { readPath } from "../intake/mapping/payload-path.ts";
import { jsonOrNull } from "../lib/json-values.ts";
import { LruMap } from "../lib/lru-map.ts";
import { RateLimiter } from "../lib/rate-limiter.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { type KeyOrder, type SenderPort, SenderUnavailableError } from "../ports/webhooks.ts";
import { serviceFetch } from "./guarded-fetch.ts";

const MAX_KEYS = 500;
const MAX_BYTES = 64 * 1_024;
const TIMEOUT_MS = 5_000;
const KEPT_MS = 3_600_000;
/** How long an address without a key is remembered: strangers can name any. */
const UNKNOWN_MS = 60_000;
/** Requests to senders within a minute, for all endpoints of this isolate. */
const MAX_FETCHES = 60;

/** The same for one address that an account has chosen, which takes nothing from those of presets. */
const MAX_CHOSEN_FETCHES = 6;
const MAX_CHOSEN = 1_000;
/** Keys are not asked for again before, although one is missing. */
const RENEW_MS = 60_000;

interface Kept {
  key: string | null;
  at: number;
  until: number;
}

/** What asking senders needs from outside. */
interface SenderDependencies {
  fetch: GuardedFetch;
  /** Epoch milliseconds. */
  now(): number;
}

/**
 * Creates the port by which the checks of webhooks ask senders. The presets allow documented addresses
 * only. Keys are kept for an hour, also while newer ones are fetched; requests that arrive together share one
 * fetch.
 */
export function createSenderPort({ fetch, now }: SenderDependencies): SenderPort {
  const keys = new LruMap<Kept>(MAX_KEYS);
  const fetching = new LruMap<{ key: Promise<string | null>; at: number }>(MAX_KEYS);
  const fetches = new RateLimiter();
  const chosenFetches = new LruMap<RateLimiter>(MAX_CHOSEN);

  /** Whether an address may be fetched now; counts it if so. */
  function isWithinLimit({ url, isChosen }: KeyOrder): boolean {
    if (!isChosen) return fetches.take(now(), MAX_FETCHES).allowed;
    const ofAddress = chosenFetches.get(url) ?? new RateLimiter();
    chosenFetches.set(url, ofAddress);
    return ofAddress.take(now(), MAX_CHOSEN_FETCHES).allowed;
  }

  /** Returns the text of a 2xx, or null for a response that will not get better. */
  async function ask(order: KeyOrder): Promise<string | null> {
    const { url } = order;
    if (!isWithinLimit(order)) {
      throw new SenderUnavailableError("Too many keys of senders are fetched. Try again shortly.");
    }
    const request = {
      method: "GET",
      url,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    };
    const response = await fetch(request).catch(() => null);
    if (response === null || response.status === 429 || response.status >= 500) {
      throw new SenderUnavailableError(`${new URL(url).host} cannot be asked. Try again shortly.`);
    }
    const isOk = response.status >= 200 && response.status < 300;
    return isOk ? new TextDecoder().decode(response.bytes) : null;
  }

  async function fetchNow(name: string, order: KeyOrder): Promise<string | null> {
    try {
      const text = await ask(order);
      const { member } = order;
      const key = text === null || member === undefined ? text : memberOf(text, member);
      keys.set(name, { key, at: now(), until: now() + (key === null ? UNKNOWN_MS : KEPT_MS) });
      return key;
    } finally {
      fetching.delete(name);
    }
  }

  return {
    async fetchKey(order, isRenewed = false) {
      const name = JSON.stringify(order);
      const known = keys.get(name);
      const isOld = known === undefined || (isRenewed && now() - known.at >= RENEW_MS);
      if (!isOld && now() < known.until) return known.key;
      const begun = fetching.get(name);
      // One of a request that ended early never ends.
      if (begun !== undefined && now() - begun.at < TIMEOUT_MS) return await begun.key;
      const key = fetchNow(name, order);
      fetching.set(name, { key, at: now() });
      return await key;
    },
    async confirm(url) {
      try {
        return (await ask({ url })) !== null;
      } catch (error) {
        if (error instanceof SenderUnavailableError) return false;
        throw error;
      }
    },
  };
}

function memberOf(text: string, path: string): string | null {
  const whole = jsonObject.safeParse(jsonOrNull(text)).data ?? {};
  const member = readPath(whole, path) ?? null;
  return typeof member === "string" || member === null ? member : JSON.stringify(member);
}

let port: SenderPort | null = null;

/** Returns this isolate's port. */
export function senderPort(settings: Settings): SenderPort {
  port ??= createSenderPort({
    fetch: serviceFetch({ ...settings, ALLOW_LOOPBACK: false }, []),
    now: () => Date.now(),
  });
  return port;
}
