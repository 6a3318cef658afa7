import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { keepsLiterals } from "../laws/literals.ts";
import { stemOf, stemsOf, type Token } from "../text/tokens.ts";
import type { Candidate } from "./candidates.ts";
import { itemsOf } from "./chart.ts";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import type { Frame } from "./frame.ts";
import type { Item } from "./items.ts";
import { framesOf } from "./reader.ts";

/** A reading of a question on a candidate. */
export interface Reading {
  candidate: Candidate;
  compiled: Compiled;
  cost: number;
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
  let words: string[] | null = null;
  const sequences = itemsOf(tokens, candidate.facts);
  for (const { items, cost } of sequences) {
    if (!namesKind(items, candidate) || hidesValue(items, candidate)) continue;
    const best = accepted[0];
    if (best !== undefined && cost > best.cost + RIVAL) break;
    for (const frame of framesOf(items, candidate.facts, inherited !== null)) {
      if (!frame.ok) {
        const unknown = items.filter(({ type }) => type === "unknown").map(({ text }) => text);
        const found = unknown.length > 0 ? unknown : [frame.stuck.text];
        if (words === null || found.length < words.length) words = found;
        continue;
      }
      // "The table": nothing but the rows themselves.
      if (items.length === 0) frame.frame.ask = "show";
      const elliptical = inherited !== null && isElliptical(frame.frame, items);
      if (frame.frame.inherits && inherited === null) {
        reason ??= "it is not clear what the pronoun refers to";
        continue;
      }
      const before = frame.frame.inherits || elliptical ? (inherited ?? []) : [];
      for (const compilation of compile(frame.frame, candidate, before)) {
        if (!compilation.ok) {
          reason ??= compilation.reason;
          continue;
        }
        if (!keepsLiterals(items, compilation.compiled)) {
          reason ??= "a number, a date or a name of it has no part in the answer";
          continue;
        }
        const guesses = frame.frame.figures.filter(({ column }) => column === null).length;
        if (candidate.isRecord && !asksForValues(compilation.compiled, candidate)) {
          reason ??= "a page that tells of one thing has no rows to count or compare";
          continue;
        }
        const denotation = denotationOf(compilation.compiled, candidate);
        if (denotation !== null)
          accepted.push({
            candidate,
            compiled: named(compilation.compiled, items, candidate),
            cost: cost + guesses * GUESS,
            pure: isPure(frame.frame),
            denotation,
          });
      }
    }
  }
  return { accepted, words: words ?? [], reason };
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
  const noun =
    items.find((item) => item.type === "row")?.text ??
    (kind === "table" && caption?.endsWith("s") ? caption : null);
  if (noun === null || noun === undefined || noun.length > 40) return compiled;
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
  const labels = new Set(facts.columns.map(({ stems }) => stems.join(" ")));
  return items.some(({ type, text }) => {
    const stem = stemsOf(text).join(" ");
    // "The names of the people" are a column of theirs, not the people.
    const asksForColumn = isRecord || stem === "name" || stem === "title";
    return type === "row" && asksForColumn && labels.has(stem);
  });
}

/** Of records only values are asked, and each of them must have one: a gap would pass for an answer. */
function asksForValues({ shape, operations }: Compiled, candidate: Candidate): boolean {
  const isValues = shape.kind === "table" || shape.kind === "list" || shape.kind === "value";
  const isPlain = operations.every(
    ({ op }) => op === "filter" || op === "select" || op === "distinct",
  );
  const isOne = candidate.facts.rows.length === 1;
  if (!isValues || (isOne && !isPlain)) return false;
  const rows = candidate.run(operations)?.rows ?? [];
  const selects = operations.some(({ op }) => op === "select");
  return !selects || rows.every((row) => row.every((cell) => cell !== null && cell !== ""));
}

function cellsOf(rows: readonly (readonly unknown[])[]): string[][] {
  return rows.map((row) => row.map((cell) => String(cell ?? "").trim()));
}

/** Readings that differ only in the columns that they show are one. */
function withoutColumns(operations: readonly DataOperation[], candidate: Candidate): unknown[][] {
  const at = operations.findLastIndex(({ op }) => op === "select");
  const kept =
    at < 0 || operations.slice(at + 1).some(({ op }) => op !== "distinct")
      ? operations
      : operations.slice(0, at);
  return candidate.run(kept)?.rows ?? [];
}

function denotationOf(compiled: Compiled, candidate: Candidate): string | null {
  const { shape, operations } = compiled;
  const result = candidate.run(operations);
  if (result === null) return null;
  if (shape.kind === "count") return JSON.stringify(["count", result.rows.length]);
  if (shape.kind === "exists") return JSON.stringify(["exists", result.rows.length > 0]);
  const isRows = shape.kind === "table" || shape.kind === "list" || shape.kind === "value";
  const cells = cellsOf(isRows ? withoutColumns(operations, candidate) : result.rows);
  if (shape.kind === "figures") {
    return JSON.stringify([shape.operator, cells, candidate.run(shape.second)?.rows ?? null]);
  }
  if (shape.kind === "every") {
    return JSON.stringify(["every", cells.length === candidate.run(shape.all)?.rows.length]);
  }
  return JSON.stringify(cells);
}
