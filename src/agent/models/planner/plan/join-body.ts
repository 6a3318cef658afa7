import { readSentence, type Sentence } from "../language/reading.ts";

const SENDS = /\b(?:post|put|patch|send|submit|push)\b[^@]*\burl\d+_[^@]*$/i;
const LITERAL = /(?:blk|str)\d+_/;
/** A sentence that is nothing but what is to be sent: "Body: {…}". */
const ONLY_BODY =
  /^(?:with\s+)?(?:(?:the|this|as|request|json)\s+)*(?:body|payload|data|content|message|text|json)?\s*(?:is|should be)?\s*[:=]?\s*(?:blk|str)\d+_\s*$/i;

/** "POST this to …:" and the body on its own line are one order. */
export function joinBody(sentences: readonly Sentence[]): Sentence[] {
  const joined: Sentence[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    const belongs =
      last !== undefined &&
      last.message === sentence.message &&
      SENDS.test(last.raw) &&
      !LITERAL.test(last.raw) &&
      ONLY_BODY.test(sentence.raw);
    if (!belongs) {
      joined.push(sentence);
      continue;
    }
    const body = LITERAL.exec(sentence.raw)?.[0] ?? "";
    const raw = `${last.raw.replace(/[:\s]+$/, "")} with the body ${body}`;
    joined[joined.length - 1] = readSentence(raw, last.message);
  }
  return joined;
}
