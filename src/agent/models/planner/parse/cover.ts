import { COMMANDS } from "../lexicon/commands.ts";
import { longestPhrase, type PhraseMatch, type Phrases, phrasesOf } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import type { Clause } from "./clauses.ts";

const known = new Map<string, Phrases>();

/** Returns the phrases of some types. */
export function phrasesOfTypes(types: string): Phrases {
  const found = known.get(types) ?? phrasesOf(COMMANDS, types.split(" "));
  known.set(types, found);
  return found;
}

/** The phrases of commands in a clause, and the tokens that they leave. */
export class Cover {
  readonly tokens: readonly Token[];
  readonly clause: Clause;
  readonly #covered = new Set<number>();

  constructor(tokens: readonly Token[], clause: Clause) {
    this.tokens = tokens;
    this.clause = clause;
  }

  /** Covers every phrase of the types, from left to right. */
  take(types: string, isAllowed: (match: PhraseMatch) => boolean = () => true): PhraseMatch[] {
    const found: PhraseMatch[] = [];
    for (let at = this.clause.from; at < this.clause.to; at += 1) {
      const match = this.#matchAt(types, at);
      if (match === null || !isAllowed(match)) continue;
      this.cover(match.from, match.to);
      found.push(match);
    }
    return found;
  }

  /** Covers a phrase that begins at a token. */
  takeAt(types: string, at: number): PhraseMatch | null {
    const match = this.#matchAt(types, at);
    if (match !== null) this.cover(match.from, match.to);
    return match;
  }

  #matchAt(types: string, at: number): PhraseMatch | null {
    let end = at;
    while (end < this.clause.to && !this.#covered.has(end)) end += 1;
    return longestPhrase(phrasesOfTypes(types), this.tokens, at, end);
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
}
