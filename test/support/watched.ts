/** Something that tests wait on to change. */
export class Watched {
  readonly #waiting = new Set<() => void>();

  /** To be called after each change. */
  changed(): void {
    for (const tell of [...this.#waiting]) tell();
  }

  /** Resolves once `holds` does. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        const tell = () => {
          this.#waiting.delete(tell);
          resolve();
        };
        this.#waiting.add(tell);
      });
    }
  }
}
