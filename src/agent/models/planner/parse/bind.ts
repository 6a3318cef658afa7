import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type {
  Binding,
  Draft,
  DraftPart,
  Instruction,
  Material,
  Part,
  Surroundings,
} from "../program.ts";
import { longestPhrase } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { partOf, sayOf, withParts } from "./bound-part.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { bindComparison } from "./comparison.ts";
import { phrasesOfTypes } from "./cover.ts";
import { pagePart } from "./page-parts.ts";
import { type Reading, RIVAL, readingsOn } from "./readings.ts";
import { corrected, failureOf, varied, workingPrompt } from "./suggestions.ts";
import { tokensOf } from "./understand.ts";

/** What a part came to, or why it did not; a question if several readings differ. */
type Bound =
  | { ok: true; part: Part; reading: Reading | null }
  | { ok: false; reason: string; words: string[]; choices: string[]; suggestion: string | null };

interface Scene {
  draft: Draft;
  materials: readonly Material[];
  instructions: readonly Instruction[];
}

/** Binds a draft to what was read. */
export function bind(
  draft: Draft,
  materials: Material[],
  instructions: Instruction[],
  surroundings: Surroundings,
): Binding {
  const tokens = tokensOf(instructions, surroundings.inputs).flat();
  const parts: Part[] = [];
  const rowsOf = new Map<string, DataOperation[]>();
  const split = new Map<string, string[]>();
  const scene = { draft, materials, instructions };
  for (const draftPart of draft.parts) {
    const said = draftPart.request.flatMap(({ from, to }) => tokens.slice(from, to));
    const { variation } = draftPart;
    const own =
      variation === undefined
        ? said
        : varied(said, tokens.slice(variation.from, variation.to), draftPart, materials);
    const sources = draftPart.sourceIds.join();
    const whole = bindPart(draftPart, own, scene, rowsOf.get(sources) ?? null);
    const bound =
      whole.ok || whole.choices.length > 1 ? [whole] : (bindEach(draftPart, own, scene) ?? [whole]);
    for (const one of bound) {
      if (!one.ok) return unbound(one, own, parts);
      parts.push(one.part);
      if (one.reading) rowsOf.set(sources, one.reading.compiled.rows);
    }
    split.set(
      draftPart.id,
      bound.flatMap((one) => (one.ok ? [one.part.id] : [])),
    );
  }
  const deliveries = draft.deliveries.map((delivery) => withParts(delivery, split));
  return { kind: "program", program: { parts, deliveries } };
}

function unbound(
  { reason, words, choices, suggestion }: Extract<Bound, { ok: false }>,
  own: readonly Token[],
  parts: readonly Part[],
): Binding {
  const refusal = { reason, understood: parts.map(({ says }) => says), words, suggestion };
  if (choices.length === 0) return { kind: "refused", refusal };
  const shown = `"${shownText(own)}"`;
  const text =
    choices.length > 1
      ? `${shown} can be read in ${choices.length} ways. Which one do you mean?`
      : `${shown} was not understood. ${reason}`;
  return { kind: "ask", question: { text, choices: [...new Set(choices)] }, refusal };
}

const shownText = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(" ");

/** Operators of which each half of a request must have one, or a superlative. */
const ASKING = /^(?:howmany|count|agg|sup|common|which|what|who|where|when|howmuch|how)$/;

/**
 * Reads "the number of A and the newest B" as two questions; null if the halves are none. Where one of
 * them has a condition, the other must name its rows, or it is not clear whether the condition is of both.
 */
function bindEach(part: DraftPart, own: readonly Token[], scene: Scene): Bound[] | null {
  for (const [at, { text }] of own.entries()) {
    if (!/^(?:and|,|plus|also)$/i.test(text) || at === 0) continue;
    const left = bindPart(part, own.slice(0, at), scene, null);
    if (!left.ok || left.reading === null || !asks(left.reading)) continue;
    const rest = own.slice(at + 1);
    const other = { ...part, id: `${part.id}+` };
    const right = bindPart(other, rest, scene, left.reading.compiled.rows);
    const halves = right.ok ? [right] : bindEach(other, rest, scene);
    const clear = halves?.every(
      (half) =>
        half.ok &&
        half.reading !== null &&
        asks(half.reading) &&
        areClear(left.reading, half.reading),
    );
    if (halves !== null && clear) return [left, ...halves];
  }
  return null;
}

function asks({ items }: Reading): boolean {
  return items.some(
    (item) =>
      (item.type === "op" && ASKING.test(item.op)) ||
      (item.type === "adjective" && item.degree === "superlative"),
  );
}

function areClear(left: Reading | null, right: Reading): boolean {
  if (left === null) return false;
  const filtered = [left, right].filter(({ frame }) => frame.filters.length > 0).length;
  const areNamed = namesRows(left) && (namesRows(right) || right.frame.filters.length > 0);
  const goesOn = right.frame.inherits && filtered > 0;
  return filtered === 0 || filtered === 2 || goesOn || areNamed;
}

function namesRows({ frame: { rows, wants }, candidate: { facts }, items }: Reading): boolean {
  // "woodcuts" of a cell "Woodcut" are rows.
  const isPlural = items.some(
    (item) =>
      item.type === "value" &&
      item.at.every(({ value }) => /s$/i.test(item.text) && !/s$/i.test(value)),
  );
  return rows > 0 || isPlural || wants.some((column) => column === facts.key);
}

function bindPart(
  part: DraftPart,
  asked: readonly Token[],
  { draft, materials, instructions }: Scene,
  inherited: readonly DataOperation[] | null,
): Bound {
  const { own, clean } = withoutCleaning(asked);
  const fact = pagePart(part, materials, own);
  if (fact !== null) return { ok: true, part: fact, reading: null };
  if (part.comparison !== undefined) {
    const compared = bindComparison(part, part.comparison, materials, own);
    return compared.ok
      ? { ...compared, reading: null }
      : { ...compared, choices: [], suggestion: null };
  }
  const shown = shownText(own);
  const read = materials.filter(({ sourceId }) => part.sourceIds.includes(sourceId));
  const isOpen = (id: string) => {
    const source = draft.sources.find((candidate) => candidate.id === id);
    const isUnsaid = source?.kind === "page" && source.paging.kind === "unsaid";
    return isUnsaid && !source.hops.some(({ which }) => which === "each");
  };
  const candidates = candidatesOf(read, isOpen).filter(({ sourceIds }) =>
    part.sourceIds.every((id) => sourceIds.has(id)),
  );
  const results = candidates.map((candidate) => readingsOn(own, candidate, inherited));
  const accepted = ofBestTier(results.flatMap((result) => result.accepted));
  const [best] = accepted;
  const reply = instructions.find(({ answers }) => answers?.includes(`"${shown}"`))?.text;
  if (best === undefined) {
    const failure = failureOf(results, shown, candidates.length);
    const meant = respelled(own, failure.words, candidates);
    if (meant === null) {
      return { ok: false, ...failure, choices: [], suggestion: workingPrompt(candidates) };
    }
    const choices = [sayOf(meant.reading)];
    if (reply !== undefined && pickedBy(reply, [meant.reading], choices) !== undefined) {
      return bindPart(part, meant.tokens, { draft, materials, instructions }, inherited);
    }
    const { text, suggestion } = meant;
    return { ok: false, ...failure, reason: `Did you mean: "${text}"?`, choices, suggestion };
  }
  const rivals = withoutWholeRecords(accepted.filter(({ cost }) => cost <= best.cost + RIVAL));
  const hasColumns = rivals.some(({ compiled }) =>
    compiled.operations.some(({ op }) => op === "select"),
  );
  const wholeTables = !hasColumns && isBlank(own, ["show", "row", "pronoun"]);
  const distinct = distinctReadings(wholeTables ? [mainTable(rivals) ?? best] : rivals);
  const choices = distinct.map(sayOf);
  const picked = reply === undefined ? undefined : pickedBy(reply, distinct, choices);
  const chosen = picked ?? (distinct.length === 1 ? distinct[0] : undefined);
  if (chosen !== undefined) return { ok: true, part: partOf(part, chosen, clean), reading: chosen };
  const reason = `"${shown}" can be read in several ways: ${choices.join("; or ")}.`;
  return { ok: false, reason, words: [], choices, suggestion: choices[0] ?? null };
}

/** A request with its unknown words spelled as known ones. */
interface Respelled {
  tokens: Token[];
  text: string;
  reading: Reading;
  suggestion: string;
}

/** Spells unknown words as known ones; null if that is not accepted either. */
function respelled(
  own: readonly Token[],
  words: readonly string[],
  candidates: readonly Candidate[],
): Respelled | null {
  for (const candidate of candidates) {
    const tokens = corrected(own, words, candidate);
    const [reading] = tokens === null ? [] : readingsOn(tokens, candidate, null).accepted;
    if (tokens === null || reading === undefined) continue;
    const text = shownText(tokens);
    const url = candidate.tables[0]?.url ?? null;
    return { tokens, text, reading, suggestion: url === null ? text : `${text} (${url})` };
  }
  return null;
}

/** How much better a reading of a lower tier must explain the words. */
const TIER = 0.9;

/** Returns the readings on tables if there are any, unless others explain the words much better. */
function ofBestTier(readings: readonly Reading[]): Reading[] {
  const sorted = readings
    .map((reading) => ({ reading, rank: reading.cost + tierOf(reading) * TIER }))
    .toSorted((a, b) => a.rank - b.rank);
  const [best] = sorted;
  if (best === undefined) return [];
  const tier = tierOf(best.reading);
  return sorted
    .filter(({ reading }) => tierOf(reading) === tier)
    .map(({ reading }) => reading)
    .toSorted((a, b) => a.cost - b.cost);
}

/** What is asked of one record are its values: where a column is named, the whole is not meant. */
function withoutWholeRecords(readings: readonly Reading[]): readonly Reading[] {
  const isWhole = ({ candidate, compiled }: Reading) =>
    candidate.isRecord && compiled.operations.every(({ op }) => op === "filter");
  const isValue = ({ candidate, compiled }: Reading) =>
    candidate.isRecord && compiled.operations.some(({ op }) => op === "select");
  return readings.some(isValue) ? readings.filter((reading) => !isWhole(reading)) : readings;
}

/** All links or addresses of a page are meant before a column of a table that has some. */
function tierOf({ candidate, pure }: Reading): number {
  const { kind, tier } = candidate;
  return pure && (kind === "links" || kind === "emails" || kind === "headings") ? -1 : tier;
}

/**
 * Returns one reading for each answer that readings come to. Of readings with the same rows, one that shows
 * all columns of another replaces it.
 */
function distinctReadings(readings: readonly Reading[]): Reading[] {
  const distinct: Reading[] = [];
  for (const reading of readings) {
    const own = columnsOf(reading);
    const at = distinct.findIndex((known) => {
      const columns = columnsOf(known);
      const isWithin = (names: readonly string[], others: readonly string[]) =>
        names.every((name) => others.includes(name));
      const showWanted = isWithin(known.wants, own) && isWithin(reading.wants, columns);
      const isSame = showWanted || isWithin(own, columns) || isWithin(columns, own);
      return known.denotation === reading.denotation && isSame;
    });
    const known = distinct[at];
    if (known === undefined) distinct.push(reading);
    // What is asked of one record are its values, not the whole.
    else if (
      !reading.candidate.isRecord &&
      own.length > columnsOf(known).length &&
      reading.cost <= known.cost + (isListing(known) && reading.wants.length === 0 ? 0.25 : 0.05)
    ) {
      distinct[at] = reading;
    }
  }
  return distinct;
}

/** Whether rows are to be listed, so that "the orders" may be all that is known of them. */
function isListing({ frame: { ask }, wants }: Reading): boolean {
  return (ask === "show" || ask === null) && wants.length === 1;
}

function columnsOf({ candidate, compiled }: Reading): string[] {
  return candidate.run(compiled.operations)?.columns ?? [];
}

/** The table that a page is about: it has at least twice as many cells as any other. */
function mainTable(readings: readonly Reading[]): Reading | null {
  const size = ({ candidate }: Reading) =>
    candidate.facts.rows.length * candidate.facts.columns.length;
  const tables = readings.filter(({ candidate }) => candidate.kind === "table");
  const [largest, second] = tables.toSorted((a, b) => size(b) - size(a));
  if (largest === undefined) return null;
  return second === undefined ||
    second.candidate === largest.candidate ||
    size(largest) >= size(second) * 2
    ? largest
    : null;
}

/** Returns the reading that a reply chooses: by its number, by its words, or the only one by "yes". */
function pickedBy(
  reply: string,
  readings: readonly Reading[],
  choices: readonly string[],
): Reading | undefined {
  const number = /^\D{0,12}(\d)\b/.exec(reply.trim())?.[1];
  if (number !== undefined) return readings[Number(number) - 1];
  if (/^no\b/i.test(reply.trim())) return undefined;
  if (/^(?:y|yes|yep|ok|okay|sure|right|correct|exactly)\b/i.test(reply.trim())) {
    return readings.length === 1 ? readings[0] : undefined;
  }
  const folded = reply.trim().toLowerCase().replace(/[.!]$/, "");
  const fitting = readings.filter((_, index) => choices[index]?.toLowerCase().includes(folded));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Takes the phrases that have rows cleaned or tables joined out of a request. */
function withoutCleaning(tokens: readonly Token[]): { own: Token[]; clean: boolean } {
  const phrases = phrasesOfTypes("clean merge");
  const own: Token[] = [];
  let clean = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const found = longestPhrase(phrases, tokens, at, tokens.length);
    const token = tokens[at];
    if (found === null && token !== undefined) own.push(token);
    if (found?.type === "clean") clean = true;
    if (found !== null) at = found.to - 1;
  }
  return { own, clean };
}
