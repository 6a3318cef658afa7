/** Who pays for what is read of a text; it throws when that is too much. */
export interface Payer {
  /** A character was read. */
  read(): void;
  /** So many characters were passed over by a search, which is fast native code. */
  skip(characters: number): void;
}

/** A text that tells what is read of it: finding matches can look at the same characters again and again. */
export class MeteredText extends String {
  readonly #payer: Payer;

  constructor(text: string, payer: Payer) {
    super(text);
    this.#payer = payer;
  }

  override charCodeAt(index: number): number {
    this.#payer.read();
    return super.charCodeAt(index);
  }

  override indexOf(search: string, from = 0): number {
    const found = super.indexOf(search, from);
    this.#payer.skip((found < 0 ? this.length : found) - from);
    return found;
  }
}
