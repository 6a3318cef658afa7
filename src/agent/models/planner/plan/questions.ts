import { says } from "./clause.ts";

const QUESTION =
  /^(?:(?:and|also|then|finally|please|tell me|,) )*(?:how (?:many|much|old|long|tall|big)|what|which|who|when|where|is there|are there)\b/;
/** Words that go back to the answer of the question before. */
const BACKWARD = /\b(?:it|its|they|them|their|he|she|his|her|that|those|this|these|one|ones)\b/;
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
  const backward = picks && others.some((text) => BACKWARD.test(text));
  if (questions.length < 2 || backward) return [[...texts]];
  const beside = pieces.filter((text) => !QUESTION.test(text));
  return questions.map((text) => [...beside, text]);
}
