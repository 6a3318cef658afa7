import type { JsonObject } from "../../../../contract/json.ts";
import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type {
  Binding,
  Delivery,
  Draft,
  DraftPart,
  Instruction,
  Material,
  Part,
  Threshold,
} from "../program.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { partOf, sayOf } from "./bound-part.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { bindComparison } from "./comparison.ts";
import { Cover } from "./cover.ts";
import { pagePart } from "./page-parts.ts";
import { type Reading, RIVAL, readingsOn } from "./readings.ts";
import { corrected, failureOf, varied, workingPrompt } from "./suggestions.ts";
import { thresholdOf } from "./threshold.ts";
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
  inputs: JsonObject | null,
): Binding {
  const tokens = tokensOf(instructions, inputs).flat();
  const parts: Part[] = [];
  const rowsOf = new Map<string, DataOperation[]>();
  const scene = { draft, materials, instructions };
  const thresholds = new Map<string, Threshold>();
  for (const draftPart of draft.parts) {
    const said = draftPart.request.flatMap(({ from, to }) => tokens.slice(from, to));
    const { variation } = draftPart;
    const own =
      variation === undefined
        ? said
        : varied(said, tokens.slice(variation.from, variation.to), draftPart, materials);
    const sources = draftPart.sourceIds.join();
    const whole = bindPart(draftPart, own, scene, rowsOf.get(sources) ?? null);
    const isCondition = draft.deliveries.some(({ when }) => when?.part === draftPart.id);
    const limited = isCondition && !whole.ok ? bindThreshold(draftPart, own, scene) : null;
    if (limited !== null) thresholds.set(draftPart.id, limited.threshold);
    const bound = limited?.bound ?? whole;
    if (!bound.ok) return unbound(bound, own, parts);
    parts.push(bound.part);
    if (bound.reading) rowsOf.set(sources, bound.reading.compiled.rows);
  }
  const deliveries = draft.deliveries.map((delivery): Delivery => {
    const { when } = delivery;
    const holds = thresholds.get(when?.part ?? "");
    const own = when !== null && holds !== undefined ? { ...when, holds } : when;
    return { ...delivery, when: own };
  });
  return { kind: "program", program: { parts, deliveries } };
}

/** Binds a condition as a question for one figure and the test that it must pass. */
function bindThreshold(part: DraftPart, own: readonly Token[], scene: Scene) {
  const found = thresholdOf(own);
  const bound = found === null ? null : bindPart(part, found.asked, scene, null);
  const isFigure = bound?.ok && /^(?:value|count)$/.test(bound.part.answer.kind);
  return found !== null && isFigure ? { threshold: found.threshold, bound } : null;
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

function bindPart(
  part: DraftPart,
  asked: readonly Token[],
  { draft, materials, instructions }: Scene,
  inherited: readonly DataOperation[] | null,
): Bound {
  const cover = new Cover(asked, { from: 0, to: asked.length, opens: true });
  const clean = cover.take("clean merge").some(({ type }) => type === "clean");
  const own = cover.restTokens();
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
    if (meant === null)
      return { ok: false, ...failure, choices: [], suggestion: workingPrompt(candidates) };
    const choices = [sayOf(meant.reading)];
    if (reply !== undefined && pickedBy(reply, [meant.reading], choices) !== undefined)
      return bindPart(part, meant.tokens, { draft, materials, instructions }, inherited);
    const text = shownText(meant.tokens);
    const url = meant.reading.candidate.tables[0]?.url ?? null;
    const suggestion = url === null ? text : `${text} (${url})`;
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

/** Spells unknown words of a request as known ones; null if that is not accepted either. */
function respelled(
  own: readonly Token[],
  words: readonly string[],
  candidates: readonly Candidate[],
): { tokens: Token[]; reading: Reading } | null {
  for (const candidate of candidates) {
    const tokens = corrected(own, words, candidate);
    const [reading] = tokens === null ? [] : readingsOn(tokens, candidate, null).accepted;
    if (tokens !== null && reading !== undefined) return { tokens, reading };
  }
  return null;
}

/** How much better a reading of a lower tier must explain the words. */
const TIER = 0.9;

/** All links or addresses of a page are meant before a column of a table that has some. */
function tierOf({ candidate: { kind, tier }, pure }: Reading): number {
  return pure && /^(?:links|emails|headings)$/.test(kind) ? -1 : tier;
}

/** Returns the readings on tables if there are any, unless others explain the words much better. */
function ofBestTier(readings: readonly Reading[]): Reading[] {
  const rankOf = (reading: Reading) => reading.cost + tierOf(reading) * TIER;
  const [best] = readings.toSorted((a, b) => rankOf(a) - rankOf(b));
  return readings
    .filter((reading) => best !== undefined && tierOf(reading) === tierOf(best))
    .toSorted((a, b) => a.cost - b.cost);
}

/** What is asked of one record are its values: where a column is named, the whole is not meant. */
function withoutWholeRecords(readings: readonly Reading[]): readonly Reading[] {
  const isWhole = ({ candidate, compiled }: Reading) =>
    candidate.isRecord && compiled.operations.every(({ op }) => op === "filter");
  const selects = readings.some(
    ({ candidate, compiled }) =>
      candidate.isRecord && compiled.operations.some(({ op }) => op === "select"),
  );
  return selects ? readings.filter((reading) => !isWhole(reading)) : readings;
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
    // Where rows are to be listed, "the orders" may be all that is known of them.
    const isListing = /^(?:show|null)$/.test(String(known?.frame.ask)) && known?.wants.length === 1;
    const tolerance = isListing && reading.wants.length === 0 ? 0.25 : 0.05;
    if (known === undefined) distinct.push(reading);
    // What is asked of one record are its values, not the whole.
    else if (
      !reading.candidate.isRecord &&
      own.length > columnsOf(known).length &&
      reading.cost <= known.cost + tolerance
    )
      distinct[at] = reading;
  }
  return distinct;
}

function columnsOf({ candidate, compiled }: Reading): string[] {
  return candidate.run(compiled.operations)?.columns ?? [];
}

/** The table that a page is about: it has at least twice as many cells as any other. */
function mainTable(readings: readonly Reading[]): Reading | null {
  const size = ({ candidate: { facts, kind } }: Reading) =>
    kind === "table" ? facts.rows.length * facts.columns.length : 0;
  const [largest, second] = readings.toSorted((a, b) => size(b) - size(a));
  if (largest === undefined || size(largest) === 0) return null;
  const isMain = second === undefined || second.candidate === largest.candidate;
  return isMain || size(largest) >= size(second) * 2 ? largest : null;
}

/** Returns the reading that a reply chooses: by its number, by its words, or the only one by "yes". */
function pickedBy(
  reply: string,
  readings: readonly Reading[],
  choices: readonly string[],
): Reading | undefined {
  const folded = reply.trim().toLowerCase().replace(/[.!]$/, "");
  const number = /^\D{0,12}(\d)\b/.exec(folded)?.[1];
  if (number !== undefined) return readings[Number(number) - 1];
  if (/^no\b/.test(folded)) return undefined;
  const isYes = /^(?:y|yes|yep|ok|okay|sure|right|correct|exactly)\b/.test(folded);
  const fitting = readings.filter(
    (_, index) => isYes || choices[index]?.toLowerCase().includes(folded),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}
