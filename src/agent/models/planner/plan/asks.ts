import type { HttpRequestInput } from "../../../../contract/tools/http-request.ts";
import type { Reading } from "../language/reading.ts";
import { droppedAddresses, droppedWants, mergeWants, pagesLimit, replaces } from "./changes.ts";
import { type Clause, pagedHop, says } from "./clause.ts";
import { questionsOf } from "./questions.ts";
import { writes } from "./request.ts";
import type { Ask, Hop, Want } from "./types.ts";

/** An ask in the making. */
export interface Draft {
  urls: number[];
  blocks: number[];
  request: HttpRequestInput | null;
  hops: Hop[];
  before: Want[];
  wants: Want[];
  texts: string[];
  /** The sentences in full. */
  said: string[];
  paths: string[];
}

const newDraft = (): Draft => ({
  urls: [],
  blocks: [],
  request: null,
  hops: [],
  before: [],
  wants: [],
  texts: [],
  said: [],
  paths: [],
});

function sameWants(left: Want[], right: Want[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

const JSON_PATH =
  /(?<![\w/.@-])[A-Za-z_$][\w$-]*(?:\[\d{1,6}\]|\[\*\]|\.[A-Za-z_$*][\w$-]*){1,10}(?![\w/(@])/g;

/** Adds one sentence to the asks: it starts a new one, or goes on with the last. */
export function addClause(asks: Draft[], clause: Clause, addresses: string[]): void {
  const { sentence } = clause;
  const followUp = sentence.message > 0;
  const last = asks.at(-1);
  const speaks = clause.before.length + clause.after.length > 0 || says(clause.text);
  if (followUp && last !== undefined && changed(asks, last, clause, addresses)) return;
  const starts =
    last === undefined ||
    (clause.request !== null && last.request !== null) ||
    (sentence.urls.length > 0 &&
      last.urls.length > 0 &&
      speaks &&
      (last.wants.length > 0 || last.texts.some(says)) &&
      !(last.hops.length === 0 && sameWants(last.wants, clause.after) && clause.hops.length === 0));
  const ask = starts ? newDraft() : last;
  if (starts) asks.push(ask);
  ask.urls = [...new Set([...ask.urls, ...sentence.urls])];
  ask.blocks = [...new Set([...ask.blocks, ...sentence.blocks])];
  ask.request ??= clause.request;
  if (clause.hops.length > 0) {
    ask.before = mergeWants(ask.before, [...ask.wants, ...clause.before]);
    ask.wants = clause.after;
    ask.hops.push(...clause.hops);
  } else {
    ask.wants = mergeWants(ask.wants, clause.after);
  }
  ask.texts.push(clause.text);
  ask.said.push(sentence.text);
  ask.paths.push(...(sentence.raw.match(JSON_PATH) ?? []));
}

const COUNTS = /\bhow many\b|\b(?:the )?number of\b|\bcount\b/;

/** Applies a follow-up that takes back or replaces something; tells whether that was all of it. */
function changed(asks: Draft[], last: Draft, clause: Clause, addresses: string[]): boolean {
  const { text, urls } = clause.sentence;
  const used = asks.flatMap((ask) => ask.urls);
  const dropped = droppedAddresses(text, addresses, used);
  const limit = pagesLimit(text);
  for (const ask of asks) {
    ask.urls = ask.urls.filter((at) => !dropped.includes(at));
    const unwanted = droppedWants(text);
    ask.wants = ask.wants.filter((want) => !unwanted.includes(want.kind));
    if (limit === null || dropped.length > 0) continue;
    ask.hops = ask.hops.map((hop) => (hop.kind === "pages" ? { ...hop, limit } : hop));
  }
  // Rows asked for after a count take its place.
  const { form } = clause;
  const rows = (form === "table" || form === "csv" || form === "xlsx") && !COUNTS.test(text);
  if (rows) last.texts = last.texts.map((said) => said.replace(COUNTS, "list"));
  const fresh = urls.filter((at) => !dropped.includes(at));
  const replacing = replaces(text);
  const wants = clause.after.filter((want) => !droppedWants(text).includes(want.kind));
  if (replacing && fresh.length > 0 && dropped.length === 0) last.urls = [];
  if (fresh.length > 0 && wants.length === 0 && clause.hops.length === 0) {
    last.urls = [...new Set([...last.urls, ...fresh])];
    if (says(clause.text)) last.texts.push(clause.text);
    return true;
  }
  if (dropped.length > 0 || (limit !== null && last.hops.some((hop) => hop.kind === "pages"))) {
    last.urls = [...new Set([...last.urls, ...fresh])];
    return wants.length === 0;
  }
  if (replacing && wants.length > 0 && fresh.length === 0) {
    last.wants = wants;
    last.texts = [clause.text];
    last.hops.push(...clause.hops);
    return true;
  }
  clause.sentence = { ...clause.sentence, urls: fresh };
  clause.after = wants;
  return false;
}

/** Words that make the request; what is left asks about its answer. */
const REQUEST_WORDS =
  /\b(?:post|put|patch|delete|head|send|sending|submit|make|do|perform|issue|requests?|body|payload|message|text|with|call|api|endpoint|http|to|the|this|that|a|an|following|header|set|json|data|please|str\d+_|blk\d+_)\b(?= |$)/g;

/** Words that ask for something of the answer. */
const READS =
  /\b(?:tell|give|return|show|list|get|extract|what|which|report|print|count|how|find|say|read|check|if|whether|only|first|sort(?:ed)?|as (?:an? )?(?:table|csv|list))\b/;

/** What an address leaves behind: a pause where a sentence or an order begins there, else nothing. */
function boundary(before: string, after: string): string {
  return /(?:^|,)\s*$/.test(before) || /^ ?(?:and|then)\b/.test(after) ? " , " : " ";
}

/** What the asks come to when all sentences are read: each of several questions is one of its own. */
export function finished(draft: Draft, reading: Reading): Ask[] {
  return questionsOf(draft.texts, draft.wants.length > 0).flatMap((texts) =>
    madeOf({ ...draft, texts }, reading),
  );
}

/** The address that a request may change. */
function changesAt(request: HttpRequestInput | null): string[] {
  return writes(request) ? [request.url] : [];
}

function madeOf(draft: Draft, reading: Reading): Ask[] {
  const text = draft.texts
    .join(" , ")
    .replace(
      /\b(?:from|on|at|in|of|for|to|see|here)? ?:? ?url\d+_/g,
      (raw, at: number, whole: string) =>
        boundary(whole.slice(0, at), whole.slice(at + raw.length)),
    );
  const unread =
    draft.request === null
      ? text
      : text.replace(REQUEST_WORDS, " ").replace(/^(?:and|then|[ ,])+|(?:and|then|[ ,])+$/g, " ");
  const written = writes(draft.request) && draft.urls.length === 1;
  // The order is carried out: words that only speak of it ask for nothing.
  const left = written && !READS.test(unread) ? "" : unread;
  const base: Ask = {
    addresses: draft.urls.flatMap((at) => reading.addresses[at] ?? []),
    request: draft.request,
    hops: draft.hops.map((hop) => pagedHop(hop, draft.said.join(" , "))),
    wants: draft.wants,
    wantsBefore: [],
    text: left
      .replace(/(?: ?, ?)+/g, " , ")
      .replace(/\s+/g, " ")
      .trim(),
    paths: draft.paths,
    compare: /\b(?:compare|comparison|versus|vs|differ(?:s|ence|ences|ent)?(?: between)?)\b/.test(
      text,
    ),
    blocks: draft.request === null ? draft.blocks.flatMap((at) => reading.blocks[at] ?? []) : [],
  };
  const [target] = changesAt(draft.request);
  const others = base.addresses.filter((url) => url !== target);
  // What is changed and what is read are two things: neither answers for the other.
  if (target !== undefined && others.length > 0) {
    const wants = base.wants.filter((want) => want.kind !== "response");
    const silent = wants.length === 0 && !says(base.text);
    const records: Want[] = silent ? [{ kind: "records" }] : wants;
    return [
      { ...base, request: null, addresses: others, wants: records },
      { ...base, addresses: [target], wants: [{ kind: "response" }], text: "", hops: [] },
    ];
  }
  const each = draft.hops.some((hop) => hop.kind === "each");
  const before = draft.before.filter((want) => !(each && want.kind === "links"));
  if (before.length === 0) return [base];
  if (base.wants.length === 0) return [{ ...base, wants: before }];
  return [{ ...base, hops: [], wants: before, text: "" }, base];
}
