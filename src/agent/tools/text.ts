const MIB = 1024 * 1024;

/** The most bytes of a page, a body or an answer that a tool reads. What is longer is cut there. */
export const MAX_SOURCE_BYTES = 2 * MIB;

/** The most bytes of a text in an answer, as stored JSON: it holds a whole source, with its quotes and line breaks escaped. */
export const MAX_STORED_BYTES = 4 * MIB;

/**
 * Invisible characters: controls and Unicode's default-ignorables, such as tag characters and variation
 * selectors, which can hide whole sentences. The joiners stay: Persian, Indic scripts and emoji need them.
 */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?![\t\n\f\r])\p{Cc}/gu;

/** Removes invisible characters. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** Joins a text to one line: white space, including no-break spaces, becomes single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Cuts a text to `max` characters without splitting a surrogate pair. */
export function cutAt(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

/** The part that fits, and whether anything was cut. */
export interface Fitted<T> {
  kept: T;
  cut: boolean;
}

/** Returns the stored size of a value: its JSON in UTF-8. */
export function storedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Keeps the first items that fit in `bytes`. */
export function fitItems<T>(items: Iterable<T>, bytes: number): Fitted<T[]> {
  const kept: T[] = [];
  let left = bytes;
  for (const item of items) {
    left -= storedBytes(item) + 1;
    if (left < 0) return { kept, cut: true };
    kept.push(item);
  }
  return { kept, cut: false };
}

/** Cuts a text to `bytes` of stored JSON, in which quotes and controls take more room. */
export function fitText(text: string, bytes: number): Fitted<string> {
  if (text.length <= bytes && storedBytes(text) <= bytes) return { kept: text, cut: false };
  let fits = 0;
  let tooMuch = Math.min(text.length, bytes) + 1;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (storedBytes(cutAt(text, middle)) <= bytes) fits = middle;
    else tooMuch = middle;
  }
  return { kept: cutAt(text, fits), cut: true };
}
