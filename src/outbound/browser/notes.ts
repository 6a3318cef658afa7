const MAX_NOTES = 10;

/** What did not work during a visit, for whoever reads the page: few lines, one per host and reason. */
export class Notes {
  readonly #notes = new Set<string>();

  add(note: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(note);
  }

  /** A request of the page that brought nothing. The path stays out: it can hold a secret. */
  refused(address: string, reason: string): void {
    const host = URL.parse(address)?.host ?? "";
    this.add(`A request of the page to ${host || "another scheme"} failed: ${reason}`);
  }

  all(): string[] {
    return [...this.#notes];
  }
}
