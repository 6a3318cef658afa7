/**
 * Characters that show nothing: Unicode's default-ignorables, among them tag characters and
 * variation selectors, in which whole sentences can be hidden, and controls. The joiners stay:
 * Persian, Indic scripts and emoji are written with them.
 */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?![\t\n\f\r])\p{Cc}/gu;

/** The text without the characters that nobody can see. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** One line: every run of white space, no-break ones included, becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** At most `max` characters, without half a surrogate pair at the end. */
export function cutAt(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

/** What fits, and whether something did not. */
export interface Fitted<T> {
  kept: T;
  cut: boolean;
}

const encoder = new TextEncoder();

/** The size of a value once it is stored. */
export function storedBytes(value: unknown): number {
  const text = JSON.stringify(value);
  return /[^ -~]/.test(text) ? encoder.encode(text).byteLength : text.length;
}

/** As many items from the start as fit in `bytes`. */
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

/** As much of a text as fits in `bytes` once it is stored: quotes and controls take more there. */
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
