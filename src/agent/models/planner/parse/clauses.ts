import { CLAUSE_VERBS } from "../lexicon/commands.ts";
import { type Index, linesOf, matchesAt, surfacesOf } from "../text/phrases.ts";
import { type Token, wordOf } from "../text/tokens.ts";

/** A run of tokens that says one thing. */
export interface Clause {
  from: number;
  to: number;
  /** Whether it begins a sentence. */
  opens: boolean;
}

let verbs: Index<string> | null = null;

/** Returns the kind of the verb that begins at a token, or null. */
export function verbAt(
  tokens: readonly Token[],
  at: number,
): { kind: string; length: number } | null {
  verbs ??= surfacesOf(
    linesOf(CLAUSE_VERBS).flatMap(({ head, fields: [surfaces = []] }) =>
      surfaces.map((surface) => ({ surface, meaning: head[0] ?? "" })),
    ),
  );
  const found = matchesAt(verbs, tokens, at).find(({ exact }) => exact);
  return found === undefined ? null : { kind: found.meaning, length: found.to - at };
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
  "count sum total average name order rank list mail email display report group post text message book share note filter update output head look reply call sign record is are do does put print",
);
/** Words that a verb governs. */
const GOVERNED = setOf(
  "the a an it them me us everyone everybody all how each every those these this that up only their its his her my our any",
);
const ORDINALS = setOf("first second third fourth fifth firstly secondly finally lastly next then");
const PREPOSITIONS = setOf("in on at for from to by of");
const READABLE = setOf("the its their each every it them that this link links page pages");

/** Splits tokens into clauses: at the ends of sentences, and before verbs and question words. */
export function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  let opens = true;
  let steps = 0;
  const close = (to: number, next: number, nextOpens: boolean) => {
    const isEmpty = tokens.slice(from, to).every(({ kind }) => kind === "mark");
    if (!isEmpty) clauses.push({ from, to, opens });
    opens = nextOpens || (isEmpty && opens);
    from = next;
  };
  for (const [at, token] of tokens.entries()) {
    if (at < from) continue;
    const isWithin = token.text === "." && tokens[at + 1]?.start === token.end;
    if (
      isStep(tokens, at, steps + 1) &&
      (steps > 0 || tokens.some((_, i) => isStep(tokens, i, 2)))
    ) {
      steps += 1;
      close(at, at + 2, true);
    } else if (token.kind === "mark" && ENDS.has(token.mark) && !isWithin) close(at, at + 1, true);
    // "Third, mail it"
    else if (at === from && ORDINALS.has(wordOf(token)) && tokens[at + 1]?.text === ",")
      from = at + 2;
    else if (at > from) {
      const start = clauseStart(tokens, at) ?? effectStart(tokens, from, at);
      if (start !== null) close(at, start, false);
    }
  }
  close(tokens.length, tokens.length, true);
  return clauses;
}

/** "If there is a cake email it to Ann": the effect of a condition, without a comma. */
function effectStart(tokens: readonly Token[], from: number, at: number): number | null {
  const isCondition = /^(?:if|when|whenever|should|unless)$/.test(wordOf(tokens[from]));
  const isEffect = /^(?:email|mail|send|notify|post)$/.test(wordOf(tokens[at]));
  const next = tokens[at + 1];
  const governs = next?.kind === "email" || next?.kind === "data" || GOVERNED.has(wordOf(next));
  return isCondition && isEffect && governs ? at : null;
}

/** Whether a token numbers a step: "1. open X 2. count Y". */
function isStep(tokens: readonly Token[], at: number, number: number): boolean {
  const [token, mark, next] = tokens.slice(at, at + 3);
  const isMarked = mark !== undefined && /^[.)]$/.test(mark.text) && mark.start === token?.end;
  const hasGap = mark !== undefined && next !== undefined && next.start > mark.end;
  return token?.kind === "number" && token.value === number && isMarked && hasGap;
}

/** Returns where the next clause begins if a comma, "and" or "then" at this token begins one, else null. */
function clauseStart(tokens: readonly Token[], at: number): number | null {
  const shown = tokens[at]?.text.toLowerCase() ?? "";
  if (shown === "if" && !WHETHER.has(wordOf(tokens[at - 1]))) return at;
  if (!JOINTS.has(shown)) return null;
  let next = at + 1;
  while (FILLERS.has(tokens[next]?.text.toLowerCase() ?? "")) next += 1;
  const word = wordOf(tokens[next]);
  const isAsked = /^(?:which|what|how)$/.test(wordOf(tokens[next + 1]));
  if (isAsked && PREPOSITIONS.has(word) && shown !== ",") return next;
  if (word === "let" && tokens[next + 1]?.kind === "email") return next;
  const verb = verbAt(tokens, next);
  const isAnd = shown === "and" || shown === "then";
  if (verb === null) return isAnd && /^(?:which|whose)$/.test(word) ? next : null;
  if (shown === ":" && verb.kind !== "query") return null;
  // "open http://..." reads; "paid and open bills" does not.
  const reads = tokens
    .slice(next + 1, next + 5)
    .some((token) => /^(?:url|quote)$/.test(token.kind) || READABLE.has(token.text.toLowerCase()));
  const clicks = /^(?:click|follow)$/.test(word);
  if (verb.kind === "read" && !reads && !clicks) return null;
  if (!NOUN_VERBS.has(word)) return next;
  if (word === "text" && tokens[next + 1]?.kind === "quote") return null;
  const after = tokens[next + verb.length];
  if (after?.kind !== "word") return /^(?:mark|number)$/.test(after?.kind ?? "mark") ? null : next;
  return GOVERNED.has(after.word) ? next : null;
}
