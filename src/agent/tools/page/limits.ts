import { cutAt } from "./text.ts";

/** Bytes that each part of a page may take once it is stored, as UTF-8 of its JSON. */
export interface PageLimits {
  text: number;
  headings: number;
  links: number;
  tables: number;
  /** Characters of HTML that are read at all. */
  html: number;
}

/** A page keeps at most 512 KiB, half of it text. */
export const PAGE_LIMITS: PageLimits = {
  text: 256 * 1024,
  headings: 16 * 1024,
  links: 80 * 1024,
  tables: 152 * 1024,
  html: 2 * 1024 * 1024,
};

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
