import { readSentence, type Sentence } from "../language/reading.ts";

/** Sentences in which orders are taken out, with what was ordered. */
export interface Taken<Order> {
  sentences: Sentence[];
  order: Order;
}

/** Reads a sentence anew once words were taken out of it; nothing when none are left. */
export function without(sentence: Sentence, raw: string): Sentence[] {
  const rest = raw
    .replace(/\s{2,}/g, " ")
    .replace(/(?:\s*,){2,}/g, ",")
    .replace(/^(?:[\s,;:.&-]|\b(?:and|then|also|finally|afterwards)\b)+/i, "")
    .replace(/(?:[\s,;:&-]|\b(?:and|then|also)\b)+$/i, "")
    .trim();
  return /[\p{L}\p{N}$]/u.test(rest) ? [readSentence(rest, sentence.message)] : [];
}
