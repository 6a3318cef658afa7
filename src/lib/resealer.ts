import { isSealedWithNewest, open, seal } from "./secrets.ts";

/** How many secrets were sealed anew, and how many no key opens. */
export interface Resealed {
  count: number;
  lost: number;
}

/** Seals secrets anew with the first of the keys, and counts them. */
export class Resealer {
  readonly #keys: string[];
  readonly #counts: Resealed = { count: 0, lost: 0 };

  constructor(keys: string[]) {
    this.#keys = keys;
  }

  /** How many secrets it has met so far. */
  get counts(): Resealed {
    return { ...this.#counts };
  }

  /** Returns the secret as the newest key seals it; unchanged if it is so already, or cannot be opened. */
  async reseal(sealed: string, context: string): Promise<string> {
    if (await isSealedWithNewest(sealed, this.#keys)) return sealed;
    const plain = await open(sealed, this.#keys, context);
    if (plain === null) {
      this.#counts.lost += 1;
      return sealed;
    }
    this.#counts.count += 1;
    return seal(plain, this.#keys, context);
  }

  /** Adds what another counted. */
  add({ count, lost }: Resealed): void {
    this.#counts.count += count;
    this.#counts.lost += lost;
  }
}
