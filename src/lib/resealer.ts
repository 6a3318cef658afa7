import { fingerprints, isSealedWithNewest, open, seal } from "./secrets.ts";

/** How many secrets were sealed anew, and how many no key opens. */
interface Counts {
  count: number;
  lost: number;
}

/** What an object did with its secrets. */
export interface Resealed extends Counts {
  /** The fingerprints of its keys, the newest first; code of earlier versions leaves them out. */
  keys?: string[];
}

/** Seals secrets anew with the first of the keys, and counts them. */
export class Resealer {
  readonly #keys: string[];
  readonly #counts: Counts = { count: 0, lost: 0 };

  constructor(keys: string[]) {
    this.#keys = keys;
  }

  /** How many secrets it has met so far. */
  get counts(): Counts {
    return { ...this.#counts };
  }

  /** Returns what it did, with the keys by which it did so. */
  async report(): Promise<Resealed> {
    return { ...this.#counts, keys: await fingerprints(this.#keys) };
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
  add({ count, lost }: Counts): void {
    this.#counts.count += count;
    this.#counts.lost += lost;
  }
}
