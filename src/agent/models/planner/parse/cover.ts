import { COMMANDS } from "../lexicon/commands.ts";
import { longestPhrase, type Phrase, type PhraseMatch, phrasesOf } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import type { Clause } from "./clauses.ts";

let compiled: Map<string, Phrase[]> | null = null;

/** Returns the phrases of some types. */
export function phrasesOfTypes(types: readonly string[]): Phrase[] {
  if (compiled === null) {
    compiled = new Map();
    for (const phrase of phrasesOf(COMMANDS)) {
      const list = compiled.get(phrase.type);
      if (list) list.push(phrase);
      else compiled.set(phrase.type, [phrase]);
    }
  }
  const all = compiled;
  return types.flatMap((type) => all.get(type) ?? []);
}

/** The phrases of commands in a clause, and the tokens that they leave. */
export class Cover {
  readonly tokens: readonly Token[];
  readonly clause: Clause;
  readonly #covered = new Set<number>();
  readonly matches: PhraseMatch[] = [];

  constructor(tokens: readonly Token[], clause: Clause) {
    this.tokens = tokens;
    this.clause = clause;
  }

  /** Covers every phrase of the types, from left to right. */
  take(
    types: readonly string[],
    isAllowed: (match: PhraseMatch) => boolean = () => true,
  ): PhraseMatch[] {
    const phrases = phrasesOfTypes(types);
    const found: PhraseMatch[] = [];
    for (let at = this.clause.from; at < this.clause.to; at += 1) {
      if (this.#covered.has(at)) continue;
      const match = longestPhrase(phrases, this.tokens, at, this.#freeEnd(at));
      if (match === null || !isAllowed(match)) continue;
      for (let index = match.from; index < match.to; index += 1) this.#covered.add(index);
      found.push(match);
      at = match.to - 1;
    }
    this.matches.push(...found);
    return found;
  }

  /** Covers a phrase that begins at a token. */
  takeAt(types: readonly string[], at: number): PhraseMatch | null {
    const match = longestPhrase(phrasesOfTypes(types), this.tokens, at, this.#freeEnd(at));
    if (match === null) return null;
    for (let index = match.from; index < match.to; index += 1) this.#covered.add(index);
    this.matches.push(match);
    return match;
  }

  isCovered(at: number): boolean {
    return this.#covered.has(at);
  }

  cover(from: number, to: number): void {
    for (let index = from; index < to; index += 1) this.#covered.add(index);
  }

  /** The runs of tokens that no phrase covers. */
  rest(): { from: number; to: number }[] {
    const runs: { from: number; to: number }[] = [];
    for (let at = this.clause.from; at < this.clause.to; at += 1) {
      if (this.#covered.has(at)) continue;
      const last = runs.at(-1);
      if (last?.to === at) last.to = at + 1;
      else runs.push({ from: at, to: at + 1 });
    }
    return runs;
  }

  /** All tokens of the clause. */
  own(): readonly Token[] {
    return this.tokens.slice(this.clause.from, this.clause.to);
  }

  restTokens(): Token[] {
    return this.rest().flatMap(({ from, to }) => this.tokens.slice(from, to));
  }

  #freeEnd(at: number): number {
    let end = at;
    while (end < this.clause.to && !this.#covered.has(end)) end += 1;
    return end;
  }
}
