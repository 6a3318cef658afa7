import { readSentence, type Sentence } from "../language/reading.ts";

/** Sentences in which orders are taken out, with what was ordered. */
export interface Taken<Order> {
  sentences: Sentence[];
  order: Order;
}

/** What may be left of an order: courtesy alone. */
const COURTESY =
  /^(?:(?:please|kindly|thanks?|thank you|can|could|would|will|you|hi|hello|hey|i|want|need|to|me)\b[\s,!?.]*)*$/i;

/** Reads a sentence anew once words were taken out of it; nothing when none are left. */
export function without(sentence: Sentence, raw: string): Sentence[] {
  const rest = raw
    .replace(/\s{2,}/g, " ")
    .replace(/(?:\s*,){2,}/g, ",")
    .replace(/^(?:[\s,;:.&-]|\b(?:and|then|also|finally|afterwards)\b)+/i, "")
    .replace(/(?:[\s,;:&-]|\b(?:and|then|also)\b)+$/i, "")
    .trim();
  if (COURTESY.test(rest)) return [];
  return /[\p{L}\p{N}$]/u.test(rest) ? [readSentence(rest, sentence.message)] : [];
}
