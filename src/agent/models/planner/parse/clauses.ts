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

/** Words after which "if" means "whether". */
const WHETHER = new Set(["check", "see", "me", "know", "out", "tell", "as", "and", "what", "even"]);
const ENDS = new Set([".", "?", "!", ";", "\n"]);
/** Words that may stand between "and" and the verb of the next clause. */
const FILLERS = new Set(
  "then also finally please afterwards next now lastly and just after that , to".split(" "),
);
/** Words that make a verb a noun: "the sum and count". */
const NOUN_SIGNS = new Set("the a an of their its with by per and or for in".split(" "));
/** Words that are verbs only if something follows that they can govern. */
const NOUN_VERBS = new Set(
  "count sum total average name order rank list mail email e-mail display report group post text message book share note filter update output head look reply call sign record is are do does put print".split(
    " ",
  ),
);

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
      if (token.mark === "." && isAbbreviation(tokens, at)) continue;
      close(at, at + 1, true);
      continue;
    }
    if (numbers.has(at)) {
      close(at, at + 2, true);
      at += 1;
      continue;
    }
    const numbering = at === from ? numberingAt(tokens, at) : 0;
    if (numbering > 0) {
      from = at + numbering;
      at = from - 1;
      continue;
    }
    const start = at > from ? clauseStart(tokens, at) : null;
    if (start !== null) {
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
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    const after = tokens[at + 2];
    const isStep =
      token.kind === "number" &&
      next?.kind === "mark" &&
      (next.mark === "." || next.mark === ")") &&
      next.start === token.end &&
      after !== undefined &&
      after.start > next.end;
    if (isStep && token.kind === "number" && token.value === places.length + 1) places.push(at);
  });
  return new Set(places.length < 2 ? [] : places);
}

/** Returns how many tokens number a step at the beginning of a clause: "1.", "Step 2:", "Third,". */
function numberingAt(tokens: readonly Token[], at: number): number {
  const word = wordAt(tokens, at);
  const next = tokens[at + 1];
  const closes = (token: Token | undefined) =>
    token?.kind === "mark" && [".", ")", ":", ","].includes(token.mark);
  if (word === "step" && next?.kind === "number") return closes(tokens[at + 2]) ? 3 : 2;
  const isNumber = tokens[at]?.kind === "number" && (at === 0 || tokens[at - 1]?.kind === "mark");
  if (isNumber && closes(next) && next?.text !== ",") return 2;
  const ordinals =
    "first second third fourth fifth firstly secondly finally lastly next then".split(" ");
  return word !== null && ordinals.includes(word) && next?.text === "," ? 2 : 0;
}

/** "No. 5", "min. 3" and numbered lists do not end a sentence. */
function isAbbreviation(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (before?.kind === "number" && (at < 2 || tokens[at - 2]?.kind === "mark")) return false;
  if (after !== undefined && after.start === tokens[at]?.end) return true;
  return (
    before?.kind === "word" &&
    ["min", "max", "approx", "vs", "etc", "no", "incl"].includes(before.word) &&
    after?.kind === "number"
  );
}

/** Returns where the next clause begins if a comma, "and" or "then" at this token begins one, else null. */
function clauseStart(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  const shown = token?.kind === "word" ? token.word : token?.kind === "mark" ? token.mark : null;
  if (
    (shown === "if" || shown === "unless") &&
    !WHETHER.has(wordAt(tokens, at - 1) ?? "") &&
    wordAt(tokens, at + 1) !== "possible"
  )
    return at;
  if (
    shown !== "," &&
    shown !== "and" &&
    shown !== "then" &&
    shown !== "&" &&
    shown !== "but" &&
    shown !== "-" &&
    shown !== ":"
  )
    return null;
  let next = at + 1;
  while (next < tokens.length) {
    const word = wordAt(tokens, next);
    const mark = tokens[next]?.kind === "mark";
    if (word === null && !mark) break;
    if (!FILLERS.has(word ?? ",")) break;
    next += 1;
  }
  if (isAskedWith(tokens, next) && shown !== ",") return next;
  const verb = verbAt(tokens, next);
  if (verb === null) {
    const word = wordAt(tokens, next);
    const isAnd = shown === "and" || shown === "then";
    return isAnd && (word === "which" || word === "whose") && !isRelative(tokens, next)
      ? next
      : null;
  }
  const word = wordAt(tokens, next) ?? "";
  if (
    shown === ":" &&
    (verb.kind !== "query" || (NOUN_VERBS.has(word) && word !== "is" && word !== "are"))
  )
    return null;
  if (
    shown === "," &&
    next === at + 1 &&
    (word === "what" || word === "where" || word === "when" || word === "who") &&
    isRelative(tokens, next)
  )
    return null;
  if (verb.kind === "read" && !readsPage(tokens, next)) return null;
  if (!NOUN_VERBS.has(word)) return next;
  const after = tokens[next + verb.length];
  if (after === undefined) return null;
  const follows = wordAt(tokens, next + verb.length);
  if (follows === null) return after.kind === "mark" || after.kind === "number" ? null : next;
  if (word === "is" || word === "are" || word === "do" || word === "does") {
    return tokens.slice(next).some(({ text }) => text === "?") && (shown === "and" || shown === ":")
      ? next
      : null;
  }
  const governs =
    "the a an it them me us everyone everybody all how each every those these this that up only by to"
      .split(" ")
      .includes(follows);
  return governs &&
    !(
      NOUN_SIGNS.has(follows) &&
      (follows === "by" || follows === "to") &&
      word !== "sort" &&
      word !== "order" &&
      word !== "group" &&
      word !== "rank"
    )
    ? next
    : null;
}

/** "in which year", "at what time". */
function isAskedWith(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at);
  const asked = wordAt(tokens, at + 1);
  if (word === null || !["in", "on", "at", "for", "from", "to", "by", "of"].includes(word))
    return false;
  return asked === "which" || asked === "what" || asked === "how";
}

/** "open http://..." reads; "paid and open bills" does not. */
function readsPage(tokens: readonly Token[], at: number): boolean {
  return tokens
    .slice(at + 1, at + 6)
    .some(
      (token) =>
        token.kind === "url" ||
        token.kind === "quote" ||
        (token.kind === "word" &&
          "article button entry link links post tab page pages it them site next first each every"
            .split(" ")
            .includes(token.word)),
    );
}

function wordAt(tokens: readonly Token[], at: number): string | null {
  const token = tokens[at];
  return token?.kind === "word" ? token.word : null;
}

/** ", which is open": a relative clause, not a question. */
function isRelative(tokens: readonly Token[], at: number): boolean {
  const next = wordAt(tokens, at + 1);
  return (
    next !== null &&
    ["is", "are", "was", "were", "has", "have", "had", "will", "can"].includes(next)
  );
}
