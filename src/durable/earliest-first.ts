/** The times of many wake-ups by name, in epoch milliseconds. */
export class EarliestFirst<Name extends string> {
  readonly #times = new Map<Name, number>();
  /** A binary heap of all times, and of earlier ones of the same names, which are dropped when they come first. */
  #heap: { name: Name; at: number }[] = [];

  /** The earliest time; infinity if there is none. */
  get earliest(): number {
    for (let [first] = this.#heap; first !== undefined; [first] = this.#heap) {
      if (this.#times.get(first.name) === first.at) return first.at;
      this.#removeFirst();
    }
    return Number.POSITIVE_INFINITY;
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
    if (at === null) {
      this.#times.delete(name);
    } else if (this.#times.get(name) !== at) {
      this.#times.set(name, at);
      this.#add({ name, at });
    }
  }

  /** Removes all. */
  clear(): void {
    this.#times.clear();
    this.#heap = [];
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

  #add(added: { name: Name; at: number }): void {
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= added.at) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = added;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const moved = heap.pop();
    if (moved === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      const isRight = left !== undefined && right !== undefined && right.at < left.at;
      const below = isRight ? right : left;
      if (below === undefined || below.at >= moved.at) break;
      heap[place] = below;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = moved;
  }
}
