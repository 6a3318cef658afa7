import { lexicon } from "../lexicon/lexicon.ts";
import type { Threshold } from "../program.ts";
import { matchesAt } from "../text/phrases.ts";
import { type Token, tokenize } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";

const TESTS: readonly Threshold["test"][] = ["gt", "gte", "lt", "lte", "eq"];

/**
 * Splits a condition on a figure into the question for the figure and the test that it must pass: "the
 * total is over 1500", "more than 2 orders are open". Returns null for other conditions.
 */
export function thresholdOf(
  tokens: readonly Token[],
): { asked: Token[]; threshold: Threshold } | null {
  for (const at of tokens.keys()) {
    for (const { meaning, to, exact } of matchesAt(lexicon().meanings, tokens, at)) {
      const number = tokens[to];
      const arg = meaning.type === "op" && meaning.op === "cmp" && exact ? meaning.arg : "";
      const test = TESTS.find((each) => each === arg);
      if (test === undefined || number?.kind !== "number") continue;
      const before = tokens.slice(0, at);
      const after = tokens.slice(to + 1);
      const threshold = { test, value: number.value };
      if (isBlank(before)) return { asked: [...tokenize("how many"), ...after], threshold };
      const isUnit = after.length < 2 || isBlank(after);
      if (isUnit) return { asked: [...tokenize("what is"), ...before], threshold };
    }
  }
  return null;
}
