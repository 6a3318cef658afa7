import type { Code } from "../language/code-fences.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { asks } from "./asks-for.ts";
import { type Taken, without } from "./taken.ts";

const RUNS =
  /(?:^|\b(?:and|then|please|also|you|now|just)\s+|,\s*)\s*(?:run|execute|evaluate|eval|apply|use|try|call|start)\b[^,;]{0,60}?(?:blk\d+_)?(?=\s*(?:$|,|;|\b(?:on|over|with|against|for|to|and|using|upon)\b))/i;
const RETURNS =
  /(?:,|\band\b|\bthen\b)?\s*\b(?:return|tell me|give me|show(?: me)?|print|report|hand over|output|say|what(?: is| does))\s+(?:me\s+)?(?:what\s+(?:it|the code)\s+(?:returns?|gives?|prints?|says|answers|outputs)|(?:the|its)\s+(?:results?|values?|output|answer|return value)|it\s+(?:returns?|gives?|prints?))\b/i;

const TOOL = String.raw`(?:(?:the|an?|some|any|your|own|short|small|little|quick|simple|bit|piece|of)\s+){0,4}(?:(?:java ?script|js|python|node(?:\.js)?|custom)\s+)?(?:run[_ ]code|code|java ?script|js|python|scripts?|programs?|snippets?|functions?|calculator|code interpreter)(?:\s+(?:tool|runner|sandbox|code|program|script|function|snippet))?`;
/**
 * "Use code to compute …": a way of working, where no code is brought. What is asked for follows.
 */
const BY_CODE = [
  new RegExp(
    String.raw`(?<=^\s*|[,;]\s*|\b(?:and|then|please|to|now|just|you)\s+)(?:use|using|run|execute|employ|apply|call|write(?:\s+and\s+(?:run|execute))?|with|by\s+(?:using|running|writing|means\s+of))\s+${TOOL}\b(?!\s+(?:named|called|for\s+(?:me|us)|from\b(?!\s+(?:the\s+)?(?:data|url))|=|is\b|str\d))\s*,?(?:\s+(?:to|that|which|and|in\s+order\s+to|so\s+as\s+to)\b)?`,
    "i",
  ),
  new RegExp(
    String.raw`,?\s*\b(?:with|using|via|through|by\s+(?:using|running|means\s+of))\s+${TOOL}\s*(?=$|,|;)`,
    "i",
  ),
  /,?\s*\band\s+(?:then\s+)?(?:run|execute)\s+(?:it|that|the (?:code|script|program))\b/i,
];

const WRITES_ONLY = /^\s*(?:please\s+)?write\b(?!.*\b(?:run|execute)\b)/i;
/** "… that counts the rows": what the code is to do is what is asked for. */
const DOES =
  /(?:\b(?:that|which|to)\s+|,?\s*\band\s+(?:then\s+)?)(compute|calculate|count|add|sum|find|sort|list|filter|get|show|multiply|multiplie|return|total|average)s\b/gi;

/** A sentence without the words that it be done by code; where nothing else is asked for it stays as it is. */
function withoutMeans(sentence: Sentence): Sentence[] {
  const { raw } = sentence;
  const named = BY_CODE.slice(0, 2).some((means) => means.test(raw));
  if (!named || WRITES_ONLY.test(raw)) return [sentence];
  const plain = BY_CODE.reduce((text, means) => text.replace(means, " "), raw)
    .replace(/^\s*(?:on|over|with|against|for)\s+(?=.*\b(?:that|which|to)\s)/i, "open ")
    .replace(
      /^\s*(?=(?:comput|calculat|count|add|sum|find|sort|list|filter|get|show|multipl|return|total|averag)\w*s\b)/i,
      "that ",
    )
    .replace(DOES, (_raw, verb: string) => ` , ${verb.replace(/ie$/i, "y")}`);
  const rest = without(sentence, plain);
  return rest.some(asks) ? rest : [sentence];
}

/** An expression alone is what it comes to. */
const EXPRESSION =
  /^(?!\s*(?:return|const|let|var|function|class|for|if|while|throw|try|switch|import|export|async function|\{|\/\/)\b)[^;]*;?\s*$/;

/** A function alone is to be called with what there is. */
const FUNCTION =
  /^(?:async\s+)?(?:(?:\([^()]*\)|[A-Za-z_$][\w$]*)\s*=>\s*(?:\{[\s\S]*\}|[^;{][^;]*)|function\b\s*\w*\s*\([^()]*\)\s*\{[\s\S]*\})\s*;?$/;

/** The code as the body of a function: an expression alone is returned. */
function bodyOf(text: string): string {
  const trimmed = text.trim();
  if (FUNCTION.test(trimmed)) return `return (${trimmed.replace(/;\s*$/, "")})(input);`;
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
  if (last === undefined) return { sentences: sentences.flatMap(withoutMeans), order: null };
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
