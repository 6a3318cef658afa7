import { sleep } from "../lib/async.ts";

/** So many arrivals within so many milliseconds are a crowd: 200 a second. */
const MANY = 50;
const SPAN_MS = 250;
const LOOK_MS = 25;

/**
 * Watches how thick requests come. Those of a crowd are taken together, so that one commit makes many
 * durable (as PostgreSQL does with `commit_delay` and `commit_siblings`). What follows an acceptance
 * costs many times what the acceptance costs, on the same thread: while many arrive it waits for a quiet
 * moment, so that the senders get their answers first.
 */
export class Crowd {
  /** The times of the last arrivals, in a ring. */
  readonly #times = Array.from({ length: MANY }, () => Number.NEGATIVE_INFINITY);
  #next = 0;
  #gathering: Promise<void> | null = null;

  /** Notes an arrival; times are epoch milliseconds. */
  arrive(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % MANY;
  }

  /** Whether many have arrived just before. */
  isCrowded(now: number): boolean {
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    return now - oldest < SPAN_MS;
  }

  /**
   * In a crowd, waits for those that are on their way; all that waited go on in the same turn, in the
   * order in which they came. Whoever is alone does not wait.
   */
  async gather(now: number): Promise<void> {
    if (!this.isCrowded(now)) return;
    this.#gathering ??= sleep(0).then(() => {
      this.#gathering = null;
    });
    await this.#gathering;
  }

  /** Waits until fewer arrive, at the latest until `latest`. */
  async quiet(latest: number): Promise<void> {
    while (Date.now() < latest && this.isCrowded(Date.now())) await sleep(LOOK_MS);
  }
}
