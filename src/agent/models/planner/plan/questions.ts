import { says } from "./clause.ts";

const QUESTION =
  /^(?:(?:and|also|then|finally|please|tell me|,) )*(?:how (?:many|much|old|long|tall|big)|what|which|who|when|where|is there|are there)\b/;
/** Words that go back to the answer of the question before. */
const BACKWARD = /\b(?:it|its|they|them|their|he|she|his|her|that|those|this|these|one|ones)\b/;
/** A figure of the things that the question before picked: "what is their total". */
const OF_THEM =
  /\b(?:their|they|them|these|those)\b(?:.*\b(?:totals?|sums?|average|mean|median|values?|amounts?|add up|come to|cost|worth)\b)/;
/** The things of the question before, among which something is asked: "who of them is the newest". */
const AMONG_THEM = /\b(?:their|they|them|those|these)\b/;
const COUNTED = /\b(?:how many|how much|the number of|number of|count(?: the)?)\b/;
const JOINT =
  /(?: ,)? and (?=(?:how (?:many|much)|what is|what are|which \w+ (?:has|have|is|are)|who is|who has)\b)| , (?=(?:how (?:many|much)|which|who|what)\b)/;

/**
 * The sentences of an ask, put together by the questions in it: "How many are there? Which is the
 * cheapest?" are two, and what is said beside them belongs to both. A question about the answer of
 * another stays with it, as do all where things were `named` outright.
 */
export function questionsOf(texts: readonly string[], named: boolean): string[][] {
  const spoken = texts.filter(says).map((text) => text.trim());
  const pieces = named
    ? []
    : spoken.flatMap((text) => (QUESTION.test(text) ? text.split(JOINT) : [text]));
  const questions = pieces.filter((text) => QUESTION.test(text));
  const [first, ...others] = questions;
  const picks = first !== undefined && /\b(?:which|who)\b/.test(first);
  const backward = others.some((text) => (picks && BACKWARD.test(text)) || OF_THEM.test(text));
  if (questions.length < 2 || backward) return [[...texts]];
  const beside = pieces.filter((text) => !QUESTION.test(text));
  return questions.map((text, at) => {
    const among = at > 0 && AMONG_THEM.test(text) ? [(first ?? "").replace(COUNTED, "the")] : [];
    return [...beside, ...among, text];
  });
}
