import { surfaceWords } from "../lexicon/compile.ts";
import type { Token } from "./tokens.ts";

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
    const token = at < end ? tokens[at] : undefined;
    const shown = token?.kind === "word" ? token.word : token?.kind === "mark" ? token.mark : null;
    return shown !== null && words.includes(shown) ? { to: at + 1, literals: [] } : null;
  }
  const literals: Token[] = [];
  let to = at;
  for (;;) {
    const start: number =
      many || literals.length === 0
        ? skipJoiners(tokens, to, end, literals.length > 0, literal)
        : to;
    const token: Token | undefined = start < end ? tokens[start] : undefined;
    if (token?.kind !== literal || (literals.length > 0 && !many)) break;
    literals.push(token);
    to = start + 1;
    if (literal === "url") to = skipClosing(tokens, to, end);
  }
  return literals.length === 0 ? null : { to, literals };
}

const JOINERS = new Set([",", "and", "&", ";", "\n", "-", "*", "•", "then", "or", "+"]);
const OPENERS = new Set([":", "(", "<", "-", "\n", "–", "—"]);

/** Skips what stands before a literal: a bracket or a colon before the first, a comma or "and" before the next. */
function skipJoiners(
  tokens: readonly Token[],
  at: number,
  end: number,
  inList: boolean,
  literal: Token["kind"],
): number {
  let next = at;
  while (next < end) {
    const token = tokens[next];
    const shown = token?.kind === "word" ? token.word : token?.kind === "mark" ? token.mark : null;
    if (shown === null) break;
    const skips = (inList && JOINERS.has(shown)) || (literal === "url" && OPENERS.has(shown));
    if (!skips) break;
    next += 1;
  }
  return tokens[next]?.kind === literal ? next : at;
}

function skipClosing(tokens: readonly Token[], at: number, end: number): number {
  const token = at < end ? tokens[at] : undefined;
  const closes = token?.kind === "mark" && (token.mark === ")" || token.mark === ">");
  return closes ? at + 1 : at;
}
