/** Cloudflare ends a browser to which nobody is connected after a minute. */
const REST_MS = 50_000;

interface Resting {
  accountId: string;
  sessionId: string;
  until: number;
}

/**
 * The browsers of an isolate that rest between two visits. Each serves one account only: contexts keep
 * visits apart, processes keep accounts apart. Times are epoch milliseconds.
 */
export class RestingBrowsers {
  readonly #most: number;
  #resting: Resting[] = [];

  /** Keeps the newest `most` browsers; Cloudflare ends the others. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes the newest browser of an account, or returns null. */
  take(accountId: string, now: number): string | null {
    this.#resting = this.#resting.filter(({ until }) => until > now);
    const found = this.#resting.findLast((each) => each.accountId === accountId);
    if (found === undefined) return null;
    this.#resting = this.#resting.filter((each) => each !== found);
    return found.sessionId;
  }

  /** Keeps a browser for the account's next visit. */
  put(accountId: string, sessionId: string, now: number): void {
    this.#resting.push({ accountId, sessionId, until: now + REST_MS });
    this.#resting = this.#resting.slice(-this.#most);
  }
}
