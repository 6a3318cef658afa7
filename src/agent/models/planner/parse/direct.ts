import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type { Answer, Draft, Part, Program, Source, Understanding } from "../program.ts";
import { longestPhrase, type PhraseMatch } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { isBlank } from "./blank.ts";
import { phrasesOfTypes } from "./cover.ts";

/**
 * Reads prompts that need no page: a text to say, a calculation, a figure of numbers in the prompt, and
 * code to run. Returns null for all others.
 */
export function readDirectly(
  tokens: readonly Token[],
  text: string,
  mayResearch: boolean,
): Understanding | null {
  const isOpened = tokens.some(({ kind }) => kind === "url");
  if (isOpened) return null;
  return (
    searchOf(tokens) ??
    (mayResearch ? pricesOf(text) : null) ??
    codeOf(tokens, text) ??
    spoken(tokens) ??
    calculated(tokens) ??
    figureOf(tokens)
  );
}

function programOf(
  part: Pick<Part, "says" | "label" | "answer">,
  sources: Source[] = [],
): Understanding {
  const parts: Part[] = [{ ...part, id: "p1", form: "auto", clean: false }];
  const program: Program = { parts, deliveries: [] };
  return { kind: "program", program, sources };
}

/** The most words that are said without quotes: a longer text is an instruction. */
const MAX_SAID = 8;
/** Words that make a text to say a question. */
const ASKING = /^(?:what|which|who|how|when|where|why|whether|if|:)$/i;

/** "Say hello": the text itself. */
function spoken(tokens: readonly Token[]): Understanding | null {
  const opening = openingOf(tokens, "say");
  if (opening === null) return null;
  const rest = withoutEnd(tokens.slice(opening.to));
  const [only, ...others] = rest;
  if (only === undefined) return null;
  const isQuoted = only.kind === "quote" && others.length === 0;
  const isShort = rest.length <= MAX_SAID && !rest.some(({ text }) => ASKING.test(text));
  const isPlain = rest.every(({ kind }) => /^(?:word|mark|quote)$/.test(kind));
  const isAfterColon = tokens[opening.to - 1]?.text === ":";
  const mayBeSaid = opening.argument === "plain" && isPlain && (isAfterColon || isShort);
  if (!isQuoted && !mayBeSaid) return null;
  const text = isQuoted ? only.value : joined(rest);
  return programOf({ says: `say "${text}"`, label: "Answer", answer: { kind: "literal", text } });
}

/** Joins tokens as they stand in the text. */
function joined(tokens: readonly Token[]): string {
  return tokens.reduce((text, token, index) => {
    const gap = index > 0 && token.start > (tokens[index - 1]?.end ?? 0) ? " " : "";
    return `${text}${gap}${token.kind === "quote" ? token.value : token.text}`;
  }, "");
}

/** Returns the phrase of a type that a prompt begins with, after words that say nothing. */
function openingOf(tokens: readonly Token[], type: string): PhraseMatch | null {
  const start = tokens.findIndex((token) => !isBlank([token]));
  return longestPhrase(phrasesOfTypes(type), tokens, Math.max(0, start), tokens.length);
}

function withoutEnd(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ text }) => !/^[.?!=\n]$/.test(text));
  return tokens.slice(0, last + 1);
}

/** "What is 12 * 7?" */
function calculated(tokens: readonly Token[]): Understanding | null {
  const first = tokens.findIndex(({ kind, text }) => kind === "number" || text === "(");
  const isAsked = isBlank(tokens.slice(0, first)) || openingOf(tokens, "calculate")?.to === first;
  const found = first < 0 || !isAsked ? null : arithmeticOf(withoutEnd(tokens.slice(first)));
  if (found === null) return null;
  const { expression, value } = found;
  const answer: Answer = { kind: "literal", text: `${expression} = ${value}.`, data: value };
  return programOf({ says: `calculate ${expression}`, label: "Result", answer });
}

const FIGURES = ["sum", "average", "max", "min", "median"] as const;

/** "Sum these numbers: 3, 4, 5" */
function figureOf(tokens: readonly Token[]): Understanding | null {
  const opening = openingOf(tokens, "numbers");
  const fn = FIGURES.find((each) => each === opening?.argument);
  if (opening === null || fn === undefined) return null;
  const rest = withoutEnd(tokens.slice(opening.to));
  const numbers = rest.flatMap((token) => (token.kind === "number" ? [token] : []));
  const isList = rest.every(
    ({ kind, text }) => kind === "number" || /^(?:[,;:&|\n]|and)$/i.test(text),
  );
  const units = new Set(numbers.map(({ unit }) => unit));
  if (!isList || numbers.length < 2 || units.size > 1) return null;
  const values = numbers.map(({ value }) => value);
  const operations: DataOperation[] = [
    { op: "aggregate", by: [], aggregates: [{ fn, column: "value" }] },
  ];
  const from = { data: JSON.stringify(values), format: "json" } as const;
  const tables = [{ from, extract: { kind: "json", path: "" } as const, url: null }];
  const of = `${fn} of ${values.join(", ")}`;
  const answer: Answer = { kind: "value", query: { tables, operations } };
  const label = `${of.charAt(0).toUpperCase()}${of.slice(1)}`;
  return programOf({ says: `compute the ${of}`, label, answer });
}

/** The results of a search if the prompt names no number. */
const RESULTS = 10;
const MOST_RESULTS = 20;

/** "Search the web for loose tea": the results as a table. */
function searchOf(tokens: readonly Token[]): Understanding | null {
  const opening = openingOf(tokens, "search");
  const rest = opening === null ? [] : withoutEnd(tokens.slice(opening.to));
  const isPlain = rest.every(({ kind, text }) => kind !== "data" && !/^[.?!,;:]$/.test(text));
  if (rest.length === 0 || rest.length > 20 || !isPlain) return null;
  const query = joined(rest);
  const draft: Draft = {
    sources: [{ kind: "search", id: "s1", query, count: RESULTS }],
    deliveries: [],
    says: [`search the web for "${query}"`],
    needs: ["search_web"],
    parts: [{ id: "p1", sourceIds: ["s1"], request: [], form: "auto" }],
  };
  return { kind: "draft", draft };
}

const PRICES =
  /^\s*(?:please )?(?:find|look up|research)(?: me)? (?<query>(?:the )?(?:top |best |leading )?(?<count>\d{1,2}) [^.,:;?!\n]{3,80} and their (?:pricing|prices?|costs?))[.!]?\s*$/i;

/** "Find the top 3 SaaS companies and their pricing": the results of a search, as far as they tell it. */
function pricesOf(text: string): Understanding | null {
  const { query, count } = PRICES.exec(text)?.groups ?? {};
  if (query === undefined) return null;
  const says = `search the web for "${query}" and list the first ${count} results that tell a price`;
  const answer: Answer = { kind: "prices", sourceId: "s1", count: Number(count) };
  const label = `Search results for "${query}" that tell a price`;
  const search: Source = { kind: "search", id: "s1", query, count: MOST_RESULTS };
  return programOf({ says, label, answer }, [search]);
}

/** "Run this code: …" */
function codeOf(tokens: readonly Token[], text: string): Understanding | null {
  const opening = openingOf(tokens, "code");
  const next = tokens.slice(opening?.to).find(({ text: shown }) => shown !== "\n");
  if (opening === null || next === undefined) return null;
  const fence = /^```[ \t]*(\w*)[^\n]*\n([\s\S]*?)```\s*$/.exec(text.slice(next.start));
  const language = fence?.[1]?.toLowerCase() ?? "";
  if (!["", "js", "javascript", "mjs"].includes(language)) {
    const reason = `The code is ${language}; only JavaScript can be run.`;
    const refusal = { reason, understood: [], words: [], suggestion: null };
    return { kind: "refused", refusal };
  }
  const isFenced = text.slice(next.start).startsWith("```");
  if (isFenced && fence === null) return null;
  const code = (fence?.[2] ?? text.slice(next.start)).trim();
  const sources: Source[] = [{ kind: "code", id: "s1", code }];
  const answer: Answer = { kind: "page", what: "json", sourceIds: ["s1"] };
  const says = "run the code of the prompt";
  return programOf({ says, label: "Result of the code", answer }, sources);
}
