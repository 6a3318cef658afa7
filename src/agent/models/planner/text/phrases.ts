import { type Token, wordOf } from "./tokens.ts";

/** One element of a pattern: words, or literals of a kind. */
interface Element {
  words: readonly string[];
  literal: Token["kind"] | null;
  many: boolean;
  optional: boolean;
}

/** Patterns with their meanings, by the words and kinds of literals that they may begin with. */
export type Index<T> = ReadonlyMap<string, readonly Entry<T>[]>;

interface Entry<T> {
  elements: readonly Element[];
  meaning: T;
}

/** A pattern that was found: exactly, or with the singular of a noun. */
export interface Match<T> {
  meaning: T;
  from: number;
  to: number;
  literals: Token[];
  exact: boolean;
}

/** A phrase of commands that was found, with the tokens of its literals. */
export interface PhraseMatch extends Omit<Match<unknown>, "meaning" | "exact"> {
  type: string;
  argument: string;
}

export type Phrases = Index<Pick<PhraseMatch, "type" | "argument">>;

/** Returns the literals of a kind that phrases hold. */
export function literalsIn<K extends Token["kind"]>(
  matches: readonly PhraseMatch[],
  kind: K,
): Extract<Token, { kind: K }>[] {
  const isOfKind = (token: Token): token is Extract<Token, { kind: K }> => token.kind === kind;
  return matches.flatMap(({ literals }) => literals.filter(isOfKind));
}

/** Splits `head | fields` lines, separated by line ends and semicolons, unless these separate surfaces. */
export function linesOf(
  data: string,
  separator: "," | ";" = ",",
): { head: string[]; fields: string[][] }[] {
  const lines = data.split(separator === ";" ? "\n" : /[\n;]/);
  return lines.flatMap((line) => {
    const [head = "", ...fields] = line.split("|");
    const surfaces = fields.map((field) => field.split(separator).map((each) => each.trim()));
    const filled = surfaces.map((own) => own.filter((surface) => surface !== ""));
    return fields.length === 0 ? [] : [{ head: head.trim().split(/\s+/), fields: filled }];
  });
}

/** Indexes `type argument | pattern; pattern` lines, those of some types if they are given. */
export function phrasesOf(data: string, types?: readonly string[]): Phrases {
  const lines = linesOf(data, ";").filter(({ head: [type = ""] }) => types?.includes(type) ?? true);
  return indexOf(
    lines.flatMap(({ head: [type = "", ...argument], fields: [patterns = []] }) =>
      patterns.map((pattern) => ({
        elements: pattern.split(/\s+/).map(elementOf),
        meaning: { type, argument: argument.join(" ") },
      })),
    ),
  );
}

/** Indexes surfaces: their words are taken as they are. */
export function surfacesOf<T>(entries: readonly { surface: string; meaning: T }[]): Index<T> {
  return indexOf(
    entries.map(({ surface, meaning }) => ({
      elements: surface
        .toLowerCase()
        .split(/\s+/)
        .flatMap(wordsOf)
        .map((word) => ({ words: [word], literal: null, many: false, optional: false })),
      meaning,
    })),
  );
}

/** Splits a word as the tokenizer does: "what's" gives two. */
function wordsOf(word: string): string[] {
  const [, stem, suffix] = /^(.+)('(?:s|re|m|d|ll|ve))$/.exec(word) ?? [];
  return stem === undefined || suffix === undefined ? [word] : [stem, suffix];
}

const LITERALS: Partial<Record<string, Token["kind"]>> = {
  ...{ URL: "url", EMAIL: "email", FILE: "file", QUOTE: "quote", NUMBER: "number", DATA: "data" },
};

function elementOf(shown: string): Element {
  const optional = shown.endsWith("?") && shown.length > 1;
  const bare = optional ? shown.slice(0, -1) : shown;
  const many = /^[A-Z]+S$/.test(bare) && LITERALS[bare.slice(0, -1)] !== undefined;
  const literal = LITERALS[many ? bare.slice(0, -1) : bare] ?? null;
  const words = literal === null ? bare.toLowerCase().split("/").flatMap(wordsOf) : [];
  return { words, literal, many, optional };
}

function indexOf<T>(entries: readonly Entry<T>[]): Index<T> {
  const keyed = entries.flatMap((entry) => {
    const needed = entry.elements.findIndex(({ optional }) => !optional);
    const first = needed < 0 ? entry.elements : entry.elements.slice(0, needed + 1);
    const keys = new Set(first.flatMap(({ words, literal }) => literal ?? words));
    return [...keys].map((key) => ({ key, entry }));
  });
  const groups = Map.groupBy(keyed, ({ key }) => key);
  return new Map([...groups].map(([key, own]) => [key, own.map(({ entry }) => entry)]));
}

/** Returns the patterns that begin at a token, the longest first. */
export function matchesAt<T>(
  index: Index<T>,
  tokens: readonly Token[],
  at: number,
  end = tokens.length,
): Match<T>[] {
  const keys = at < end ? keysAt(tokens, at) : [];
  const found = keys.flatMap((key) =>
    (index.get(key) ?? []).flatMap(({ elements, meaning }) => {
      const match = matchElements(elements, tokens, at, end);
      return match === null || match.to === at ? [] : [{ meaning, from: at, ...match }];
    }),
  );
  return found.toSorted((a, b) => b.to - a.to);
}

/** Returns the longest phrase that begins at a token. */
export function longestPhrase(
  phrases: Phrases,
  tokens: readonly Token[],
  at: number,
  end: number,
): PhraseMatch | null {
  const found = matchesAt(phrases, tokens, at, end).find(({ exact }) => exact);
  return found === undefined ? null : { ...found, ...found.meaning };
}

/** What may begin an entry: a word and its singular, a mark, or a literal, maybe after a bracket. */
function keysAt(tokens: readonly Token[], at: number): string[] {
  const token = tokens[at];
  if (token?.kind === "word")
    return token.word === token.stem ? [token.word] : [token.word, token.stem];
  if (token?.kind !== "mark") return token === undefined ? [] : [token.kind];
  return OPENERS.includes(token.mark) ? [token.mark, "url"] : [token.mark];
}

type Taken = Pick<Match<unknown>, "to" | "literals" | "exact">;

function matchElements(
  [element, ...rest]: readonly Element[],
  tokens: readonly Token[],
  at: number,
  end: number,
): Taken | null {
  if (element === undefined) return { to: at, literals: [], exact: true };
  const taken = takeElement(element, tokens, at, end);
  const after = taken && matchElements(rest, tokens, taken.to, end);
  if (taken !== null && after !== null)
    return {
      to: after.to,
      literals: [...taken.literals, ...after.literals],
      exact: taken.exact && after.exact,
    };
  return element.optional ? matchElements(rest, tokens, at, end) : null;
}

function takeElement(
  { words, literal, many }: Element,
  tokens: readonly Token[],
  at: number,
  end: number,
): Taken | null {
  if (literal === null) {
    const token = at < end ? tokens[at] : undefined;
    const exact = token !== undefined && words.includes(shownAt(tokens, at));
    const fits = exact || (token?.kind === "word" && words.includes(token.stem));
    return fits ? { to: at + 1, literals: [], exact } : null;
  }
  const literals: Token[] = [];
  let to = at;
  while (many || literals.length === 0) {
    // A bracket or a colon before the first literal, a comma or "and" before the next.
    let next = to;
    const skipped = literals.length > 0 ? JOINERS : literal === "url" ? OPENERS : [];
    while (next < end && skipped.includes(shownAt(tokens, next))) next += 1;
    const token = next < end ? tokens[next] : undefined;
    if (token?.kind !== literal) break;
    literals.push(token);
    to = next + 1;
    if (literal === "url" && to < end && /^[)>]$/.test(shownAt(tokens, to))) to += 1;
  }
  return literals.length === 0 ? null : { to, literals, exact: true };
}

const JOINERS = [..."\n,&;-*•+:(<–—", "and", "then", "or"];
const OPENERS = [..."\n:(<-–—"];

function shownAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.kind === "mark" ? token.mark : wordOf(token) || "?";
}
