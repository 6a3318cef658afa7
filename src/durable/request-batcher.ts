import { sleep } from "../lib/async.ts";

/** This many requests within this many milliseconds are a burst: 200 a second. */
const BURST_SIZE = 50;
const BURST_MS = 250;

/**
 * Batches the requests of a burst, so that one commit makes many of them durable (as PostgreSQL does with
 * `commit_delay` and `commit_siblings`).
 */
export class RequestBatcher {
  /** The times of the last arrivals, in a ring. */
  readonly #times = Array.from({ length: BURST_SIZE }, () => Number.NEGATIVE_INFINITY);
  #next = 0;
  #batch: Promise<void> | null = null;

  /** Records an arrival at `now` (epoch milliseconds). */
  record(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % BURST_SIZE;
  }

  /** Returns whether a burst of requests is arriving. */
  isBusy(now: number): boolean {
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    return now - oldest < BURST_MS;
  }

  /**
   * Waits, during a burst, for the requests that arrive at the same time. All of a batch continue in the
   * same turn, in the order of their arrival. A request outside of a burst does not wait.
   */
  async join(now: number): Promise<void> {
    if (!this.isBusy(now)) return;
    this.#batch ??= sleep(0).then(() => {
      this.#batch = null;
    });
    await this.#batch;
  }
}
