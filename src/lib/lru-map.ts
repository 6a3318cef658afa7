/** A map of at most so many entries: the one that was not used for the longest time goes first. */
export class LruMap<Value> {
  readonly #most: number;
  readonly #forgotten: (value: Value) => void;
  readonly #entries = new Map<string, Value>();

  /** `forgotten` is told of what has to go for want of room. */
  constructor(most: number, forgotten: (value: Value) => void = () => {}) {
    this.#most = most;
    this.#forgotten = forgotten;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#most) this.#dropOldest();
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #dropOldest(): void {
    for (const [key, value] of this.#entries) {
      this.#entries.delete(key);
      this.#forgotten(value);
      return;
    }
  }
}

/**
 * `make` with a memory of `most` answers; the one that was not asked for the longest is forgotten first.
 * For pure functions of a text that is seen again and again, such as parsing a setting.
 */
export function memoize<T>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new LruMap<{ made: T }>(most);
  return (text) => {
    const hit = known.get(text);
    if (hit) return hit.made;
    const made = make(text);
    known.set(text, { made });
    return made;
  };
}
