import { COMMANDS } from "./lexicon/commands.ts";
import { isBlank } from "./parse/blank.ts";
import type { Clause } from "./parse/clauses.ts";
import type { Origin } from "./program.ts";
import { longestPhrase, phrasesOf } from "./text/phrases.ts";
import type { Token } from "./text/tokens.ts";

/** What a message changes of the program. */
export type Patch =
  | { kind: "stop" }
  /** Takes back deliveries of a kind. */
  | { kind: "retract"; what: "mail" | "file" | "request" }
  /** Puts words in the place of others. */
  | { kind: "substitute"; old: Origin; by: Origin }
  /** Changes the last e-mail. */
  | { kind: "mail"; change: { subject: string } | { to: string[] } }
  /** Adds a condition to the last question. */
  | { kind: "refine"; words: Origin }
  /** Asks the last question again of something else: "and in Lisbon?"; `instead` if only that is meant. */
  | { kind: "vary"; words: Origin; instead: boolean }
  /** Adds a part, as a clause of the prompt would. */
  | { kind: "add"; clause: Clause }
  | { kind: "nothing" };

const STOPS = phrasesOf(COMMANDS, ["stop"]);
const HEDGES = new Set(
  "sorry wait no oh actually i meant mean but please well hmm oops and also just ah hold on instead rather i'd 'm ,".split(
    " ",
  ),
);
const REFINERS = new Set(
  "only those without except excluding not with in sort sorted keep exclude from limit where that which leave skip ignore remove drop filter top".split(
    " ",
  ),
);
const NOUNS: Partial<Record<string, "mail" | "file" | "request">> = {
  mail: "mail",
  email: "mail",
  message: "mail",
  file: "file",
  workbook: "file",
  spreadsheet: "file",
  csv: "file",
  request: "request",
  post: "request",
};

/** Reads a clause of a message as a change of what was asked before. */
export function patchOf(tokens: readonly Token[], clause: Clause): Patch {
  const from = skipHedges(tokens, clause);
  const words = tokens.slice(from, clause.to);
  const stops = longestPhrase(STOPS, tokens, clause.from, clause.to);
  if (stops !== null && isBlank(tokens.slice(stops.to, clause.to))) return { kind: "stop" };
  if (isBlank(words, ["show", "pronoun"])) return { kind: "nothing" };
  const retracted = retraction(words);
  if (retracted !== null) return { kind: "retract", what: retracted };
  const subject = words.find((token) => token.kind === "quote");
  if (subject?.kind === "quote" && words.some(({ text }) => text.toLowerCase() === "subject")) {
    return { kind: "mail", change: { subject: subject.value } };
  }
  const addresses = words.flatMap((token) => (token.kind === "email" ? [token.address] : []));
  const isInstead = tokens
    .slice(clause.from, clause.to)
    .some((token) => wordOf(token) === "instead");
  if (addresses.length > 0 && isInstead) return { kind: "mail", change: { to: addresses } };
  const substitution = substitutionOf(tokens, { ...clause, from });
  if (substitution !== null) return substitution;
  // "but count only those in eu-north"
  const counts =
    wordOf(tokens[from]) === "count" && /^(?:only|just)$/.test(wordOf(tokens[from + 1]));
  if (counts) return { kind: "refine", words: { from: from + 1, to: clause.to } };
  const hedged = from > clause.from && ["meant", "mean"].includes(wordOf(tokens[from - 1]));
  const only = wordOf(tokens[from - 1]) === "just" && REFINERS.has(wordOf(tokens[from]));
  const figure = words.findIndex((token) => !isBlank([token], ["what", "and"]));
  const isFigure = figure >= 0 && isBlank(words, ["what", "and", "agg"]);
  if (isFigure && !hedged)
    return { kind: "vary", words: { from: from + figure, to: clause.to }, instead: false };
  const isShort = clause.to - from < 6;
  const follows =
    /^(?:and|what|how)$/.test(wordOf(tokens[clause.from])) &&
    /^(?:in|for|from|of|about|on|at|to)$/.test(wordOf(tokens[from]));
  if (isShort && (hedged || follows))
    return { kind: "vary", words: { from, to: clause.to }, instead: hedged };
  if (REFINERS.has(wordOf(tokens[from])) || hedged || only)
    return { kind: "refine", words: { from, to: clause.to } };
  return { kind: "add", clause: { ...clause, from } };
}

function wordOf(token: Token | undefined): string {
  return token?.kind === "word" ? token.word : (token?.text ?? "");
}

function skipHedges(tokens: readonly Token[], { from, to }: Clause): number {
  let at = from;
  while (at < to && HEDGES.has(wordOf(tokens[at]))) at += 1;
  return at;
}

/** "don't send the mail", "no e-mail, please", "forget the file". */
function retraction(words: readonly Token[]): "mail" | "file" | "request" | null {
  const first = wordOf(words[0]);
  const negates = "don't do forget skip never drop without leave cancel".split(" ").includes(first);
  const shown = words.map(wordOf);
  if (!negates || (first === "do" && shown[1] !== "not") || words.length > 9) return null;
  const kinds = shown.flatMap((word) => NOUNS[word] ?? []);
  return new Set(kinds).size === 1 ? (kinds[0] ?? null) : null;
}

/** "Y instead of X". */
function substitutionOf(tokens: readonly Token[], { from, to }: Clause): Patch | null {
  const at = tokens.findIndex(
    (token, place) =>
      place > from &&
      place < to &&
      wordOf(token) === "instead" &&
      wordOf(tokens[place + 1]) === "of",
  );
  if (at < 0) return null;
  const by = trimmed(tokens, { from, to: at });
  return { kind: "substitute", by, old: trimmed(tokens, { from: at + 2, to }) };
}

const EDGES = new Set("the use take make it a in for show me give do please of from ,".split(" "));

/** Returns a range without articles and verbs at its edges. */
function trimmed(tokens: readonly Token[], { from, to }: Origin): Origin {
  let start = from;
  let end = to;
  while (start < end - 1 && EDGES.has(wordOf(tokens[start]))) start += 1;
  while (
    end > start + 1 &&
    (EDGES.has(wordOf(tokens[end - 1])) || tokens[end - 1]?.kind === "mark")
  )
    end -= 1;
  return { from: start, to: end };
}
