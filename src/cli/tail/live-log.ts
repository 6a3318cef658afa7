import type { Prompthook } from "../../client/prompthook.ts";
import type { LogEntry } from "../../contract/inbound/log.ts";
import { type News, OVERLAP_MS, Tracker } from "./tracker.ts";

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
