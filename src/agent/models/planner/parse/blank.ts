import { matchesAt } from "../lexicon/compile.ts";
import { lexicon } from "../lexicon/lexicon.ts";
import { comparable, type Token } from "../text/tokens.ts";

/** Whether tokens say nothing: free words, marks, and operators of the given kinds. */
export function isBlank(tokens: readonly Token[], operators: readonly string[] = []): boolean {
  const words = tokens.map(comparable);
  const reached = new Array<boolean>(tokens.length + 1).fill(false);
  reached[0] = true;
  for (let at = 0; at < tokens.length; at += 1) {
    if (!reached[at]) continue;
    if (tokens[at]?.kind === "mark") reached[at + 1] = true;
    for (const { meaning, length, exact } of matchesAt(lexicon().meanings, words, at)) {
      const counts =
        meaning.type === "free" || (meaning.type === "op" && operators.includes(meaning.op));
      const isNoun = meaning.type === "op" && meaning.op === "row";
      if (counts && (exact || isNoun)) reached[at + length] = true;
    }
  }
  return reached[tokens.length] ?? false;
}
