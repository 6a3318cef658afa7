/** A map with a limited number of entries, which evicts the least recently used one. */
export class LruMap<Value> {
  readonly #most: number;
  readonly #evicted: (value: Value) => void;
  readonly #entries = new Map<string, Value>();

  /** Calls `evicted` with each value that it evicts. */
  constructor(most: number, evicted: (value: Value) => void = () => {}) {
    this.#most = most;
    this.#evicted = evicted;
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
    const [oldest] = this.#entries;
    if (this.#entries.size <= this.#most || oldest === undefined) return;
    this.#entries.delete(oldest[0]);
    this.#evicted(oldest[1]);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/**
 * Returns `make` with a cache of its `most` latest results, for pure functions of a text that recurs, such
 * as the parser of a setting.
 */
export function memoize<T>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new LruMap<{ value: T }>(most);
  return (text) => {
    const hit = known.get(text);
    if (hit) return hit.value;
    const value = make(text);
    known.set(text, { value });
    return value;
  };
}
