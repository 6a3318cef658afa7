/** The times of many wake-ups by name, in epoch milliseconds. */
export class EarliestFirst {
  readonly #times = new Map<string, number>();
  /** Null after the earliest was removed or moved. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  /** The earliest time; infinity if there is none. */
  get earliest(): number {
    this.#earliest ??= this.after(Number.NEGATIVE_INFINITY);
    return this.#earliest;
  }

  /** Sets the time of `name`, or removes it. */
  set(name: string, at: number | null): void {
    const before = this.#times.get(name);
    if (at === null) this.#times.delete(name);
    else this.#times.set(name, at);
    if (at !== null && this.#earliest !== null && at <= this.#earliest) this.#earliest = at;
    else if (before !== undefined && before === this.#earliest) this.#earliest = null;
  }

  /** Removes all. */
  clear(): void {
    this.#times.clear();
    this.#earliest = Number.POSITIVE_INFINITY;
  }

  /** Returns the names whose time is `now` or before. */
  upTo(now: number): string[] {
    if (this.earliest > now) return [];
    return [...this.#times].filter(([, at]) => at <= now).map(([name]) => name);
  }

  /** Returns the earliest time after `now`; infinity if there is none. */
  after(now: number): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const at of this.#times.values()) if (at > now && at < earliest) earliest = at;
    return earliest;
  }
}
