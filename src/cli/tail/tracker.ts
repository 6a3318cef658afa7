import { isSettled, type LogEntry } from "../../contract/inbound/log.ts";

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
