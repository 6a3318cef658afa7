/** Lets calls wait until the execution changes. */
export class Waiters {
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

  notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}
