import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type {
  Answer,
  Binding,
  Clean,
  Delivery,
  Draft,
  DraftPart,
  Instruction,
  Material,
  Part,
  Query,
  Surroundings,
  Template,
} from "../program.ts";
import { longestPhrase } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { itemsOf } from "./chart.ts";
import { bindComparison } from "./comparison.ts";
import { phrasesOfTypes } from "./cover.ts";
import type { Item } from "./items.ts";
import { pagePart } from "./page-parts.ts";
import { type Reading, type Readings, RIVAL, readingsOn } from "./readings.ts";
import { tokensOf } from "./understand.ts";

/** What a part came to, or why it did not; a question if several readings differ. */
type Bound =
  | { ok: true; part: Part; reading: Reading | null }
  | { ok: false; reason: string; words: string[]; choices: string[] };

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
        : varied(said, tokens.slice(variation.from, variation.to), draftPart, scene);
    const sources = draftPart.sourceIds.join();
    const whole = bindPart(draftPart, own, scene, rowsOf.get(sources) ?? null);
    const bound =
      whole.ok || whole.choices.length > 0 ? [whole] : (bindEach(draftPart, own, scene) ?? [whole]);
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
  return { kind: "program", program: { parts, deliveries, notes: [] } };
}

/**
 * Puts the words of a message in the place of the words of the request that are of the same kind: a value
 * of the same column, a column, a figure. If there are none, they are added.
 */
function varied(
  said: readonly Token[],
  by: readonly Token[],
  { sourceIds }: DraftPart,
  { materials }: Scene,
): Token[] {
  const read = materials.filter(({ sourceId }) => sourceIds.includes(sourceId));
  for (const { facts } of candidatesOf(read, () => false)) {
    const [wanted] = itemsOf(by, facts);
    const [item, other] = wanted?.items ?? [];
    if (item === undefined || other !== undefined || item.type === "unknown") continue;
    const like = itemsOf(said, facts)[0]?.items.filter((own) => isLike(own, item)) ?? [];
    const [old, rival] = like;
    if (old === undefined || rival !== undefined) continue;
    const length = old.text.split(" ").length;
    return [...said.slice(0, old.from), ...by, ...said.slice(old.from + length)];
  }
  return [...said, ...by];
}

function isLike(one: Item, other: Item): boolean {
  if (one.type === "value" && other.type === "value") {
    return one.at.some(({ column }) => other.at.some((place) => place.column === column));
  }
  if (one.type === "op" && other.type === "op") return one.op === other.op && one.op === "agg";
  return one.type === other.type && /^(?:column|number|date|adjective|flag|state)$/.test(one.type);
}

function unbound(
  { reason, words, choices }: Extract<Bound, { ok: false }>,
  own: readonly Token[],
  parts: readonly Part[],
): Binding {
  const refusal = { reason, understood: parts.map(({ says }) => says), words, suggestion: null };
  if (choices.length === 0) return { kind: "refused", refusal };
  const text = `"${shownText(own)}" can be read in ${choices.length} ways. Which one do you mean?`;
  return { kind: "ask", question: { text, choices: [...new Set(choices)] }, refusal };
}

const shownText = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(" ");

/** Puts the parts that a request was split into in the place of the request. */
function withParts(delivery: Delivery, split: ReadonlyMap<string, string[]>): Delivery {
  const partsOf = (id: string): string[] => split.get(id) ?? [id];
  if (delivery.kind === "file") {
    return {
      ...delivery,
      sheets: delivery.sheets.flatMap(({ name, part }) =>
        partsOf(part).map((id) => ({ name, part: id })),
      ),
    };
  }
  if (delivery.kind === "mail") {
    const body = delivery.body.flatMap(
      (piece): Template =>
        "text" in piece ? [piece] : partsOf(piece.part).map((part) => ({ part })),
    );
    return { ...delivery, body };
  }
  if (delivery.kind !== "request" || delivery.body.kind !== "parts") return delivery;
  const fields = delivery.body.fields.flatMap(({ name, part }) => {
    const ids = partsOf(part);
    return ids.length === 1 ? [{ name, part }] : ids.map((id) => ({ name: id, part: id }));
  });
  return { ...delivery, body: { kind: "parts", fields } };
}

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
  const isSame =
    (right.frame.inherits || right.frame.filters.length > 0) && left.frame.filters.length > 0;
  const isPlain = left.frame.filters.length + right.frame.filters.length === 0;
  return (
    isSame ||
    isPlain ||
    (left.frame.rows > 0 && right.frame.rows > 0) ||
    (left.frame.rows > 0 && right.frame.filters.length > 0)
  );
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
    return compared.ok ? { ...compared, reading: null } : { ...compared, choices: [] };
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
  if (best === undefined)
    return { ok: false, ...failureOf(results, shown, candidates.length), choices: [] };
  const rivals = withoutWholeRecords(accepted.filter(({ cost }) => cost <= best.cost + RIVAL));
  const hasColumns = rivals.some(({ compiled }) =>
    compiled.operations.some(({ op }) => op === "select"),
  );
  const wholeTables = !hasColumns && isBlank(own, ["show", "row", "pronoun"]);
  const distinct = distinctReadings(wholeTables ? [mainTable(rivals) ?? best] : rivals);
  const choices = distinct.map(sayOf);
  const reply = instructions.find(({ answers }) => answers?.includes(`"${shown}"`));
  const picked = reply === undefined ? undefined : pickedBy(reply.text, distinct, choices);
  const chosen = picked ?? (distinct.length === 1 ? distinct[0] : undefined);
  if (chosen !== undefined) return { ok: true, part: partOf(part, chosen, clean), reading: chosen };
  const reason = `"${shown}" can be read in several ways: ${choices.join("; or ")}.`;
  return { ok: false, reason, words: [], choices };
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

/** Returns the reading that a reply chooses: by its number, or by its words. */
function pickedBy(
  reply: string,
  readings: readonly Reading[],
  choices: readonly string[],
): Reading | undefined {
  const number = /^\D{0,12}(\d)\b/.exec(reply.trim())?.[1];
  if (number !== undefined) return readings[Number(number) - 1];
  const folded = reply.trim().toLowerCase().replace(/[.!]$/, "");
  const fitting = readings.filter((_, index) => choices[index]?.toLowerCase().includes(folded));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function failureOf(
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

function sayOf({ compiled, candidate }: Reading): string {
  const pages =
    candidate.scope === "first"
      ? " of the first page"
      : candidate.tables.length > 1
        ? " of all pages"
        : "";
  const caption = candidate.caption === null ? "" : ` in "${candidate.caption}"`;
  return `${compiled.says}${caption}${pages}`;
}

/** Cleaning does all that it can. */
const CLEAN: Clean = { trim: true, dedupe: true, dropEmpty: true, numbers: true };

/** Takes the phrases that have rows cleaned or tables joined out of a request. */
function withoutCleaning(tokens: readonly Token[]): { own: Token[]; clean: Clean | null } {
  const phrases = phrasesOfTypes(["clean", "merge"]);
  const own: Token[] = [];
  let clean: Clean | null = null;
  for (let at = 0; at < tokens.length; at += 1) {
    const found = longestPhrase(phrases, tokens, at, tokens.length);
    const token = tokens[at];
    if (found === null && token !== undefined) own.push(token);
    if (found?.type === "clean") clean = CLEAN;
    if (found !== null) at = found.to - 1;
  }
  return { own, clean };
}

function partOf(draft: DraftPart, reading: Reading, clean: Clean | null = null): Part {
  const { compiled } = reading;
  const urls = [...new Set(reading.candidate.tables.flatMap(({ url }) => url ?? []))];
  const where = urls.length === 0 ? "" : ` (${urls.join(", ")})`;
  return {
    id: draft.id,
    says: `${clean === null ? "" : "clean the rows, and "}${sayOf(reading)}${where}`,
    label: labelOf(compiled.says),
    name: draft.name,
    answer: answerOf(reading),
    form: draft.form,
    clean,
    origin: draft.request[0] ?? { from: 0, to: 0 },
  };
}

/** Returns a title from what is done: "count the rows where X" gives "Number of rows where X". */
function labelOf(says: string): string {
  const noun = says
    .replace(/^count the /, "number of ")
    .replace(/^(?:list|find|look up|compute|check whether there are) (?:the )?/, "")
    .replace(/^add up the /, "total ")
    .replace(/ of the rows$/, "");
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`.slice(0, 120);
}

/** Values of several pages are told with their pages' titles; null if there is nothing to add. */
function withTitles(
  operations: readonly DataOperation[],
  { isRecord, facts }: Candidate,
): DataOperation[] | null {
  const title = facts.columns.find(({ name }) => name === "title");
  const select = operations.at(-1);
  if (!isRecord || facts.rows.length < 2 || title === undefined) return null;
  if (select?.op !== "select" || select.columns.includes(title.name)) return null;
  return [...operations.slice(0, -1), { op: "select", columns: [title.name, ...select.columns] }];
}

function answerOf({ compiled, candidate }: Reading): Answer {
  const query = (operations: DataOperation[]): Query => ({ tables: candidate.tables, operations });
  const { shape, operations } = compiled;
  const titled = withTitles(operations, candidate);
  if (titled !== null && shape.kind === "list") return { kind: "table", query: query(titled) };
  const own = query(titled ?? operations);
  switch (shape.kind) {
    case "table":
    case "list":
    case "value":
      return { kind: shape.kind, query: own };
    case "count":
    case "exists":
      return { kind: shape.kind, query: own, noun: "rows" };
    case "every":
      return { kind: "every", query: own, all: query(shape.all), noun: "rows" };
    case "figures":
      return {
        kind: "figures",
        operator: shape.operator,
        queries: [own, query(shape.second)],
        labels: shape.labels,
      };
  }
}
