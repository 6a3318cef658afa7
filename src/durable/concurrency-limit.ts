const FIRST = 8;
const FEWEST = 4;
const MOST = 256;
/** Calls that are added after a quick round. */
const INCREASE = 2;
/** The median time of a quick call. */
const QUICK_MS = 50;

/**
 * Adapts how many calls run at once to what the callee takes: a few more after each round of quick calls,
 * half as many after a slow round or a refusal (additive increase, multiplicative decrease, as TCP does
 * in RFC 5681 §3.1). A round is as many calls as may run at once; its median decides, so that a single
 * slow object among many does not.
 */
export class ConcurrencyLimit {
  #limit = FIRST;
  #round: number[] = [];
  /** Calls that began before this time ran under a higher limit; epoch milliseconds. */
  #lowered = Number.NEGATIVE_INFINITY;

  /** The number of calls that may run at once. */
  get value(): number {
    return this.#limit;
  }

  /** Records a call that was answered. Times are epoch milliseconds. */
  answered(startedAt: number, now: number): void {
    if (startedAt < this.#lowered) return;
    this.#round.push(now - startedAt);
    if (this.#round.length < this.#limit) return;
    const median = this.#round.sort((a, b) => a - b)[this.#round.length >> 1] ?? 0;
    this.#round = [];
    if (median >= QUICK_MS) this.#lower(now);
    else this.#limit = Math.min(this.#limit + INCREASE, MOST);
  }

  /** Records a call that the callee refused because it is overloaded. Times are epoch milliseconds. */
  refused(startedAt: number, now: number): void {
    if (startedAt >= this.#lowered) this.#lower(now);
  }

  #lower(now: number): void {
    this.#limit = Math.max(Math.floor(this.#limit / 2), FEWEST);
    this.#lowered = now;
    this.#round = [];
  }
}
