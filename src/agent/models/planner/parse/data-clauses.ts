import type { DraftPart, Form } from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import { isBlank } from "./blank.ts";
import { type Clause, verbAt } from "./clauses.ts";
import { announceComparison, compareClause, comparisonOf, isOfTwo } from "./compare-clauses.ts";
import type { Cover } from "./cover.ts";
import { type DraftState, fileNames, REFERENCES } from "./draft-state.ts";
import { coverFiles, formatOf, saveFile, saveResults } from "./file-clauses.ts";
import { type Stop, stop } from "./stop.ts";

/** Reads a clause that asks for something of the sources. */
export function dataClause(state: DraftState, cover: Cover, start: number): Stop | null {
  const files = coverFiles(cover, start);
  if (files.length > 0) state.coverEdges(cover, ["listing"]);
  const forms = cover.take(["form"]);
  const form = formOf(forms);
  for (const at of dataTokens(state, cover.clause)) cover.cover(at, at + 1);
  const before = state.context;
  const comparison = isOfTwo(state, cover.clause) ? comparisonOf(state, cover, start) : null;
  const sourceIds = state.sourcesOf(cover);
  const rest = cover.restTokens();
  const compared = comparison === "any" ? announceComparison(state, cover) : comparison;
  if (compared !== null) return compareClause(state, cover, form, compared, sourceIds);
  const named = sourceIds !== before || dataTokens(state, cover.clause).length > 0;
  const asked = state.parts.at(-1);
  // "and how many on URL": the question before, of another page.
  if (sourceIds !== before && asked !== undefined && isBlank(rest, [...REFERENCES, ...ASKED])) {
    if (!isBlank(rest, REFERENCES)) {
      state.addPart({ sourceIds, request: asked.request, form: asked.form });
      return null;
    }
  }
  const unnamed = state.deliveries.at(-1);
  const [name] = files.flatMap(fileNames);
  // "Name it people.xlsx": the file that was asked for before.
  if (
    /^(?:name|call|title)$/.test(state.word(start)) &&
    unnamed?.kind === "file" &&
    unnamed.filename === null &&
    name !== undefined
  ) {
    if (formatOf(name, undefined) !== unnamed.format)
      return stop(`${name} is no ${unnamed.format} file.`);
    unnamed.filename = name;
    unnamed.says = `write ${name}`;
    return null;
  }
  if (isBlank(rest, [...REFERENCES, "row"])) {
    if (files.length > 0) return saveResults(state, files, cover);
    return blankClause(state, cover, start, form, named);
  }
  state.gathering = false;
  const verb = verbAt(state.tokens, start);
  const last = state.parts.at(-1);
  const continues =
    verb?.kind === "step" || completesGroup(state, start) || addsUp(state, cover, start);
  if (continues && last !== undefined && (state.lastWeak || isStep(state, last))) {
    last.request = [...last.request, ...cover.rest()];
    last.sourceIds = sourceIds;
    if (form !== "auto") last.form = form;
    if (!state.fresh.includes(last.id)) state.fresh.push(last.id);
    return files.length > 0 ? saveFile(state, files, [last.id], cover) : null;
  }
  const unknownEffect =
    verb?.kind === "effect" &&
    governs(state, start) &&
    files.length === 0 &&
    !/^(?:write|make|create|send|text|put|save)$/.test(state.word(start));
  if (unknownEffect) return state.unknownEffect(cover);
  state.lastWeak = false;
  const part = state.requestPart(cover, form);
  if (part === null) return null;
  part.sourceIds = sourceIds;
  return files.length > 0 ? saveFile(state, files, [part.id], cover) : null;
}

/** Question words that ask the same again. */
const ASKED = ["howmany", "howmuch", "what", "which", "who"];

/** "sum them up" after "how many homes were hit". */
function addsUp(state: DraftState, cover: Cover, start: number): boolean {
  const said = cover
    .restTokens()
    .filter(({ start: at, kind }) => kind === "word" && at >= (state.tokens[start]?.start ?? 0))
    .map(({ text }) => text.toLowerCase())
    .join(" ");
  const isSum =
    /^(?:sum|add|total) (?:them|it|these|those|all|everything)(?: all)?(?: up| together)?$/;
  return isSum.test(said) && state.parts.length > 0;
}

/** Effects whose word is a noun as well: "phone Ann", not "phone number". */
const NOUN_EFFECTS =
  /^(?:phone|book|order|text|message|share|call|schedule|register|post|update|alert|reply|transfer|sign|mail|email|refund|charge|release|change|set|log|mark|ask|move|copy|block|vote|buy|cancel|store|export|import|reserve|approve)$/;
const OBJECTS =
  /^(?:the|a|an|it|them|this|that|those|me|us|him|her|for|my|our|all|up|to|\p{Lu}.*)$/u;

/** Whether a word that may be a noun is a verb, by what follows. */
function governs(state: DraftState, start: number): boolean {
  const next = state.tokens[start + 1];
  if (!NOUN_EFFECTS.test(state.word(start))) return true;
  if (next === undefined || next.kind !== "word") return next !== undefined && next.kind !== "mark";
  return OBJECTS.test(next.text);
}

/** "group them by kind and count them": the figure belongs to the groups. */
function completesGroup(state: DraftState, start: number): boolean {
  const runs = state.parts.at(-1)?.request ?? [];
  const grouping = runs
    .map((run) => state.word(state.start({ ...run, opens: false })))
    .find((word) => word === "group");
  return (
    grouping === "group" &&
    /^(?:count|sum|average|add|calculate|compute|give|show|tell|total|how)$/.test(state.word(start))
  );
}

/** Whether a part began with a step, or asks for rows, so that further steps continue it. */
function isStep(state: DraftState, { request: [first] }: DraftPart): boolean {
  if (first === undefined) return false;
  const start = state.start({ from: first.from, to: first.to, opens: true });
  const verb = verbAt(state.tokens, start);
  return (
    verb?.kind !== "query" ||
    /^(?:list|show|give|find|get|extract|return|display|collect|pick|select|take)$/.test(
      state.word(start),
    )
  );
}

function dataTokens(state: DraftState, { from, to }: Clause): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 1) if (state.tokens[at]?.kind === "data") found.push(at);
  return found;
}

/** A clause that only names sources, or asks for the whole table. */
function blankClause(
  state: DraftState,
  cover: Cover,
  start: number,
  form: Form,
  named: boolean,
): Stop | null {
  const word = state.word(start);
  const wantsTable =
    /^(?:extract|list|show|give|get|return|display|output|convert|scrape|provide|print)$/.test(
      word,
    );
  // "Is URL up?" asks something, though all its words may pass for filler.
  if (/^(?:is|are|was|were|does|do|did|has|have|can|will|how|why|when|where|who)$/.test(word)) {
    return stop("It is not clear what is asked.", {
      words: cover.restTokens().map(({ text }) => text),
    });
  }
  const last = state.parts.at(-1);
  // "Get URL" alone only reads.
  const onlyReads =
    cover.isCovered(start) || cover.restTokens().filter(({ kind }) => kind !== "mark").length <= 1;
  if (!wantsTable || (named && onlyReads)) {
    if (named) state.gathering = true;
    if (form !== "auto" && last !== undefined) last.form = form;
    return null;
  }
  if (!named && last !== undefined) {
    if (form !== "auto") last.form = form;
    return null;
  }
  state.gathering = false;
  state.addPart({ sourceIds: state.context, request: cover.rest(), form });
  state.lastWeak = true;
  return null;
}

const FORMS: readonly Form[] = ["table", "list", "number", "json", "csv", "markdown", "text"];

function formOf(matches: readonly PhraseMatch[]): Form {
  return FORMS.find((form) => matches.some(({ argument }) => argument === form)) ?? "auto";
}
