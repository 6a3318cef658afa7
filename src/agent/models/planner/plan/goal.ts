import type { ModelRequest } from "../../../../contract/conversation.ts";
import type { HttpRequestInput } from "../../../../contract/tools.ts";
import { type Block, looksLikeCsv } from "../language/literals.ts";
import { normalize } from "../language/normalize.ts";
import { type Reading, readMessages, type Sentence } from "../language/reading.ts";
import { calculate } from "./arithmetic.ts";
import { droppedAddresses, droppedWants, mergeWants, pagesLimit, replaces } from "./changes.ts";
import { takeForm } from "./form.ts";
import { findHop } from "./hops.ts";
import { inlineBlock } from "./inline.ts";
import { beyondReach, cannot, SET_A_MODEL } from "./refusals.ts";
import { literalReply } from "./replies.ts";
import { findRequest } from "./request.ts";
import type { Ask, Form, Goal, Hop, Want } from "./types.ts";
import { findWants } from "./wants.ts";

/** What one sentence adds to the plan. */
interface Clause {
  sentence: Sentence;
  form: Form | null;
  hops: Hop[];
  before: Want[];
  after: Want[];
  text: string;
  request: HttpRequestInput | null;
}

interface Draft {
  urls: number[];
  blocks: number[];
  request: HttpRequestInput | null;
  hops: Hop[];
  before: Want[];
  wants: Want[];
  texts: string[];
  paths: string[];
}

const MAX_HOPS = 5;
/** Nouns that name a column to sort or test by; there they are nothing to extract. */
const BY_COLUMN =
  /\b(?:sort|order|rank|arrang|group)\w*(?: \w+){0,3}? by (?:the |its |their )?\w+|\b(?:whose|where|having) (?:the |their |its )?\w+|\b(?:prices?|titles?|costs?|urls?|links?)(?= (?:is |are |was |that is |of )?(?:under|over|above|below|between|less|more|greater|at (?:least|most)|lower|higher|exceeding|starts?|ends?|<|>|=|up to))/g;

/** The addresses of the prompt themselves, spoken of. */
const THE_ADDRESSES =
  /\b(?:each|every|all|both|any|one)?(?: ?of)? ?(?:the following|these|those|the given|the above|following|my)(?: \d+)? (?:urls?|links?|addresses)\b/g;

function mentionsOf(text: string): string {
  return text.replace(BY_COLUMN, " ").replace(THE_ADDRESSES, " ");
}

function readClause(sentence: Sentence, reading: Reading): Clause {
  const { strings, addresses, blocks } = reading;
  const read = (phrase: string): string =>
    phrase.replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "").trim();
  const { form, rest: formless } = takeForm(sentence.text);
  const first = sentence.urls[0];
  const target = first === undefined ? undefined : addresses[first];
  const rawText = sentence.raw.replace(/url\d+_/g, " ");
  const request =
    target === undefined ? null : findRequest(formless, rawText, target, blocks, strings);
  const hops: Hop[] = [];
  let rest = formless;
  let before = "";
  while (hops.length < MAX_HOPS) {
    const found = findHop(rest, read, sentence.urls.length > 1);
    if (found === null) break;
    hops.push(found.hop);
    if (found.hop.kind !== "pages") {
      before = `${before} ${found.rest.slice(0, found.start)}`;
      rest = found.rest.slice(found.start).trim();
    } else rest = found.rest;
  }
  const early = findWants(mentionsOf(before), read);
  const late = findWants(mentionsOf(rest), read);
  const whole = findWants(rest, read).rest;
  return {
    sentence,
    form,
    hops,
    before: early.wants,
    after: late.wants,
    text: `${findWants(before, read).rest} ${whole}`,
    request,
  };
}

/** Cuts "the title of A and the e-mails of B" in two, so that each page is asked its own question. */
function splitByAddress(sentence: Sentence, read: (phrase: string) => string): Sentence[] {
  if (sentence.urls.length < 2) return [sentence];
  const pieces = sentence.text.split(/(?:\s,)?\s(?:and then|then|and)\s|\s,\s|\s;\s/);
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const complete = (text: string): boolean =>
      /url\d+_/.test(text) && findWants(text, read).wants.length > 0;
    if (last === undefined || (complete(last) && complete(piece))) parts.push(piece);
    else parts[parts.length - 1] = `${last} and ${piece}`;
  }
  const kinds = parts.map((part) =>
    findWants(part, read)
      .wants.map((want) => want.kind)
      .join(),
  );
  if (parts.length < 2 || new Set(kinds).size < 2) return [sentence];
  return parts.map((text) => ({
    ...sentence,
    text,
    urls: [...text.matchAll(/url(\d+)_/g)].map((match) => Number(match[1])),
  }));
}

const newDraft = (): Draft => ({
  urls: [],
  blocks: [],
  request: null,
  hops: [],
  before: [],
  wants: [],
  texts: [],
  paths: [],
});

/** Whether a text says anything about the data, beyond "open this page". */
function says(text: string): boolean {
  const rest = text.replace(
    /\b(?:url\d+_|please|open|visit|go|to|browse|load|fetch|navigate|read|access|look|at|the|this|these|page|pages|site|sites|url|urls|following|and|then|here|is|are|a|an|my|get|check|start|by|with|on|from|first|also|add|use|take|download|i|we|have|two|2|3|of|link|links|address|addresses|opening|visiting|reading|loading|fetching|retrieve|in|for|me|can|could|you|would|like|want|need|hi|hello|hey|there|task|your|job|website|json|api|data|file|csv)\b|[^\w\s]/g,
    " ",
  );
  return /[a-z0-9]/.test(rest);
}

function sameWants(left: Want[], right: Want[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

const JSON_PATH =
  /(?<![\w/.@-])[A-Za-z_$][\w$-]*(?:\[\d{1,6}\]|\[\*\]|\.[A-Za-z_$*][\w$-]*){1,10}(?![\w/(@])/g;

/** Adds one sentence to the asks: it starts a new one, or goes on with the last. */
function addClause(asks: Draft[], clause: Clause, addresses: string[]): void {
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
  ask.paths.push(...(sentence.raw.match(JSON_PATH) ?? []));
}

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

/** What the asks come to when all sentences are read. */
function finished(draft: Draft, reading: Reading): Ask[] {
  const text = draft.texts
    .join(" , ")
    .replace(/\b(?:from|on|at|in|of|for|to|see|here)? ?:? ?url\d+_/g, " , ");
  const left =
    draft.request === null
      ? text
      : text.replace(REQUEST_WORDS, " ").replace(/^(?:and|then|[ ,])+|(?:and|then|[ ,])+$/g, " ");
  const base: Ask = {
    addresses: draft.urls.flatMap((at) => reading.addresses[at] ?? []),
    request: draft.request,
    hops: draft.hops,
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
  const each = draft.hops.some((hop) => hop.kind === "each");
  const before = draft.before.filter((want) => !(each && want.kind === "links"));
  if (before.length === 0) return [base];
  if (base.wants.length === 0) return [{ ...base, wants: before }];
  return [{ ...base, hops: [], wants: before, text: "" }, base];
}

function messagesOf(request: Pick<ModelRequest, "turns">): string[] {
  return request.turns.flatMap((turn) => (turn.role === "user" ? [turn.text] : []));
}

/** Data of the trigger as blocks: text that is CSV as such, all the rest as JSON. */
function inputBlocks(inputs: ModelRequest["inputs"]): Block[] {
  if (inputs === null || Object.keys(inputs).length === 0) return [];
  const values = Object.values(inputs);
  const only = values[0];
  if (values.length === 1 && typeof only === "string") {
    return [{ kind: looksLikeCsv(only) ? "csv" : "text", text: only }];
  }
  const csv = values.filter((value) => typeof value === "string" && looksLikeCsv(value));
  if (csv.length === 1 && typeof csv[0] === "string") return [{ kind: "csv", text: csv[0] }];
  return [{ kind: "json", value: inputs, text: JSON.stringify(inputs) }];
}

function inputAddresses(inputs: ModelRequest["inputs"]): string[] {
  return Object.values(inputs ?? {})
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(
      (value): value is string => typeof value === "string" && /^https?:\/\/\S+$/i.test(value),
    );
}

const NO_SOURCE =
  "The prompt names no address and no data that the built-in planner could work on.";

/** Makes a goal of all that the client has said so far. Pure: the same messages give the same goal. */
export function readGoal(request: ModelRequest): Goal {
  const messages = messagesOf(request);
  const prompt = messages[0] ?? "";
  if (messages.length === 1) {
    const reply = literalReply(prompt) ?? calculate(prompt, request.now);
    if (reply !== null) return { kind: "reply", text: reply };
  }
  const reading = readMessages(messages, request.inputs);
  const beyond = reading.sentences
    .map(({ text }) => beyondReach(text))
    .find((what) => what !== null);
  if (beyond !== undefined && beyond !== null) return { kind: "refuse", reason: cannot(beyond) };
  if (/\b(?:ftp|file|mailto|ssh|ws):\/\//i.test(prompt) && reading.addresses.length === 0) {
    return { kind: "refuse", reason: "Only http and https addresses can be opened." };
  }
  const read = (phrase: string): string => phrase;
  const clauses = reading.sentences
    .flatMap((sentence) => splitByAddress(sentence, read))
    .map((sentence) => readClause(sentence, reading));
  const form = clauses.findLast((clause) => clause.form !== null)?.form ?? "auto";
  const drafts: Draft[] = [];
  for (const clause of clauses) addClause(drafts, clause, reading.addresses);
  const asks = drafts.flatMap((draft) => finished(draft, reading));
  return sourced(asks, form, reading, request, messages);
}

/** Gives each ask something to work on: its addresses, those of others, or the data at hand. */
function sourced(
  asks: Ask[],
  form: Form,
  reading: Reading,
  request: ModelRequest,
  messages: string[],
): Goal {
  const work = (ready: Ask[]): Goal => ({
    kind: "work",
    asks: ready,
    form,
    strings: reading.strings,
  });
  const located = asks.filter((ask) => ask.addresses.length > 0);
  if (located.length > 0) {
    const all = [...new Set(located.flatMap((ask) => ask.addresses))];
    const ready = asks.map((ask) => (ask.addresses.length > 0 ? ask : { ...ask, addresses: all }));
    const idle = ready.filter(
      (ask) => ask.wants.length > 0 || says(ask.text) || ask.request !== null,
    );
    return work(idle.length > 0 ? idle : ready.slice(0, 1));
  }
  const first = asks[0];
  const merged: Ask | null =
    first === undefined
      ? null
      : {
          ...first,
          wants: asks.flatMap((ask) => ask.wants),
          text: asks.map((ask) => ask.text).join(" , "),
          blocks: asks.flatMap((ask) => ask.blocks),
        };
  if (merged !== null && merged.blocks.length > 0) return work([merged]);
  const inputs = inputBlocks(request.inputs);
  const fromInputs = inputAddresses(request.inputs);
  if (merged !== null && fromInputs.length > 0) return work([{ ...merged, addresses: fromInputs }]);
  if (merged !== null && inputs.length > 0) return work([{ ...merged, blocks: inputs }]);
  const inline = inlineBlock(messages.join("\n"), reading.strings);
  if (inline !== null && merged !== null) {
    const text = takeForm(normalize(inline.rest)).rest;
    return work([
      { ...merged, text, wants: findWants(text, (phrase) => phrase).wants, blocks: [inline.block] },
    ]);
  }
  return {
    kind: "unclear",
    question: "Which address should I open, or which data should I work on?",
    reason: `${NO_SOURCE} It cannot answer general questions. ${SET_A_MODEL}`,
  };
}
