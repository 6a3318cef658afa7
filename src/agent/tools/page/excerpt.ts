import type { PageExcerpt } from "../../../contract/tools/browse.ts";
import { cutAt } from "../text.ts";

/** The most characters of one excerpt; no prompt shows more of one answer. */
const MAX_EXCERPT = 16_384;
/** The characters before and after found words. */
const AROUND = 300;

/** Returns a page's text from a position on. */
export function excerptFrom(text: string, offset: number): PageExcerpt {
  const from = Math.min(offset, text.length);
  return { offset: from, text: cutAt(text.slice(from), MAX_EXCERPT), total: text.length };
}

/**
 * Returns the passages around words, which match in any case and across line breaks. Each passage starts
 * with its position; passages that overlap are joined.
 */
export function excerptAround(text: string, words: string): PageExcerpt {
  const passages: { from: number; to: number }[] = [];
  let matches = 0;
  let shown = 0;
  let room = MAX_EXCERPT;
  for (const { 0: found, index } of text.matchAll(patternOf(words))) {
    matches += 1;
    if (room < 0) continue;
    const last = passages.at(-1);
    const from = wordStart(text, index - AROUND);
    const to = wordEnd(text, index + found.length + AROUND);
    const joins = last !== undefined && from <= last.to;
    room -= joins ? to - last.to : to - from;
    if (room < 0) continue;
    shown += 1;
    if (joins) last.to = to;
    else passages.push({ from, to });
  }
  return {
    find: { words, matches, shown },
    text: passages.map(({ from, to }) => `[offset ${from}]\n${text.slice(from, to)}`).join("\n\n"),
    total: text.length,
  };
}

function patternOf(words: string): RegExp {
  const escaped = words.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(escaped.replace(/\s+/g, "\\s+"), "giu");
}

/** The characters by which a passage grows so that it ends between words. */
const MAX_WORD = 40;

function wordStart(text: string, at: number): number {
  if (at <= 0) return 0;
  const first = Math.max(0, at - MAX_WORD);
  const space = text.slice(first, at).search(/\s\S*$/);
  return space === -1 ? at : first + space + 1;
}

function wordEnd(text: string, at: number): number {
  const space = text.slice(at, at + MAX_WORD).search(/\s/);
  return Math.min(text.length, space === -1 ? at : at + space);
}
