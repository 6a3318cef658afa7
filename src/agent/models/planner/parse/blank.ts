import { lexicon } from "../lexicon/lexicon.ts";
import { matchesAt } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";

/** Whether tokens say nothing: free words, marks, and operators of the given kinds. */
export function isBlank(tokens: readonly Token[], operators: readonly string[] = []): boolean {
  const reached = new Array<boolean>(tokens.length + 1).fill(false);
  reached[0] = true;
  for (let at = 0; at < tokens.length; at += 1) {
    if (!reached[at]) continue;
    if (tokens[at]?.kind === "mark") reached[at + 1] = true;
    for (const { meaning, to, exact } of matchesAt(lexicon().meanings, tokens, at)) {
      const counts =
        meaning.type === "free" || (meaning.type === "op" && operators.includes(meaning.op));
      const isNoun = meaning.type === "op" && meaning.op === "row";
      if (counts && (exact || isNoun)) reached[to] = true;
    }
  }
  return reached[tokens.length] ?? false;
}
