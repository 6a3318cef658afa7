import { singular } from "../language/normalize.ts";
import { isIdle, isRowNoun } from "./idle.ts";
import { ADJECTIVES } from "./lexicon.ts";

/** Where the rows are named by a noun: "list the vacancies", "how many pupils". */
const HEAD =
  /\b(?:list|show|get|find|extract|give|me|all|which|what|many|the|those|these|only|any|number|count|fetch|collect|identify|enumerate|of all(?: the)?) $/;
const HEAD_ONE = /\b(?:each|every|which|what|per|any) $/;
/** A condition in words: a clause about the rows, or what they are to have or lie near. */
const CLAUSE =
  /\b(?:that|which|who|whose|where|with|within|without|near|for|having|suitable for|good for|made for|aimed at|taught|written|under|over|above|below)$/;

/** Where a noun is something to show of each row. */
const WANTED = /\b(?:with|and|plus|including) (?:the|their|its|his|her) $/;
/** A comparison with a number in words, which no rule counts by. */
const COMPARED =
  /\b(?:more|less|fewer|greater|higher|lower) than (?:one|once|a|an|the|its|their|half|all)\b(?: [a-z]+)?|\b(?:at least|at most|only|exactly) (?:one|once)\b/;

/** "… and which costs the least": the other end, behind the one that was read. */
const OTHER_END =
  /\b(?:and|or|,) (?:(?:which|who|what|that)(?: one| of (?:them|these))? )?(?:(?:col\d+_|is|are) )?the (most|least|highest|lowest)(?= ?(?:$|,| (?:on|in|at)\b))/;

export interface Unread {
  /** The words, singular, for comparing what several readings left over. */
  words: Set<string>;
  /** Runs of words around them, as far as they stand together. */
  phrases: string[];
  /** Whether one of them stands where a condition on the rows would. */
  condition: boolean;
}

/** Whether a word that no rule read only names the rows. */
function namesRows(word: string, before: string): boolean {
  if (/^(?:second|third|fourth|fifth|\d+(?:nd|rd|th))$/.test(word)) return false;
  return (/[a-z]{3}s$/.test(word) && HEAD.test(before)) || HEAD_ONE.test(before);
}

/**
 * The words of an ask that may mean something and that no rule has read. `left` is what the rules
 * left over; `known` are singular words that name the pages or tables themselves.
 */
export function unreadIn(left: string, known: ReadonlySet<string>, operative: boolean): Unread {
  const tokens = left
    .replace(
      /\b(?:first|second|third|fourth|fifth|last) (?:tables?)\b|(?:^|, )(?:second|third|fourth)(?:ly)? ,/g,
      " ",
    )
    .split(/\s+/)
    .filter((token) => token !== "");
  const words = new Set<string>();
  const phrases: string[] = [];
  let condition = false;
  let run: string[] = [];
  let gap: string[] = [];
  const flush = (): void => {
    if (run.length > 0) phrases.push(run.join(" "));
    run = [];
    gap = [];
  };
  const superlative = ADJECTIVES.flatMap((one) => one.superlative.exec(left)?.[0] ?? [])[0];
  const other = OTHER_END.exec(left)?.[1];
  for (const compared of [COMPARED.exec(left)?.[0], superlative, other]) {
    if (compared === undefined) continue;
    words.add(compared);
    phrases.push(compared);
    condition = true;
  }
  tokens.forEach((token, at) => {
    const word = token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%+]+$/gu, "");
    if (/^(?:(?:col|val|str|url|blk)\d+_|fn_)$/.test(token) || !/[\p{L}\p{N}]/u.test(token)) {
      flush();
      return;
    }
    const before = `${tokens.slice(Math.max(0, at - 3), at).join(" ")} `;
    const stem = singular(word);
    const wanted = WANTED.test(before) && isRowNoun(stem);
    const idle =
      !wanted &&
      (isIdle(word, operative) ||
        isIdle(stem, operative) ||
        known.has(stem) ||
        namesRows(word, before));
    if (idle) {
      if (run.length > 0) gap.push(token);
      if (gap.length > 3) flush();
      return;
    }
    const opening = tokens.slice(Math.max(0, at - 5), at).findLast((one) => CLAUSE.test(one));
    const next = tokens[at + 1] ?? "";
    const describes = isRowNoun(singular(next)) || /^col\d+_$/.test(next);
    condition ||= opening !== undefined || describes;
    words.add(stem);
    run.push(...gap, word);
    gap = [];
  });
  flush();
  return { words, phrases, condition };
}
