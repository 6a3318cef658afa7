import type { DraftPart, Form } from "../program.ts";
import { literalsIn } from "../text/phrases.ts";
import { isBlank } from "./blank.ts";
import { verbAt } from "./clauses.ts";
import type { Shown } from "./comparison.ts";
import type { Cover } from "./cover.ts";
import { type DraftState, REFERENCES, type Stop, stop } from "./draft-state.ts";
import { saveFile } from "./effects.ts";

const FORMS: readonly Form[] = ["table", "list", "number", "json", "csv", "markdown", "text"];
/** Question words that ask the same again. */
const ASKED = ["howmany", "howmuch", "what", "which", "who"];

/** Reads a clause that asks for something of the sources. */
export function dataClause(state: DraftState, cover: Cover, start: number): Stop | null {
  const { clause } = cover;
  const files = cover.take("file");
  if (files.length > 0) cover.takeAt("save", start);
  if (files.length > 0) state.coverObjects(cover, "listing");
  const forms = cover.take("form");
  const form = FORMS.find((each) => forms.some(({ argument }) => argument === each)) ?? "auto";
  let named = false;
  for (const [offset, { kind }] of cover.own().entries()) {
    if (kind !== "data") continue;
    cover.cover(clause.from + offset, clause.from + offset + 1);
    named = true;
  }
  const before = state.context;
  const comparison = comparisonIn(state, cover, start);
  const sourceIds = state.sourcesOf(cover);
  const isElsewhere = sourceIds !== before;
  named ||= isElsewhere;
  const rest = cover.restTokens();
  const compared = comparison === "any" ? (isBlank(rest, REFERENCES) ? null : "all") : comparison;
  if (comparison !== null) state.comparing = compared === null;
  if (compared !== null) {
    state.gathering = false;
    state.addPart({ sourceIds: [...sourceIds], request: cover.rest(), form, comparison: compared });
    return null;
  }
  const last = state.parts.at(-1);
  // "and how many on URL": the question before, of another page.
  const asksAgain = !isBlank(rest, REFERENCES) && isBlank(rest, [...REFERENCES, ...ASKED]);
  if (isElsewhere && last !== undefined && asksAgain) {
    state.addPart({ sourceIds, request: last.request, form: last.form });
    return null;
  }
  const save = (parts: readonly string[]) =>
    files.length > 0 ? saveFile(state, files, parts, clause) : null;
  if (isBlank(rest, [...REFERENCES, "row"])) {
    if (files.length === 0) return blankClause(state, cover, start, form, named);
    // "Name it people.xlsx" makes no second file.
    if (/^(?:name|call|title)$/.test(state.word(start))) return state.unknownEffect(cover);
    const parts = state.lastPartsOr(state.fresh);
    // "Save the table of URL as x.csv": the whole table.
    if (parts.length === 0)
      parts.push(state.addPart({ sourceIds, request: cover.rest(), form: "auto" }).id);
    return save(parts);
  }
  state.gathering = false;
  const verb = verbAt(state.tokens, start);
  const isStep = verb?.kind === "step" || completesGroup(state, last, start);
  // "Which boats go to Oslo, and when?"
  const asksOn = isBlank(rest, ["and", "when", "where"]);
  if (last !== undefined && (asksOn || (isStep && (state.lastWeak || mayGoOn(state, last))))) {
    last.request = [...last.request, ...cover.rest()];
    last.sourceIds = sourceIds;
    if (form !== "auto") last.form = form;
    if (!state.fresh.includes(last.id)) state.fresh.push(last.id);
    return save([last.id]);
  }
  const isEffect = verb?.kind === "effect" && files.length === 0 && governs(state, start);
  if (isEffect && !/^(?:write|make|create|send|text|put|save)$/.test(state.word(start)))
    return state.unknownEffect(cover);
  state.lastWeak = false;
  const part = state.requestPart(cover, form);
  if (part === null) return null;
  part.sourceIds = sourceIds;
  return save([part.id]);
}

const SHOWN: readonly Shown[] = ["added", "removed", "changed", "common", "all"];

/** Returns what a clause about two pages compares; "any" if a later clause says it. */
function comparisonIn(state: DraftState, cover: Cover, start: number): Shown | "any" | null {
  const own = cover.own().flatMap((token) => (token.kind === "url" ? [token.url] : []));
  const known = own.length === 0 || state.gathering ? state.context.length : 0;
  if (new Set(own).size + known !== 2) return null;
  const opened = cover.takeAt("comparing", start);
  const [shown] = cover.take("compare");
  if (shown === undefined) return opened === null ? null : "any";
  const urls = literalsIn([shown], "url").map(({ url }) => state.pageSource(url));
  if (urls.length === 2) state.context = urls;
  return SHOWN.find((kind) => kind === shown.argument) ?? null;
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
  if (next?.kind !== "word") return next !== undefined && next.kind !== "mark";
  return OBJECTS.test(next.text);
}

const FIGURES = /^(?:count|sum|average|add|calculate|compute|give|show|tell|total|how)$/;

/** "group them by kind and count them": the figure belongs to the groups. */
function completesGroup(state: DraftState, last: DraftPart | undefined, start: number): boolean {
  const isGroup = last?.request.some((run) => state.word(state.start(run)) === "group") ?? false;
  return isGroup && FIGURES.test(state.word(start));
}

const LISTS = /^(?:list|show|give|find|get|extract|return|display|collect|pick|select|take)$/;

/** Whether a part began with a step, or asks for rows, so that further steps continue it. */
function mayGoOn(state: DraftState, { request: [first] }: DraftPart): boolean {
  const start = first === undefined ? 0 : state.start(first);
  return verbAt(state.tokens, start)?.kind !== "query" || LISTS.test(state.word(start));
}

const TABLES =
  /^(?:extract|list|show|give|get|return|display|output|convert|scrape|provide|print)$/;
const QUESTIONS = /^(?:is|are|was|were|does|do|did|has|have|can|will|how|why|when|where|who)$/;

/** A clause that only names sources, or asks for the whole table. */
function blankClause(
  state: DraftState,
  cover: Cover,
  start: number,
  form: Form,
  named: boolean,
): Stop | null {
  const word = state.word(start);
  const rest = cover.restTokens().filter(({ kind }) => kind !== "mark");
  // "Is URL up?" asks something, though all its words may pass for filler.
  if (QUESTIONS.test(word))
    return stop("It is not clear what is asked.", { words: rest.map(({ text }) => text) });
  const last = state.parts.at(-1);
  // "Get URL" alone only reads.
  const onlyReads = named && (cover.isCovered(start) || rest.length <= 1);
  if (TABLES.test(word) && !onlyReads && (named || last === undefined)) {
    state.gathering = false;
    state.addPart({ sourceIds: state.context, request: cover.rest(), form });
    state.lastWeak = true;
  } else {
    state.gathering ||= named;
    if (form !== "auto" && last !== undefined) last.form = form;
  }
  return null;
}
