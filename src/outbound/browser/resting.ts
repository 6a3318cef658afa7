/** Cloudflare ends a browser to which nobody is connected after a minute. */
const REST_MS = 50_000;

interface Resting {
  owner: string;
  sessionId: string;
  until: number;
}

/**
 * The browsers of an isolate that rest between two visits, while the second waits for its turn: a browser
 * costs as long as it runs. Each serves one owner only, an account with its allowed hosts: contexts keep visits
 * apart, processes keep owners apart. Times are epoch milliseconds.
 */
export class RestingBrowsers {
  readonly #waiting = new Map<string, number>();
  #resting: Resting[] = [];

  /** Notes that a visit waits for its turn. */
  join(owner: string): void {
    this.#waiting.set(owner, (this.#waiting.get(owner) ?? 0) + 1);
  }

  /** Notes that a visit has its turn, or has given up. */
  leave(owner: string): void {
    const others = (this.#waiting.get(owner) ?? 0) - 1;
    if (others > 0) this.#waiting.set(owner, others);
    else this.#waiting.delete(owner);
  }

  /** Returns whether a visit waits that a browser could rest for. */
  isAwaited(owner: string): boolean {
    return this.#waiting.has(owner);
  }

  /** Takes the newest browser of an owner, or returns null. */
  take(owner: string, now: number): string | null {
    this.#resting = this.#resting.filter(({ until }) => until > now);
    const found = this.#resting.findLast((each) => each.owner === owner);
    if (found === undefined) return null;
    this.#resting = this.#resting.filter((each) => each !== found);
    return found.sessionId;
  }

  /** Keeps a browser for the owner's next visit. */
  put(owner: string, sessionId: string, now: number): void {
    this.#resting.push({ owner, sessionId, until: now + REST_MS });
  }
}
