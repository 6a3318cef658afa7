import type { Prompthook } from "../../client/prompthook.ts";
import { isSettled, type LogEntry } from "../../contract/inbound/log.ts";

/** Read at most for the sake of entries that may have come to their end. */
const MAX_AGAIN = 200;

/** The log of an endpoint as it grows: what came last, then what comes. */
export class LiveLog {
  readonly #webhooks: Pick<Prompthook["webhooks"], "allRequests">;
  readonly #endpointId: string;
  readonly #tracker = new Tracker();

  constructor(webhooks: Pick<Prompthook["webhooks"], "allRequests">, endpointId: string) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
  }

  /** The last entries that there are, the oldest first. */
  async begin(lines: number, signal: AbortSignal): Promise<News[]> {
    const isEnough = (read: readonly LogEntry[]) =>
      read.length >= lines && isBefore(read.at(-1), newFromOf(read[0]));
    const news = this.#tracker.take(await this.#read({}, isEnough, signal));
    return lines === 0 ? [] : news.slice(-lines);
  }

  /** What is new since it was last asked, in order. */
  async next(signal: AbortSignal): Promise<News[]> {
    const { newFrom, openFrom } = this.#tracker;
    // What came at that very moment is wanted too.
    const query = openFrom === null ? {} : { receivedAfter: new Date(openFrom - 1).toISOString() };
    const isEnough = (read: readonly LogEntry[]) =>
      read.length >= MAX_AGAIN && isBefore(read.at(-1), newFrom ?? 0);
    return this.#tracker.take(await this.#read(query, isEnough, signal));
  }

  async #read(
    query: { receivedAfter?: string },
    isEnough: (read: readonly LogEntry[]) => boolean,
    signal: AbortSignal,
  ): Promise<LogEntry[]> {
    const read: LogEntry[] = [];
    for await (const entry of this.#webhooks.allRequests(this.#endpointId, query, { signal })) {
      read.push(entry);
      if (isEnough(read)) break;
    }
    return read;
  }
}

function isBefore(entry: LogEntry | undefined, moment: number): boolean {
  return entry !== undefined && Date.parse(entry.receivedAt) < moment;
}

function newFromOf(newest: LogEntry | undefined): number {
  return newest === undefined ? 0 : Date.parse(newest.receivedAt) - OVERLAP_MS;
}

/** Entries may get into the log a little out of order: so far back it is read again. */
export const OVERLAP_MS = 5_000;
/** A request that is under way is looked after so long, counted in the time of the log. */
const FOLLOWED_MS = 600_000;

/** Something that a live log tells: that a request came, or what became of it. */
export interface News {
  kind: "came" | "settled";
  entry: LogEntry;
}

interface Known {
  /** Epoch milliseconds. */
  receivedAt: number;
  settled: boolean;
}

/** Knows what has been told of a log, so that each entry is told once, and its end once more. */
export class Tracker {
  readonly #known = new Map<string, Known>();
  #newest: number | null = null;

  /** How far back the log has to be read for what is new; null for an empty log. Epoch milliseconds. */
  get newFrom(): number | null {
    return this.#newest === null ? null : this.#newest - OVERLAP_MS;
  }

  /** How far back for what may have come to its end; null for an empty log. */
  get openFrom(): number | null {
    if (this.newFrom === null) return null;
    const open = [...this.#known.values()].filter(({ settled }) => !settled);
    return Math.min(this.newFrom, ...open.map(({ receivedAt }) => receivedAt));
  }

  /** What there is to tell of these entries, which are the newest first; the oldest is told first. */
  take(entries: readonly LogEntry[]): News[] {
    const news = [...entries].reverse().flatMap((entry) => this.#look(entry));
    this.#forget();
    return news;
  }

  #look(entry: LogEntry): News[] {
    const receivedAt = Date.parse(entry.receivedAt);
    const settled = isSettled(entry.status);
    const before = this.#known.get(entry.requestId);
    this.#known.set(entry.requestId, { receivedAt, settled });
    this.#newest = Math.max(this.#newest ?? 0, receivedAt);
    if (before === undefined) return [{ kind: "came", entry }];
    return settled && !before.settled ? [{ kind: "settled", entry }] : [];
  }

  /** What is no longer read needs not be known; all that is read again must be. */
  #forget(): void {
    this.#drop(({ settled }) => !settled, (this.#newest ?? 0) - FOLLOWED_MS);
    this.#drop(() => true, this.openFrom ?? 0);
  }

  #drop(which: (known: Known) => boolean, before: number): void {
    for (const [requestId, known] of this.#known) {
      if (which(known) && known.receivedAt < before) this.#known.delete(requestId);
    }
  }
}
