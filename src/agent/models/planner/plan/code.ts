import type { Code } from "../language/code-fences.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { type Taken, without } from "./taken.ts";

const RUNS =
  /(?:^|\b(?:and|then|please|also|you|now|just)\s+|,\s*)\s*(?:run|execute|evaluate|eval|apply|use|try|call|start)\b[^,;]{0,60}?(?:blk\d+_)?(?=\s*(?:$|,|;|\b(?:on|over|with|against|for|to|and|using|upon)\b))/i;
const RETURNS =
  /(?:,|\band\b|\bthen\b)?\s*\b(?:return|tell me|give me|show(?: me)?|print|report|hand over|output|say|what(?: is| does))\s+(?:me\s+)?(?:what\s+(?:it|the code)\s+(?:returns?|gives?|prints?|says|answers|outputs)|(?:the|its)\s+(?:results?|values?|output|answer|return value)|it\s+(?:returns?|gives?|prints?))\b/i;

/** An expression alone is what it comes to. */
const EXPRESSION =
  /^(?!\s*(?:return|const|let|var|function|class|for|if|while|throw|try|switch|import|export|async function|\{|\/\/)\b)[^;]*;?\s*$/;

/** The code as the body of a function: an expression alone is returned. */
function bodyOf(text: string): string {
  const trimmed = text.trim();
  const single = !trimmed.includes("\n") && EXPRESSION.test(trimmed) && !/\breturn\b/.test(trimmed);
  return single ? `return (${trimmed.replace(/;\s*$/, "")});` : trimmed;
}

/** Code to run, or the language that does not run here. */
export type CodeOrder = { kind: "run"; code: string } | { kind: "foreign"; language: string };

function orderOf({ language, text }: Code): CodeOrder {
  return language === "javascript"
    ? { kind: "run", code: bodyOf(text) }
    : { kind: "foreign", language };
}

/**
 * Takes the code out that the prompt brings to be run: the last block of it counts. What is left of
 * the sentences says what to run it over.
 */
export function takeCode(
  sentences: readonly Sentence[],
  reading: Reading,
): Taken<CodeOrder | null> {
  const codes = reading.blocks.flatMap((block, at) =>
    block.kind === "code" ? [{ at, code: block.code }] : [],
  );
  const last = codes.at(-1);
  if (last === undefined) return { sentences: [...sentences], order: null };
  const left = sentences.flatMap((sentence) => {
    const raw = codes
      .reduce((text, { at }) => text.replaceAll(`blk${at}_`, " "), sentence.raw)
      .replace(RUNS, " ")
      .replace(RETURNS, " ")
      .replace(
        /\b(?:on|over|with|against|using|for)\s+(?=\b(?:the|this|these|that|url|blk|data|all|each)\b)/i,
        " ",
      );
    return raw === sentence.raw ? [sentence] : without(sentence, raw);
  });
  return { sentences: left, order: orderOf(last.code) };
}
