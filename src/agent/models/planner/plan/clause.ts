import type { HttpRequestInput } from "../../../../contract/tools/http-request.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { takeForm, takeUnfit } from "./form.ts";
import { findHop } from "./hops.ts";
import { findRequest } from "./request.ts";
import type { Form, Hop, Want } from "./types.ts";
import { findWants } from "./wants.ts";

/** What one sentence adds to the plan. */
export interface Clause {
  sentence: Sentence;
  form: Form | null;
  hops: Hop[];
  before: Want[];
  after: Want[];
  text: string;
  request: HttpRequestInput | null;
  /** What of the sentence cannot be done. */
  note: string | null;
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

/** "Follow Next and list the names from both pages" wants the pages of a list, not the last one alone. */
export function pagedHop(hop: Hop, text: string): Hop {
  const every = /\b(both|all|each|every)\b(?: of)?(?: the| these)? pages?\b/.exec(text)?.[1];
  if (hop.kind !== "link" || !/^next\b/i.test(hop.text) || every === undefined) return hop;
  return { kind: "pages", limit: every === "both" ? 2 : null };
}

/** Reads one sentence: the form, the ways on, the wants, and the words that are left. */
export function readClause(sentence: Sentence, reading: Reading): Clause {
  const { strings } = reading;
  const read = (phrase: string): string =>
    phrase.replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "").trim();
  const unfit = takeUnfit(sentence.text);
  const { form, rest: formless } = takeForm(unfit.rest);
  const request = findRequest(sentence.raw, sentence.urls, reading);
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
    note: unfit.note,
  };
}

/** Cuts "the title of A and the e-mails of B" in two, so that each page is asked its own question. */
export function splitByAddress(sentence: Sentence, read: (phrase: string) => string): Sentence[] {
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

/** Whether a text says anything about the data, beyond "open this page". */
export function says(text: string): boolean {
  const rest = text.replace(
    /\b(?:url\d+_|please|open|visit|go|to|browse|load|fetch|navigate|read|access|look|at|the|this|these|page|pages|site|sites|url|urls|following|and|then|here|is|are|a|an|my|get|check|start|by|with|on|from|first|also|add|use|take|download|i|we|have|two|2|3|of|link|links|address|addresses|opening|visiting|reading|loading|fetching|retrieve|in|for|me|can|could|you|would|like|want|need|hi|hello|hey|there|task|your|job|website|json|api|data|file|csv)\b|[^\w\s]/g,
    " ",
  );
  return /[a-z0-9]/.test(rest);
}
