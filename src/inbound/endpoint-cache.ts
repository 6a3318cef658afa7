import {
  customPath,
  type EndpointConfig,
  endpointId as generatedId,
} from "../contract/inbound/endpoint.ts";
import { within } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { LruMap } from "../lib/lru-map.ts";
import type { Endpoint } from "./types.ts";

/** For so long what was read is served without a look at D1. */
const FRESH_MS = 2_000;
/** From here on a request waits for D1; before, it is served and D1 is asked beside it. */
const STALE_MS = 4_000;
/** After a read that failed there is no other for so long. */
const PAUSE_MS = 1_000;
/** And for so long no request waits for one: D1 being away must not make webhooks slow. */
const PATIENCE_MS = 10_000;
const READ_MS = 3_000;
const MAX_ENDPOINTS = 2_000;
const MAX_UNKNOWN = 10_000;

/** What the cache needs of the place where it runs. */
export interface CacheHost {
  /** Epoch milliseconds. */
  now(): number;
  /** Lets work go on after the request that began it. */
  keep(work: Promise<unknown>): void;
}

/** Where endpoints come from. */
export interface EndpointSource {
  /** Reads D1; null for an address that leads nowhere. */
  load(address: string): Promise<EndpointConfig | null>;
  /** Null for an endpoint whose secrets cannot be opened. */
  open(config: EndpointConfig): Promise<Endpoint | null>;
}

/** What an address leads to; `locked` is an endpoint whose secrets cannot be opened. */
export type Found =
  | { kind: "endpoint"; endpoint: Endpoint }
  | { kind: "locked"; endpointId: string }
  | { kind: "unknown" };

interface Entry {
  config: EndpointConfig;
  endpoint: Endpoint | null;
  /** When the read began that this is from. */
  readAt: number;
  /** When a read failed last. */
  failedAt: number;
}

/**
 * What an isolate knows of endpoints: at most 4 s old while D1 answers, and what it was while D1 does
 * not. Unknown addresses are remembered apart, so that a flood of them pushes no endpoint out.
 */
export class EndpointCache {
  readonly #host: CacheHost;
  readonly #entries = new LruMap<Entry>(MAX_ENDPOINTS, ({ config }) => this.#release(config));
  /** Ids by custom path. */
  readonly #ids = new Map<string, string>();
  /** When an address was found to lead nowhere. */
  readonly #unknown = new LruMap<number>(MAX_UNKNOWN);
  readonly #reads = new Map<string, { since: number; work: Promise<void> }>();

  constructor(host: CacheHost) {
    this.#host = host;
  }

  /** What `/hooks/<address>` leads to. Throws when it is not known and D1 does not tell. */
  async find(address: string, source: EndpointSource): Promise<Found> {
    const now = this.#host.now();
    const entry = this.#entryAt(address);
    if (entry === undefined) return await this.#findAnew(address, now, source);
    const age = now - entry.readAt;
    const calm = now - entry.failedAt;
    if (age < FRESH_MS || calm < PAUSE_MS) return foundIn(entry);
    const refreshed = this.#refresh(address, now, source);
    if (age < STALE_MS || calm < PATIENCE_MS) {
      this.#host.keep(refreshed.catch(() => {}));
      return foundIn(entry);
    }
    const isRead = await refreshed.then(
      () => true,
      () => false,
    );
    // The inbox sees every request, and knows when this is no longer the newest configuration.
    return foundIn(this.#entryAt(address) ?? (isRead ? undefined : entry));
  }

  /** Takes over an endpoint that is newer than the known one. */
  remember(config: EndpointConfig, endpoint: Endpoint | null): void {
    this.#store({
      config,
      endpoint,
      readAt: this.#host.now(),
      failedAt: Number.NEGATIVE_INFINITY,
    });
    // Whose its path is by now is known to D1 alone.
    if (config.deleted) this.#release(config);
  }

  async #findAnew(address: string, now: number, source: EndpointSource): Promise<Found> {
    if (!isAddress(address)) return { kind: "unknown" };
    const missed = this.#unknown.get(address);
    if (missed !== undefined && now - missed < FRESH_MS) return { kind: "unknown" };
    await this.#refresh(address, now, source);
    return foundIn(this.#entryAt(address));
  }

  #entryAt(address: string): Entry | undefined {
    // No path has the form of an id.
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

  /** One read at a time for each address. One that never ended, with the request that began it, is given up. */
  #read(address: string, now: number, source: EndpointSource): Promise<void> {
    const running = this.#reads.get(address);
    if (running && now - running.since < READ_MS) return running.work;
    const work = this.#readNow(address, now, source).finally(() => {
      if (this.#reads.get(address)?.work === work) this.#reads.delete(address);
    });
    this.#reads.set(address, { since: now, work });
    // Others may wait for it, after the request that began it has gone.
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
    // The path of a deleted one may be another's by now.
    if (path !== null && !(deleted && this.#ids.has(path))) this.#ids.set(path, endpointId);
  }

  /** The address led nowhere, as of a read that began at `readAt`. */
  #miss(address: string, readAt: number): void {
    const known = this.#entryAt(address);
    // It was made while D1 was read.
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

/** Whether an endpoint could have this address: all else leads nowhere, without a look at D1. */
function isAddress(address: string): boolean {
  return generatedId.safeParse(address).success || customPath.safeParse(address).success;
}

function foundIn(entry: Entry | undefined): Found {
  if (entry === undefined) return { kind: "unknown" };
  const { config, endpoint } = entry;
  return endpoint === null
    ? { kind: "locked", endpointId: config.endpointId }
    : { kind: "endpoint", endpoint };
}
