/** More of the text was read than may be. */
export class TextOverread extends Error {}

/**
 * A text that counts how often its characters are read and throws a `TextOverread` beyond `reads`:
 * finding all matches can look at the same characters again and again.
 */
export class MeteredText extends String {
  #left: number;

  constructor(text: string, reads: number) {
    super(text);
    this.#left = reads;
  }

  override charCodeAt(index: number): number {
    this.#left -= 1;
    if (this.#left < 0) throw new TextOverread();
    return super.charCodeAt(index);
  }

  override indexOf(search: string, from = 0): number {
    const found = super.indexOf(search, from);
    // The search itself is fast native code: a read for every so many characters does it justice.
    this.#left -= ((found < 0 ? this.length : found) - from) / 16;
    return found;
  }
}
