import { type Json, type JsonObject, json } from "../../../../contract/json.ts";
import { literalsIn, longestPhrase, type PhraseMatch, phrasesOf } from "./phrases.ts";
import { type Token, tokenize } from "./tokens.ts";

/** The wait that a prompt begins with. */
export interface Wait {
  /** The input of `wait_for_event`. */
  call: { endpointId: string; when: JsonObject; timeoutSeconds: number };
  /** The wait in canonical English. */
  says: string;
}

const UNITS: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };
const ENDPOINT_ID = /^ep_[0-9a-f]{40,42}$/;

/** "Wait until ep_… receives an event whose build is green, for at most 2 hours, then …" */
const PHRASES = `
opening | please? wait until the? endpoint?; please? wait for a/an event/request/webhook of/at/from/on the? endpoint?
tests | receives/gets a/an event/request/webhook whose/where/with; whose/where/with
subject | its/the? header?
operator | is/equals/=
not | is not
limit | ,? for/within at? most? up? to? NUMBER second/seconds/minute/minutes/hour/hours/day/days
end | ,? and? then ,?; . then? ,?
and | and
`;

/** Splits the wait that a prompt begins with from the rest of the prompt. Returns null for other prompts. */
export function waitIn(
  prompt: string,
  inputs: JsonObject | null,
): { wait: Wait; rest: string } | null {
  const tokens = tokenize(prompt, inputs);
  const phraseAt = (at: number, ...types: string[]): PhraseMatch | null =>
    longestPhrase(phrasesOf(PHRASES, types), tokens, at, tokens.length);
  const place = phraseAt(0, "opening")?.to ?? tokens.length;
  const endpointId = tokens[place] === undefined ? null : literalOf(tokens[place]);
  const first = phraseAt(place + 1, "tests")?.to;
  if (typeof endpointId !== "string" || !ENDPOINT_ID.test(endpointId) || first === undefined)
    return null;
  const tests: JsonObject[] = [];
  let at = first;
  for (;;) {
    const subject = phraseAt(at, "subject");
    const from = subject?.to ?? at;
    let to = from;
    while (to < tokens.length && phraseAt(to, "operator", "not", "end") === null) to += 1;
    const operator = phraseAt(to, "operator", "not");
    const value = operator === null ? undefined : tokens[operator.to];
    const equals = value === undefined ? null : literalOf(value);
    if (operator === null || equals === null || typeof equals === "object") return null;
    const isHeader = tokens[from - 1]?.text.toLowerCase() === "header";
    const path = prompt.slice(tokens[from]?.start, tokens[to - 1]?.end);
    const test = { ...(isHeader && { in: "header" as const }), path, equals };
    tests.push(operator.type === "not" ? { not: test } : test);
    at = operator.to + 1;
    const next = phraseAt(at, "end") === null ? phraseAt(at, "and") : null;
    if (next === null) break;
    at = next.to;
  }
  const said = tokens.slice(first, at).map(saidOf).join(" ");
  const limit = phraseAt(at, "limit");
  const count = limit === null ? 1 : (literalsIn([limit], "number")[0]?.value ?? 1);
  const unit = tokens[(limit?.to ?? 0) - 1]?.text.toLowerCase().replace(/s$/, "") ?? "day";
  const close = limit?.to ?? at;
  const end = close === tokens.length ? close : phraseAt(close, "end")?.to;
  if (end === undefined) return null;
  const [only, other] = tests;
  const when = only !== undefined && other === undefined ? only : { all: tests };
  const span = `${count} ${unit}${count === 1 ? "" : "s"}`;
  const says = `wait at most ${span} until ${endpointId} receives an event whose ${said}`;
  const timeoutSeconds = count * (UNITS[unit] ?? 1);
  const rest = prompt.slice(tokens[end]?.start ?? prompt.length);
  return { wait: { call: { endpointId, when, timeoutSeconds }, says }, rest };
}

/** Returns the value of a literal: a text, a number, true or false. */
function literalOf(token: Token): Json {
  if (token.kind === "mark") return null;
  if (token.kind === "number" || token.kind === "quote") return token.value;
  if (token.kind === "data") return json.parse(JSON.parse(token.data));
  return /^(?:true|false)$/.test(token.text) ? token.text === "true" : token.text;
}

/** Returns a token as it is written, or the value of the input that it names. */
function saidOf(token: Token): string {
  return token.text.startsWith("{{") ? String(literalOf(token)) : token.text;
}
