/** Visits of an account at once, in all isolates: a Cloudflare account has 120 browsers, one more each second. */
const MOST_VISITS = 10;

/**
 * The visits of an account's executions to pages in browsers. They are kept in memory: after a restart, those
 * under way are not counted until they end.
 */
export class BrowserVisits {
  readonly #until = new Map<string, number>();

  /** Notes a visit that ends by a time (epoch milliseconds); returns false if there are too many. */
  take(visitId: string, until: number, now: number): boolean {
    for (const [id, end] of this.#until) if (end <= now) this.#until.delete(id);
    if (this.#until.size >= MOST_VISITS) return false;
    this.#until.set(visitId, until);
    return true;
  }

  release(visitId: string): void {
    this.#until.delete(visitId);
  }
}
