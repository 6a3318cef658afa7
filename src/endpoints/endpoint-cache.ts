import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { Endpoint } from "../intake/types.ts";
import { within } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { LruMap } from "../lib/lru-map.ts";

/** A cached endpoint is served without reading D1 up to this age. */
const FRESH_MS = 2_000;
/** From this age on a request waits for D1; before, D1 is read in the background. */
const STALE_MS = 4_000;
/** Time without another read after a failed one. */
const PAUSE_MS = 1_000;
/** Time without waiting for a read after a failed one: an outage of D1 must not slow webhooks down. */
const PATIENCE_MS = 10_000;
const READ_MS = 3_000;
const MAX_ENDPOINTS = 2_000;
const MAX_UNKNOWN = 10_000;

/** What the cache needs from the runtime. */
export interface CacheHost {
  /** Epoch milliseconds. */
  now(): number;
  /** Keeps work alive after the request that started it. */
  keep(work: Promise<unknown>): void;
}

/** Reads and opens endpoints. */
export interface EndpointSource {
  /** Whether an endpoint could have this address. Saves a read of D1 for all others. */
  canExist(address: string): Promise<boolean>;
  /** Reads D1; null for an unknown address. */
  load(address: string): Promise<EndpointConfig | null>;
  /** Returns null if the secrets of the endpoint cannot be opened. */
  open(config: EndpointConfig): Promise<Endpoint | null>;
}

/** An endpoint that was found; `endpoint` is null if its secrets cannot be opened. */
export interface Found {
  config: EndpointConfig;
  endpoint: Endpoint | null;
}

interface Entry extends Found {
  /** When the read started that returned this. */
  readAt: number;
  /** When a read last failed. */
  failedAt: number;
}

/**
 * The endpoints that an isolate knows: at most 4 s old while D1 answers, and the last known ones while it
 * does not. Unknown addresses are cached separately, so that a flood of them evicts no endpoint.
 */
export class EndpointCache {
  readonly #host: CacheHost;
  readonly #entries = new LruMap<Entry>(MAX_ENDPOINTS, ({ config }) => this.#release(config));
  /** Ids by custom path. */
  readonly #ids = new Map<string, string>();
  /** When an address was last found unknown. */
  readonly #unknown = new LruMap<number>(MAX_UNKNOWN);
  readonly #reads = new Map<string, { since: number; work: Promise<void> }>();

  constructor(host: CacheHost) {
    this.#host = host;
  }

  /** Finds the endpoint at `/hooks/<address>`, or null. Throws if it is not cached and D1 fails. */
  async find(address: string, source: EndpointSource): Promise<Found | null> {
    const now = this.#host.now();
    const entry = this.#entryAt(address);
    if (entry === undefined) return await this.#findAnew(address, now, source);
    const age = now - entry.readAt;
    const calm = now - entry.failedAt;
    if (age < FRESH_MS || calm < PAUSE_MS) return entry;
    const refreshed = this.#refresh(address, now, source);
    if (age < STALE_MS || calm < PATIENCE_MS) {
      this.#host.keep(refreshed.catch(() => {}));
      return entry;
    }
    const isRead = await refreshed.then(
      () => true,
      () => false,
    );
    // The inbox sees every request and reports an outdated configuration.
    return this.#entryAt(address) ?? (isRead ? null : entry);
  }

  /** Stores an endpoint, unless the known one is as new. */
  remember(config: EndpointConfig, endpoint: Endpoint | null): void {
    this.#store({
      config,
      endpoint,
      readAt: this.#host.now(),
      failedAt: Number.NEGATIVE_INFINITY,
    });
    // Only D1 knows which endpoint has the path now.
    if (config.deleted) this.#release(config);
  }

  async #findAnew(address: string, now: number, source: EndpointSource): Promise<Found | null> {
    const missed = this.#unknown.get(address);
    if (missed !== undefined && now - missed < FRESH_MS) return null;
    if (!(await source.canExist(address))) return null;
    await this.#refresh(address, now, source);
    return this.#entryAt(address) ?? null;
  }

  #entryAt(address: string): Entry | undefined {
    // No custom path looks like an id.
    return this.#entries.get(this.#ids.get(address) ?? address);
  }

  async #refresh(address: string, now: number, source: EndpointSource): Promise<void> {
    try {
      await within("D1", READ_MS, this.#read(address, now, source));
    } catch (error) {
      const entry = this.#entryAt(address);
      if (entry) entry.failedAt = this.#host.now();
      throw error;
    }
  }

  /** Runs one read at a time per address. Gives up a read that died with the request that started it. */
  #read(address: string, now: number, source: EndpointSource): Promise<void> {
    const running = this.#reads.get(address);
    if (running && now - running.since < READ_MS) return running.work;
    const work = this.#readNow(address, now, source).finally(() => {
      if (this.#reads.get(address)?.work === work) this.#reads.delete(address);
    });
    this.#reads.set(address, { since: now, work });
    // Other requests may wait for it after the one that started it has ended.
    this.#host.keep(work.catch(() => {}));
    return work;
  }

  async #readNow(address: string, readAt: number, source: EndpointSource): Promise<void> {
    try {
      const config = await source.load(address);
      if (config === null) return this.#miss(address, readAt);
      const known = this.#entries.get(config.endpointId);
      const isKnown = known !== undefined && known.config.version >= config.version;
      const endpoint = isKnown ? known.endpoint : await source.open(config);
      this.#store({ config, endpoint, readAt, failedAt: Number.NEGATIVE_INFINITY });
    } catch (error) {
      logError("endpoint not read", {}, error);
      throw error;
    }
  }

  #store(entry: Entry): void {
    const { endpointId, path, version, deleted } = entry.config;
    const known = this.#entries.get(endpointId);
    if (known && known.config.version > version) return;
    if (known && known.config.version === version) {
      known.readAt = Math.max(known.readAt, entry.readAt);
      known.failedAt = entry.failedAt;
    } else {
      if (known) this.#release(known.config);
      this.#entries.set(endpointId, entry);
    }
    // The path of a deleted endpoint may belong to another one by now.
    if (path !== null && !(deleted && this.#ids.has(path))) this.#ids.set(path, endpointId);
  }

  /** Notes that a read that started at `readAt` found nothing at the address. */
  #miss(address: string, readAt: number): void {
    const known = this.#entryAt(address);
    // The endpoint was created during the read.
    if (known && known.readAt >= readAt) return;
    if (known?.config.endpointId === address) this.#release(known.config);
    this.#ids.delete(address);
    this.#entries.delete(address);
    this.#unknown.set(address, readAt);
  }

  #release({ endpointId, path }: EndpointConfig): void {
    if (path !== null && this.#ids.get(path) === endpointId) this.#ids.delete(path);
  }
}
