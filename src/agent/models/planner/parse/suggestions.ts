import { nearestName } from "../../../../lib/zod-messages.ts";
import { lexicon } from "../lexicon/lexicon.ts";
import type { DraftPart, Material } from "../program.ts";
import type { Token } from "../text/tokens.ts";
import { stemsOf } from "../text/words.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { itemsOf } from "./chart.ts";
import type { TableFacts } from "./facts.ts";
import type { Item } from "./items.ts";
import type { Readings } from "./readings.ts";

/** Says why no reading of a request was accepted, and which words nothing explains. */
export function failureOf(
  results: readonly Readings[],
  shown: string,
  tables: number,
): { reason: string; words: string[] } {
  if (tables === 0)
    return { reason: `No table or list was found that "${shown}" can be asked of.`, words: [] };
  const reasons = results.flatMap(({ reason }) => reason ?? []);
  const [closest] = results
    .map(({ words }) => words)
    .filter((words) => words.length > 0)
    .toSorted((a, b) => a.length - b.length);
  const [reason] = reasons;
  if (reason !== undefined)
    return { reason: `"${shown}" was not understood: ${reason}.`, words: [] };
  const words = closest ?? [];
  return { reason: `"${shown}" was not understood.`, words };
}

/** Returns a request with each word that nothing explains replaced by the nearest known one; null if one has none. */
export function corrected(
  tokens: readonly Token[],
  unknown: readonly string[],
  { facts }: Candidate,
): Token[] | null {
  const around = [...facts.columns.map(({ name }) => name), ...facts.nouns, ...facts.values.keys()];
  const known = [
    ...new Set([...around.slice(0, 500).flatMap(stemsOf), ...lexicon().meanings.keys()]),
  ];
  const names = known.filter((name) => name.length > 3);
  const replaced = tokens.map((token): Token | null => {
    if (token.kind !== "word" || !unknown.includes(token.text)) return token;
    const word = token.word.length > 3 ? nearestName(token.stem, names) : undefined;
    return word === undefined ? null : { ...token, text: word, word, stem: word };
  });
  const found = replaced.flatMap((token) => token ?? []);
  return unknown.length === 0 || found.length < tokens.length ? null : found;
}

/** Returns a prompt that works on what was read: the first columns of its largest table. */
export function workingPrompt(candidates: readonly Candidate[]): string | null {
  const [largest] = candidates
    .filter(({ kind }) => kind === "table")
    .toSorted((a, b) => a.tier - b.tier || b.facts.rows.length - a.facts.rows.length);
  const url = largest?.tables[0]?.url ?? null;
  const names = largest?.facts.columns.slice(0, 2).map(({ name }) => name) ?? [];
  return url === null || names.length === 0 ? null : `List the ${names.join(" and ")} on ${url}`;
}

/**
 * Puts the words of a message in the place of the words of the request that are of the same kind: a value
 * of the same column, a column, a figure. If there are none, they are added.
 */
export function varied(
  said: readonly Token[],
  by: readonly Token[],
  { sourceIds }: DraftPart,
  materials: readonly Material[],
): Token[] {
  const read = materials.filter(({ sourceId }) => sourceIds.includes(sourceId));
  for (const { facts } of candidatesOf(read, () => false)) {
    const [wanted] = itemsOf(by, facts);
    const [item, other] = wanted?.items.filter((own) => !namesRows(own, facts)) ?? [];
    if (item === undefined || other !== undefined || item.type === "unknown") continue;
    const like = itemsOf(said, facts)[0]?.items.filter((own) => isLike(own, item)) ?? [];
    const [old, rival] = like;
    if (old === undefined || rival !== undefined) continue;
    const lengthOf = ({ text }: Item) => text.split(" ").length;
    const meant = by.slice(item.from, item.from + lengthOf(item));
    return [...said.slice(0, old.from), ...meant, ...said.slice(old.from + lengthOf(old))];
  }
  return [...said, ...by];
}

function namesRows(item: Item, { key }: TableFacts): boolean {
  return item.type === "row" || (item.type === "column" && item.columns.some((own) => own === key));
}

function isLike(one: Item, other: Item): boolean {
  if (one.type === "value" && other.type === "value") {
    return one.at.some(({ column }) => other.at.some((place) => place.column === column));
  }
  if (one.type === "op" && other.type === "op") return one.op === other.op && one.op === "agg";
  return one.type === other.type && /^(?:column|number|date|adjective|flag|state)$/.test(one.type);
}
