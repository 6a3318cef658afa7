import type { Prompthook } from "../../client/prompthook.ts";
import { isSettled, type LogEntry, type RequestStatus } from "../../contract/webhooks/log.ts";

/** Most entries read to look for executions that have ended. */
const MAX_AGAIN = 200;

/** Follows an endpoint's request log by polling: recent entries first, then changes. */
export class LiveLog {
  readonly #webhooks: Pick<Prompthook["webhooks"], "allRequests">;
  readonly #endpointId: string;
  readonly #tracker = new Tracker();

  constructor(webhooks: Pick<Prompthook["webhooks"], "allRequests">, endpointId: string) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
  }

  /** Returns the most recent entries with one of these statuses, or with any for none, oldest first. */
  async begin(
    lines: number,
    statuses: readonly RequestStatus[],
    signal: AbortSignal,
  ): Promise<LogUpdate[]> {
    const isEnough = (read: readonly LogEntry[]) =>
      (read.length >= lines || statuses.length > 0) && isBefore(read.at(-1), newFromOf(read[0]));
    const news = this.#tracker.take(await this.#read({}, isEnough, signal));
    if (lines === 0) return [];
    if (statuses.length === 0) return news.slice(-lines);
    const last = await this.#read({ status: statuses }, (read) => read.length >= lines, signal);
    return last.toReversed().map((entry) => ({ kind: "received", entry }));
  }

  /** Returns the changes since the last call, in order. */
  async next(signal: AbortSignal): Promise<LogUpdate[]> {
    const { newFrom, openFrom } = this.#tracker;
    // Includes entries received in that same millisecond.
    const query = openFrom === null ? {} : { receivedAfter: new Date(openFrom - 1).toISOString() };
    const isEnough = (read: readonly LogEntry[]) =>
      read.length >= MAX_AGAIN && isBefore(read.at(-1), newFrom ?? 0);
    return this.#tracker.take(await this.#read(query, isEnough, signal));
  }

  async #read(
    query: { receivedAfter?: string; status?: readonly RequestStatus[] },
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

/** How far back the log is read again, because entries can arrive slightly out of order. */
const OVERLAP_MS = 5_000;
/** How long a running request is followed, in the time of the log. */
const FOLLOWED_MS = 600_000;

/** A change in the log: a request was received, or it reached its final status. */
export interface LogUpdate {
  kind: "received" | "settled";
  entry: LogEntry;
}

interface Known {
  /** Epoch milliseconds. */
  receivedAt: number;
  settled: boolean;
}

/** Remembers which entries were reported, so that each is reported once on arrival and once when settled. */
class Tracker {
  readonly #known = new Map<string, Known>();
  #newest: number | null = null;

  /** Where to start reading for new entries, in epoch milliseconds; null for an empty log. */
  get newFrom(): number | null {
    return this.#newest === null ? null : this.#newest - OVERLAP_MS;
  }

  /** Where to start reading for entries that may have settled; null for an empty log. */
  get openFrom(): number | null {
    if (this.newFrom === null) return null;
    const open = [...this.#known.values()].filter(({ settled }) => !settled);
    return Math.min(this.newFrom, ...open.map(({ receivedAt }) => receivedAt));
  }

  /** Takes entries, newest first, and returns the changes among them, oldest first. */
  take(entries: readonly LogEntry[]): LogUpdate[] {
    const news = [...entries].reverse().flatMap((entry) => this.#look(entry));
    this.#forget();
    return news;
  }

  #look(entry: LogEntry): LogUpdate[] {
    const receivedAt = Date.parse(entry.receivedAt);
    const settled = isSettled(entry.status);
    const before = this.#known.get(entry.requestId);
    this.#known.set(entry.requestId, { receivedAt, settled });
    this.#newest = Math.max(this.#newest ?? 0, receivedAt);
    if (before === undefined) return [{ kind: "received", entry }];
    return settled && !before.settled ? [{ kind: "settled", entry }] : [];
  }

  /** Forgets entries that will not be read again. */
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
