import { sleep } from "./async.ts";

/** Wakes those who wait for something to change. */
export class ChangeNotifier {
  readonly #waiting = new Set<() => void>();
  #settling = 0;

  /**
   * Resolves at the next change, or after `timeoutMs`. Its timer ends with it: one that is left behind
   * keeps a Durable Object in memory, and billed.
   */
  changed(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, timeoutMs));
      this.#waiting.add(done);
    });
  }

  /**
   * Waits like `changed`, then for the other changes of the same turn: a step is several changes, and
   * a client that sees only the first would poll again at once.
   */
  async settled(timeoutMs: number): Promise<void> {
    this.#settling += 1;
    await this.changed(timeoutMs);
    await sleep(0);
    this.#settling -= 1;
  }

  /** Whether nobody waits. */
  get isQuiet(): boolean {
    return this.#waiting.size + this.#settling === 0;
  }

  notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}
