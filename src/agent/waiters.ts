import { sleep } from "../lib/async.ts";

/** Lets calls wait until the execution changes. */
export class ChangeNotifier {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next change, at the latest after `timeoutMs` or when `signal` is aborted. */
  changed(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, timeoutMs));
      this.#waiting.add(done);
      signal?.addEventListener("abort", done, { once: true });
    });
  }

  /**
   * Like `changed`, then lets what changes in the same turn come along: a step is several changes, and
   * a client that is told of the first only has to ask again at once.
   */
  async settled(timeoutMs: number): Promise<void> {
    await this.changed(timeoutMs);
    await sleep(0);
  }

  notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}
