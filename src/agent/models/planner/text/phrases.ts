import { surfaceWords } from "../lexicon/compile.ts";
import { type Token, wordOf } from "./tokens.ts";

/** One element of a pattern: words, or literals of a kind. */
interface Element {
  words: readonly string[];
  literal: Token["kind"] | null;
  many: boolean;
  optional: boolean;
}

export interface Phrase {
  type: string;
  argument: string;
  elements: Element[];
}

/** A phrase that was found: the tokens of its literals, and its end. */
export interface PhraseMatch {
  type: string;
  argument: string;
  from: number;
  to: number;
  literals: Token[];
}

/** Returns the literals of a kind that phrases hold. */
export function literalsIn<K extends Token["kind"]>(
  matches: readonly PhraseMatch[],
  kind: K,
): Extract<Token, { kind: K }>[] {
  const isOfKind = (token: Token): token is Extract<Token, { kind: K }> => token.kind === kind;
  return matches.flatMap(({ literals }) => literals.filter(isOfKind));
}

const LITERALS: Partial<Record<string, Token["kind"]>> = {
  URL: "url",
  EMAIL: "email",
  FILE: "file",
  QUOTE: "quote",
  NUMBER: "number",
  DATA: "data",
};

/** Parses `type argument | pattern; pattern` lines. */
export function phrasesOf(data: string): Phrase[] {
  return data
    .split("\n")
    .filter((line) => line.includes("|"))
    .flatMap((line) => {
      const bar = line.indexOf("|");
      const [type = "", ...argument] = line.slice(0, bar).trim().split(/\s+/);
      return line
        .slice(bar + 1)
        .split(";")
        .map((pattern) => ({
          type,
          argument: argument.join(" "),
          elements: pattern.trim().split(/\s+/).map(elementOf),
        }));
    });
}

function elementOf(shown: string): Element {
  const optional = shown.endsWith("?") && shown.length > 1;
  const bare = optional ? shown.slice(0, -1) : shown;
  const many = /^[A-Z]+S$/.test(bare) && LITERALS[bare.slice(0, -1)] !== undefined;
  const literal = LITERALS[many ? bare.slice(0, -1) : bare] ?? null;
  const words = literal === null ? bare.split("/").flatMap(surfaceWords) : [];
  return { words, literal, many, optional };
}

/** Returns the longest phrase of some types that begins at a token. */
export function longestPhrase(
  phrases: readonly Phrase[],
  tokens: readonly Token[],
  at: number,
  end: number,
): PhraseMatch | null {
  let best: PhraseMatch | null = null;
  for (const { type, argument, elements } of phrases) {
    const found = matchElements(elements, tokens, at, end);
    if (found === null || found.to === at) continue;
    if (best === null || found.to > best.to) best = { type, argument, from: at, ...found };
  }
  return best;
}

function matchElements(
  elements: readonly Element[],
  tokens: readonly Token[],
  at: number,
  end: number,
): { to: number; literals: Token[] } | null {
  const [element, ...rest] = elements;
  if (element === undefined) return { to: at, literals: [] };
  const taken = takeElement(element, tokens, at, end);
  if (taken !== null) {
    const after = matchElements(rest, tokens, taken.to, end);
    if (after !== null) return { to: after.to, literals: [...taken.literals, ...after.literals] };
  }
  return element.optional ? matchElements(rest, tokens, at, end) : null;
}

function takeElement(
  { words, literal, many }: Element,
  tokens: readonly Token[],
  at: number,
  end: number,
): { to: number; literals: Token[] } | null {
  if (literal === null) {
    const fits = at < end && words.includes(shownAt(tokens, at));
    return fits ? { to: at + 1, literals: [] } : null;
  }
  const literals: Token[] = [];
  let to = at;
  while (many || literals.length === 0) {
    // A bracket or a colon before the first literal, a comma or "and" before the next.
    let next = to;
    const skipped = literals.length > 0 ? JOINERS : literal === "url" ? OPENERS : "";
    while (next < end && skipped.split(" ").includes(shownAt(tokens, next))) next += 1;
    const token = next < end ? tokens[next] : undefined;
    if (token?.kind !== literal) break;
    literals.push(token);
    to = next + 1;
    if (literal === "url" && to < end && /^[)>]$/.test(shownAt(tokens, to))) to += 1;
  }
  return literals.length === 0 ? null : { to, literals };
}

const JOINERS = ", and & ; \n - * • then or + : ( < – —";
const OPENERS = ": ( < - \n – —";

function shownAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.kind === "mark" ? token.mark : wordOf(token) || "?";
}
