import { jsonObject } from "../contract/json.ts";
import type { Settings } from "../env.ts";
import type { KeyOrder } from "../inbound/signatures/presets/preset.ts";
import { type SenderPort, SenderUnavailableError } from "../inbound/types.ts";
import { LruMap } from "../lib/lru-map.ts";
import { createGuardedFetch } from "../outbound/guarded-fetch.ts";

const MAX_BYTES = 64 * 1_024;
const TIMEOUT_MS = 5_000;
const KEPT_MS = 3_600_000;
/** How long an address without a key is remembered: strangers can name any. */
const UNKNOWN_MS = 60_000;
/** Fetches within the window, for all endpoints of this isolate. */
const MAX_FETCHES = 60;
const WINDOW_MS = 60_000;

interface Fetched {
  key: Promise<string | null>;
  until: number;
}

const keys = new LruMap<Fetched>(500);
let fetches: number[] = [];

/** Returns the port by which the checks of webhooks ask senders. Keys are cached for an hour. */
export function senderPort(settings: Settings): SenderPort {
  return {
    async fetchKey(order) {
      const name = JSON.stringify(order);
      const known = keys.get(name);
      if (known !== undefined && Date.now() < known.until) return await known.key;
      const now = Date.now();
      const fetched = { key: fetchNow(order, settings), until: now + KEPT_MS };
      keys.set(name, fetched);
      try {
        const key = await fetched.key;
        if (key === null) fetched.until = now + UNKNOWN_MS;
        return key;
      } catch (error) {
        keys.delete(name);
        throw error;
      }
    },
    async confirm(url) {
      try {
        return (await ask({ url }, settings)) !== null;
      } catch (error) {
        if (error instanceof SenderUnavailableError) return false;
        throw error;
      }
    },
  };
}

async function fetchNow(order: KeyOrder, settings: Settings): Promise<string | null> {
  const text = await ask(order, settings);
  if (text === null || order.member === undefined) return text;
  const answer = jsonObject.safeParse(parsed(text));
  const key = answer.success ? answer.data[order.member] : undefined;
  return key === undefined ? null : JSON.stringify(key);
}

/** Returns the text of a 2xx, or null for another status. */
async function ask({ url, body }: KeyOrder, settings: Settings): Promise<string | null> {
  takeTurn(Date.now());
  const fetch = createGuardedFetch({
    policy: { allowLoopback: false, ownHosts: settings.SERVICE_HOSTS, schemes: ["https"] },
    dnsOverHttpsUrl: settings.DNS_OVER_HTTPS_URL === "" ? null : settings.DNS_OVER_HTTPS_URL,
  });
  try {
    const { status, bytes } = await fetch({
      method: body === undefined ? "GET" : "POST",
      url,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      signal: new AbortController().signal,
    });
    if (status >= 500 || status === 429) throw unavailable(url);
    return status >= 200 && status < 300 ? new TextDecoder().decode(bytes) : null;
  } catch (error) {
    if (error instanceof SenderUnavailableError) throw error;
    throw unavailable(url);
  }
}

function takeTurn(now: number): void {
  fetches = fetches.filter((time) => now - time < WINDOW_MS);
  if (fetches.length >= MAX_FETCHES) {
    throw new SenderUnavailableError("Too many keys of senders are fetched. Try again shortly.");
  }
  fetches.push(now);
}

function unavailable(url: string): SenderUnavailableError {
  return new SenderUnavailableError(`${new URL(url).host} cannot be asked. Try again shortly.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
