import { CLAUSE_VERBS } from "../lexicon/commands.ts";
import { indexOf, linesOf, matchesAt } from "../lexicon/compile.ts";
import { comparable, type Token } from "../text/tokens.ts";

/** A run of tokens that says one thing. */
export interface Clause {
  from: number;
  to: number;
  /** Whether it begins a sentence. */
  opens: boolean;
}

let verbs: ReturnType<typeof indexOf<string>> | null = null;

function verbIndex() {
  verbs ??= indexOf(
    linesOf(CLAUSE_VERBS).flatMap(({ head, fields }) =>
      (fields[0] ?? []).map((surface) => ({ surface, meaning: head.join(" ") })),
    ),
  );
  return verbs;
}

/** Returns the kind of the verb that a clause begins with, or null. */
export function verbAt(
  tokens: readonly Token[],
  at: number,
): { kind: string; length: number } | null {
  const words = tokens.slice(at, at + 4).map(comparable);
  const found = matchesAt(verbIndex(), words, 0).find(({ exact }) => exact);
  return found === undefined
    ? null
    : { kind: found.meaning.split(" ")[0] ?? "", length: found.length };
}

const setOf = (words: string) => new Set(words.split(" "));
/** Words after which "if" means "whether". */
const WHETHER = setOf("check see me know out tell as and what even");
const ENDS = new Set([".", "?", "!", ";", "\n"]);
const JOINTS = setOf(", and then & but - :");
/** Words that may stand between "and" and the verb of the next clause. */
const FILLERS = setOf(
  "then also finally please afterwards next now lastly and just after that , to",
);
/** Words that are verbs only if something follows that they can govern. */
const NOUN_VERBS = setOf(
  "count sum total average name order rank list mail email e-mail display report group post text message book share note filter update output head look reply call sign record is are do does put print",
);
/** Words that a verb governs; after "by" and "to" only an arrangement goes on. */
const GOVERNED = setOf(
  "the a an it them me us everyone everybody all how each every those these this that up only by to",
);
const ARRANGING = setOf("sort order group rank");
const ORDINALS = setOf("first second third fourth fifth firstly secondly finally lastly next then");
const ABBREVIATIONS = setOf("min max approx vs etc no incl");
const PREPOSITIONS = setOf("in on at for from to by of");
const AUXILIARIES = setOf("is are was were has have had will can");
const READABLE = setOf("the its their each every it them that this link links page pages");

/** Splits tokens into clauses: at the ends of sentences, and before verbs and question words. */
export function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = [];
  const numbers = inlineNumbers(tokens);
  let from = 0;
  let opens = true;
  const close = (to: number, next: number, nextOpens: boolean) => {
    if (tokens.slice(from, to).some(({ kind }) => kind !== "mark")) {
      clauses.push({ from, to, opens });
      opens = nextOpens;
    } else opens ||= nextOpens;
    from = next;
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === "mark" && ENDS.has(token.mark)) {
      if (token.mark !== "." || !isAbbreviation(tokens, at)) close(at, at + 1, true);
      continue;
    }
    if (numbers.has(at)) {
      close(at, at + 2, true);
      at += 1;
      continue;
    }
    const numbering = at === from ? numberingAt(tokens, at) : 0;
    const start = numbering === 0 && at > from ? clauseStart(tokens, at) : null;
    if (numbering > 0) {
      from = at + numbering;
      at = from - 1;
    } else if (start !== null) {
      close(at, start, false);
      at = start;
    }
  }
  close(tokens.length, tokens.length, true);
  return clauses;
}

/** Finds the numbers of steps within a line: "1. open X 2. count Y". */
function inlineNumbers(tokens: readonly Token[]): Set<number> {
  const places: number[] = [];
  for (const [at, token] of tokens.entries()) {
    const [next, after] = [tokens[at + 1], tokens[at + 2]];
    const isStep = next?.start === token.end && (next.text === "." || next.text === ")");
    const isNext = token.kind === "number" && token.value === places.length + 1;
    if (isStep && isNext && after !== undefined && after.start > next.end) places.push(at);
  }
  return new Set(places.length < 2 ? [] : places);
}

/** Returns how many tokens number a step at the beginning of a clause: "1.", "Step 2:", "Third,". */
function numberingAt(tokens: readonly Token[], at: number): number {
  const word = wordAt(tokens, at);
  const next = tokens[at + 1];
  const closes = (token: Token | undefined) => /^[.):,]$/.test(token?.text ?? "");
  if (word === "step" && next?.kind === "number") return closes(tokens[at + 2]) ? 3 : 2;
  const isNumber = tokens[at]?.kind === "number" && (at === 0 || tokens[at - 1]?.kind === "mark");
  if (isNumber && closes(next) && next?.text !== ",") return 2;
  return ORDINALS.has(word) && next?.text === "," ? 2 : 0;
}

/** "No. 5", "min. 3" and numbered lists do not end a sentence. */
function isAbbreviation(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (before?.kind === "number" && (at < 2 || tokens[at - 2]?.kind === "mark")) return false;
  if (after !== undefined && after.start === tokens[at]?.end) return true;
  return ABBREVIATIONS.has(wordAt(tokens, at - 1)) && after?.kind === "number";
}

/** Returns where the next clause begins if a comma, "and" or "then" at this token begins one, else null. */
function clauseStart(tokens: readonly Token[], at: number): number | null {
  const shown = tokens[at]?.text.toLowerCase() ?? "";
  const isCondition = shown === "if" || shown === "unless";
  if (isCondition && !WHETHER.has(wordAt(tokens, at - 1)) && wordAt(tokens, at + 1) !== "possible")
    return at;
  // "for each job on URL open its page"
  const opensOwn =
    verbAt(tokens, at)?.kind === "read" && /^(?:its|their)$/.test(wordAt(tokens, at + 1));
  if (opensOwn) return at;
  if (!JOINTS.has(shown)) return null;
  let next = at + 1;
  while (FILLERS.has(wordAt(tokens, next)) || tokens[next]?.text === ",") next += 1;
  const word = wordAt(tokens, next);
  const follows = wordAt(tokens, next + 1);
  const isAsked = PREPOSITIONS.has(word) && /^(?:which|what|how)$/.test(follows);
  if (isAsked && shown !== ",") return next;
  const verb = verbAt(tokens, next);
  const isRelative = AUXILIARIES.has(follows);
  if (verb === null) {
    const isAnd = shown === "and" || shown === "then";
    return isAnd && /^(?:which|whose)$/.test(word) && !isRelative ? next : null;
  }
  const isQuestion = word === "is" || word === "are";
  if (shown === ":" && (verb.kind !== "query" || (NOUN_VERBS.has(word) && !isQuestion)))
    return null;
  // ", where is": a relative clause, not a question.
  if (shown === "," && next === at + 1 && /^(?:what|where|when|who)$/.test(word) && isRelative)
    return null;
  // "open http://..." reads; "paid and open bills" does not.
  const reads = tokens
    .slice(next + 1, next + 5)
    .some((token) => /^(?:url|quote)$/.test(token.kind) || READABLE.has(token.text.toLowerCase()));
  if (verb.kind === "read" && !reads) return null;
  if (!NOUN_VERBS.has(word)) return next;
  const after = tokens[next + verb.length];
  if (after === undefined) return null;
  if (after.kind !== "word") return after.kind === "mark" || after.kind === "number" ? null : next;
  if (isQuestion || word === "do" || word === "does") {
    const asks = tokens.slice(next).some(({ text }) => text === "?");
    return asks && (shown === "and" || shown === ":") ? next : null;
  }
  if (!GOVERNED.has(after.word)) return null;
  return /^(?:by|to)$/.test(after.word) && !ARRANGING.has(word) ? null : next;
}

/** Returns a word in lower case; empty for literals and marks. */
function wordAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.kind === "word" ? token.word : "";
}
