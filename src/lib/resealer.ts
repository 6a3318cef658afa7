import { isSealedWithNewest, open, seal } from "./secrets.ts";

/** Seals secrets anew with the first of the keys, and counts them. */
export class Resealer {
  readonly #keys: string[];
  /** The secrets that were sealed anew. */
  count = 0;
  /** The secrets that no key opens. */
  lost = 0;

  constructor(keys: string[]) {
    this.#keys = keys;
  }

  /** Returns the secret as the newest key seals it; unchanged if it is so already, or cannot be opened. */
  async reseal(sealed: string, context: string): Promise<string> {
    if (await isSealedWithNewest(sealed, this.#keys)) return sealed;
    const plain = await open(sealed, this.#keys, context);
    if (plain === null) {
      this.lost += 1;
      return sealed;
    }
    this.count += 1;
    return seal(plain, this.#keys, context);
  }

  /** Adds what another counted. */
  add({ count, lost }: { count: number; lost: number }): void {
    this.count += count;
    this.lost += lost;
  }
}
