/**
 * Shares places among accounts. An account may take a place while it has fewer than are free: alone it
 * gets half of them, beside n others that want as many as they can get an equal part of n + 2, and a
 * newcomer always finds as many free as each of them has (dynamic thresholds, Choudhury and Hahne 1998).
 */
export class FairShare {
  readonly #capacity: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Takes a place for an account, or returns false if it has its share. */
  take(accountId: string): boolean {
    const own = this.#taken.get(accountId) ?? 0;
    if (own >= this.#capacity - this.#total) return false;
    this.#taken.set(accountId, own + 1);
    this.#total += 1;
    return true;
  }

  /** Gives back a place that the account took. */
  release(accountId: string): void {
    const own = this.#taken.get(accountId) ?? 0;
    if (own > 1) this.#taken.set(accountId, own - 1);
    else this.#taken.delete(accountId);
    this.#total -= 1;
  }
}
