/** The times of many wake-ups by name, in epoch milliseconds. */
export class EarliestFirst<Name extends string> {
  readonly #times = new Map<Name, number>();
  /** The earliest time; null where it has to be looked for. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  /** The earliest time; infinity if there is none. */
  get earliest(): number {
    this.#earliest ??= this.after(Number.NEGATIVE_INFINITY);
    return this.#earliest;
  }

  /** All times by name. */
  get all(): ReadonlyMap<Name, number> {
    return this.#times;
  }

  /** Returns the time of `name`; infinity if it has none. */
  at(name: Name): number {
    return this.#times.get(name) ?? Number.POSITIVE_INFINITY;
  }

  /** Sets the time of `name`, or removes it. */
  set(name: Name, at: number | null): void {
    // Another may be the first now.
    if (this.at(name) === this.#earliest) this.#earliest = null;
    if (at === null) this.#times.delete(name);
    else this.#times.set(name, at);
    if (at !== null && this.#earliest !== null) this.#earliest = Math.min(this.#earliest, at);
  }

  /** Removes all. */
  clear(): void {
    this.#times.clear();
    this.#earliest = Number.POSITIVE_INFINITY;
  }

  /** Returns the names whose time is `now` or before. */
  upTo(now: number): Name[] {
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
