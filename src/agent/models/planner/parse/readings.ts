import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { keepsLiterals } from "../laws/literals.ts";
import type { Token } from "../text/tokens.ts";
import { stemOf, stemsOf } from "../text/words.ts";
import type { Candidate } from "./candidates.ts";
import { itemsOf, TOPIC_COST } from "./chart.ts";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import type { Frame } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import { framesOf } from "./reader.ts";

/** A reading of a question on a candidate. */
export interface Reading {
  candidate: Candidate;
  compiled: Compiled;
  cost: number;
  /** The columns that the words name to be shown. */
  wants: string[];
  frame: Frame;
  items: readonly Item[];
  /** What it answers, to compare readings by what they come to. */
  denotation: string;
  /** Whether it asks for nothing but the rows as they are: "all links". */
  pure: boolean;
}

/** All readings of a question, and what stood in the way of the others. */
export interface Readings {
  accepted: Reading[];
  /** Words that nothing explains, of the candidate that explains most. */
  words: string[];
  reason: string | null;
}

/** How much dearer than the best a reading may be and still count. */
export const RIVAL = 0.5;

/** Reads a question on a candidate in every way that the laws accept. */
export function readingsOn(
  tokens: readonly Token[],
  candidate: Candidate,
  inherited: readonly DataOperation[] | null,
): Readings {
  const accepted: Reading[] = [];
  let reason: string | null = null;
  let words: string[] = [];
  let cheapest = Number.POSITIVE_INFINITY;
  const { facts, run } = candidate;
  for (const { items: found, cost } of itemsOf(tokens, facts)) {
    const items = joined(found);
    if (!namesKind(items, candidate) || hidesValue(items, candidate)) continue;
    if (cost > Math.min(accepted[0]?.cost ?? cheapest, cheapest) + RIVAL) break;
    const unknown = items.filter(({ type }, at) => type === "unknown" && !isSpelled(items[at - 1]));
    const read = unknown.length > 0 ? null : framesOf(items, facts, inherited !== null);
    if (read?.ok !== true) {
      const stuck = read === null ? unknown.map(({ text }) => text) : [read.stuck.text];
      if (words.length === 0 || stuck.length < words.length) words = stuck;
      continue;
    }
    for (const given of read.frames) {
      // "The table": nothing but the rows themselves.
      const isBare = items.length === 0 && cost < TOPIC_COST;
      // "And how many are there?": of the rows that were found before.
      const recounts =
        given.ask === "howmany" && items.every((item) => isOp(item, "show", "howmany"));
      const inherits = given.inherits || (recounts && inherited !== null);
      const frame = { ...given, ask: isBare ? "show" : given.ask, inherits };
      if (inherits && inherited === null) {
        reason ??= "it is not clear what the pronoun refers to";
        continue;
      }
      const isContinued = inherits || isElliptical(frame, items);
      const compilation = compile(frame, facts, run, isContinued ? (inherited ?? []) : []);
      // A word that governs nothing is misread; what another law refuses is not read in a far-fetched way.
      const isMisread = typeof compilation === "string" && compilation.startsWith('"');
      if (!isMisread) cheapest = Math.min(cheapest, cost);
      if (typeof compilation === "string") reason ??= compilation;
      for (const compiled of typeof compilation === "string" ? [] : compilation) {
        const denotation = denotationOf(compiled, candidate);
        const flaw = flawOf(compiled, items, candidate);
        reason ??= flaw;
        if (flaw !== null || denotation === null) continue;
        const guesses = frame.figures.filter(({ column }) => column === null).length;
        accepted.push({
          candidate,
          compiled: named(compiled, items, candidate),
          cost: cost + guesses * GUESS,
          pure: isPure(frame),
          wants: frame.wants.map(({ name }) => name),
          frame,
          items,
          denotation,
        });
      }
    }
  }
  return { accepted, words, reason };
}

/** Joins words of one column: "weekly price" of "Per week", "disk usage" of "Disk (%)". */
function joined(items: readonly Item[]): Item[] {
  const kept: Item[] = [];
  for (const [at, item] of items.entries()) {
    const last = kept.at(-1);
    const isBeside = last?.type === "column" && item.lead.length === 0;
    const both =
      isBeside && item.type === "column"
        ? last.columns.filter((own) => item.columns.includes(own))
        : [];
    const text = `${last?.text} ${item.text}`;
    if (isBeside && both.length > 0) kept.splice(-1, 1, { ...last, columns: both, text });
    // "stock times price" is no name of one column.
    else if (!(isBeside && isOp(item, "colnoun")) || isTerm(items[at + 1])) kept.push(item);
  }
  return kept;
}

function isTerm(item: Item | undefined): boolean {
  return item?.lead.length === 0 && !/^(?:op|value|number|quote)$/.test(item.type);
}

/** Whether an unknown word may follow an item: it is a text to look for. */
function isSpelled(before: Item | undefined): boolean {
  return isOp(before, "contains", "starts", "ends");
}

function flawOf(compiled: Compiled, items: readonly Item[], candidate: Candidate): string | null {
  if (!keepsLiterals(items, compiled)) {
    return "a number, a date or a name of it has no part in the answer";
  }
  const isWrongKind = candidate.isRecord && !asksForValues(compiled, candidate);
  return isWrongKind ? "a page about one thing has no rows to count or compare" : null;
}

/** What a figure whose column is not named costs. */
const GUESS = 0.8;

function isPure({ wants, filters, figures, group, extreme, orders }: Frame): boolean {
  return (
    wants.length + filters.length + figures.length + group.length + orders.length === 0 &&
    extreme === null
  );
}

/** Says the prompt's own noun for the rows. */
function named(compiled: Compiled, items: readonly Item[], { caption, kind }: Candidate): Compiled {
  const row = items.find(({ type, text }) => type === "row" && !/thing$|^ones?$/i.test(text));
  const noun = row?.text ?? (kind === "table" && caption?.endsWith("s") ? caption : "");
  if (noun === "" || noun.length > 40) return compiled;
  const plural = noun.toLowerCase();
  const says = compiled.says
    .replace(/\brows\b/g, plural.endsWith("s") ? plural : `${plural} rows`)
    .replace(/\brow\b/g, stemOf(plural));
  return { ...compiled, says };
}

/** "Then show the first two" and "give me name and rent" go on with the rows of the part before. */
function isElliptical(
  { ask, filters, figures, group, wants, orders, limit, extreme }: Frame,
  items: readonly Item[],
): boolean {
  const rows = items.filter((item) => item.type === "row" && !item.isKey).length;
  const isPlain = rows + filters.length + figures.length + group.length === 0;
  const arranges = wants.length + orders.length > 0 || limit !== null;
  return (
    isPlain && arranges && (ask === "show" || ask === null) && (extreme === null || extreme.alone)
  );
}

/** Headings, links and the like are only meant if they are named: "items" or "results" name none. */
function namesKind(items: readonly Item[], { kind, facts }: Candidate): boolean {
  if (kind === "table") return true;
  return items.some(
    ({ type, text }) => type === "row" && stemsOf(text).some((stem) => facts.nouns.has(stem)),
  );
}

/** Of one record, a word that is a label asks for its value, not for the record. */
function hidesValue(items: readonly Item[], { isRecord, facts }: Candidate): boolean {
  const labels = facts.columns.map(({ stems }) => stems.join(" "));
  const isNaming = (stem: string) => stem === "name" || stem === "title";
  return items.some(({ type, text }) => {
    const stem = stemsOf(text).join(" ");
    // "The names of the people" are a column of theirs, not the people.
    const hides = isRecord ? labels.includes(stem) : isNaming(stem) && labels.some(isNaming);
    return type === "row" && hides;
  });
}

/** Of records only values are asked, and each of them must have one: a gap would pass for an answer. */
function asksForValues({ shape, operations }: Compiled, candidate: Candidate): boolean {
  const isOne = candidate.facts.rows.length === 1;
  const isPlain = operations.every(({ op }) => /^(?:filter|select|distinct)$/.test(op));
  if (isOne && !isPlain) return false;
  if (!/^(?:table|list|value)$/.test(shape.kind)) return isOne && shape.kind === "exists";
  const rows = candidate.run(operations)?.rows ?? [];
  const selects = operations.some(({ op }) => op === "select");
  return !selects || rows.every((row) => row.every((cell) => cell !== null && cell !== ""));
}

/** What a reading comes to. Readings that differ only in the columns that they show come to the same. */
function denotationOf({ shape, operations }: Compiled, candidate: Candidate): string | null {
  const isRows = shape.kind === "table" || shape.kind === "list" || shape.kind === "value";
  const at = operations.findLastIndex(({ op }) => op === "select");
  const isLast = at >= 0 && operations.slice(at + 1).every(({ op }) => op === "distinct");
  const rowsOf = (own: readonly DataOperation[]) => candidate.run(own)?.rows ?? null;
  const rows = rowsOf(operations);
  if (rows === null) return null;
  if (shape.kind === "count" || shape.kind === "exists")
    return JSON.stringify([shape.kind, shape.kind === "count" ? rows.length : rows.length > 0]);
  if (shape.kind === "every")
    return JSON.stringify(["every", rows.length === rowsOf(shape.all)?.length]);
  const shown = isRows && isLast ? (rowsOf(operations.slice(0, at)) ?? []) : rows;
  const cells = shown.map((row) => row.map((cell) => String(cell ?? "").trim()));
  return JSON.stringify(shape.kind === "share" ? [cells, rowsOf(shape.second)] : cells);
}
