import type { Sentence } from "../language/reading.ts";

/** "Summarise this text: …": what stands behind the colon is what the prompt is about. */
const ANNOUNCES =
  /^([^:]{0,200}\b(?:texts?|messages?|e-?mails?|paragraphs?|letters?|notes?|transcripts?|sentences?|passages?|articles?|documents?|reviews?|conversations?|chats?|logs?|stor(?:y|ies)|following|strings?)\b[^:]{0,40}):\s+(?!url\d|blk\d|\s*(?:please |first )?(?:open|go to|visit|browse|load|fetch|get|read|list|extract)\b)\S/i;
/** "E-mail ann@example.com this text: …" is an order with its text. */
const TO_SOMEBODY = /\bmail\d+_|\S@\S/;

function announces({ raw }: Sentence): boolean {
  const before = ANNOUNCES.exec(raw)?.[1];
  return before !== undefined && !TO_SOMEBODY.test(before) && !/url\d+_/.test(before);
}

/** The sentences in which orders are read: all but those of texts handed in within a message. */
export function ownSentences(sentences: readonly Sentence[]): Sentence[] {
  const announced = new Set<number>();
  return sentences.filter((sentence) => {
    if (announces(sentence)) announced.add(sentence.message);
    return !announced.has(sentence.message);
  });
}
