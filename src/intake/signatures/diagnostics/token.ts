import type { AdviceChange, Cause } from "../../../contract/webhooks/advice.ts";
import { isObject } from "../../../lib/json-values.ts";
import { basicCredentials, type StoredToken, tokensIn } from "../../credentials.ts";
import { payloadOf } from "../../payload/parse.ts";
import { matchesAny } from "../../secrets.ts";
import type { InboundRequest, OpenSecret } from "../../types.ts";
import {
  type Diagnosis,
  diagnosisOf,
  type Finding,
  type UnverifiedRequest,
  withinRate,
} from "./finding.ts";
import { editedOf, editedSecret, STORED_EDITS, VARIABLE } from "./keys.ts";
import { endpointOfToken } from "./other-endpoints.ts";
import { looksSigned } from "./sent-headers.ts";

/** A request whose token is missing or wrong. */
export interface UnverifiedToken
  extends Pick<UnverifiedRequest, "secret" | "request" | "now" | "others"> {
  stored: StoredToken;
}

/** Values of one request that are compared with the token. */
const MAX_VALUES = 60;
const MAX_LENGTH = 1_000;

/** Where a token is, as a change of `auth.token` names it. */
type TokenPlace = NonNullable<AdviceChange["token"]>;

/** A text of the request that may be a token. */
interface Sent {
  text: string;
  /** Names the place in a sentence. */
  where: string;
  /** The setting that reads it there; null where none does. */
  token: TokenPlace | null;
}

interface Found {
  finding: Finding;
  change: AdviceChange | null;
}

/** Explains why a request's token is missing or wrong, without showing a token or a part of it. */
export async function diagnoseToken(unverified: UnverifiedToken): Promise<Diagnosis> {
  return await withinRate(unverified.secret, unverified.now, () => examine(unverified));
}

async function examine(unverified: UnverifiedToken): Promise<Diagnosis> {
  const { stored, request, others } = unverified;
  const { place, given } = await tokensIn(stored, request);
  // A field that the body lacks counts as an empty one.
  const least = stored.in === "body" ? 1 : 0;
  const texts = given.flat().filter(({ length }) => length >= least && length <= MAX_LENGTH);
  const sent = await sentTexts(request);
  const found = (await written(unverified, texts)) ?? (await elsewhere(unverified, sent));
  if (found !== null) {
    const change = found.change && (await accepted(found.change, unverified));
    return diagnosisOf([found.finding], change);
  }
  const isGiven = texts.some((text) => text !== "");
  const other = isGiven
    ? await endpointOfToken(others, (secrets) => matchesAny(texts, secrets))
    : null;
  return diagnosisOf([other ?? unfilled(texts) ?? none(place, stored, request, texts)]);
}

/** Returns the change if the request has the token under it, else null. */
async function accepted(
  change: AdviceChange,
  { stored, secret, request }: UnverifiedToken,
): Promise<AdviceChange | null> {
  const after = appliedToToken(change, stored, secret);
  if (after === null) return null;
  const { given } = await tokensIn(after.stored, request);
  const isRight = given.length > 0 && (await matchesAny(given.flat(), [after.secret.current]));
  return isRight ? change : null;
}

/** Returns the token's place and the secret after a change; null for a change of another method. */
export function appliedToToken(
  { token, secret: edit }: AdviceChange,
  stored: StoredToken,
  secret: OpenSecret,
): { stored: StoredToken; secret: OpenSecret } | null {
  if (token === undefined) return null;
  const { preset, header = null, ...place } = token;
  const kept = { secret: stored.secret, header, ...place };
  return { stored: preset === undefined ? kept : stored, secret: editedOf(secret, edit) };
}

/** How a sender may have written a token, with what the token was before. */
const WRITTEN: [read: (text: string) => string, cause: Cause, text: string][] = [
  [(text) => text.trim(), "secret_whitespace", "has white space around it"],
  [(text) => editedSecret(text, "unquote"), "secret_quotes", "has quotes around it"],
  [
    (text) => editedSecret(text, "without_name"),
    "secret_variable",
    "begins with the name of a variable",
  ],
  [
    (text) => text.replace(/^(?:(?:bearer|token|basic|api-?key)\s*[:=]?\s*)+/i, ""),
    "prefix",
    "begins with a word such as Bearer, once more than it is read",
  ],
];

/** Finds the token as it may have been written, by the sender or when it was stored. */
async function written(
  { stored, secret: { current, previous }, now }: UnverifiedToken,
  texts: string[],
): Promise<Found | null> {
  for (const [read, cause, how] of WRITTEN) {
    if (!(await matchesAny(texts.map(read), [current]))) continue;
    const text = `The token that is sent ${how}. Have the sender send it bare.`;
    return { finding: { cause, text }, change: null };
  }
  for (const { edit, finding } of STORED_EDITS) {
    const edited = editedSecret(current, edit);
    if (edited === current || !(await matchesAny(texts, [edited]))) continue;
    const { preset, header, in: source, name } = stored;
    const place = {
      ...(header !== null && { header }),
      ...(source !== undefined && { in: source }),
      ...(name !== undefined && { name }),
    };
    return { finding, change: { token: preset === undefined ? place : { preset }, secret: edit } };
  }
  const isOver = previous !== null && now >= previous.validUntil;
  if (!isOver || !(await matchesAny(texts, [previous.value]))) return null;
  const text =
    "The sender uses the previous token, which is no longer valid. Give it the current one.";
  return { finding: { cause: "secret_previous", text }, change: null };
}

/** Finds the token at another place. */
async function elsewhere({ stored, secret }: UnverifiedToken, sent: Sent[]): Promise<Found | null> {
  for (const { text: given, where, token } of sent) {
    if (!(await matchesAny([given], [secret.current]))) continue;
    const isRead = stored.in !== "basic" && token !== null;
    const fields = Object.entries(token ?? {}).map(([name, value]) => `"${name}": "${value}"`);
    const setting = isRead ? `Set auth.token to {${fields.join(", ")}}, or have` : "Have";
    const text = `The token is in ${where}. ${setting} the sender send it as ${expected(stored)}.`;
    const change = isRead ? { token, secret: null } : null;
    return { finding: { cause: "token_place", text }, change };
  }
  return null;
}

function expected({ in: source, header, name }: StoredToken): string {
  if (source === "basic") return "user:password of Basic authentication";
  if (source !== undefined) return `${name} in the ${source}`;
  return header === null
    ? "the header X-Webhook-Token or Authorization: Bearer"
    : `the header ${header}`;
}

/** Returns the texts of a request that may be its token. */
async function sentTexts(request: InboundRequest): Promise<Sent[]> {
  const { headers, url } = request;
  const inHeaders = [...headers].flatMap(([name, value]): Sent[] => {
    const where = `the header ${name}`;
    const token = { header: name };
    const [, word = "", bare] = /^([A-Za-z-]+):? +(\S.*)$/.exec(value) ?? [];
    const whole = { text: value, where, token };
    if (bare === undefined || /^basic$/i.test(word)) return [whole];
    return /^bearer$/i.test(word)
      ? [whole, { text: bare, where, token }]
      : [whole, { text: bare, where: `${where}, after ${word} in place of Bearer`, token: null }];
  });
  const [credentials = ""] = basicCredentials(headers);
  const where = "the credentials of Basic authentication";
  const inBasic = credentials.split(/:(.*)/s).map((text) => ({ text, where, token: null }));
  const named = (source: "query" | "body", fields: [name: string, value: unknown][]): Sent[] =>
    fields.flatMap(([name, text]) =>
      typeof text === "string"
        ? { text, where: `${name} in the ${source}`, token: { in: source, name } }
        : [],
    );
  const payload = await payloadOf(request);
  const members = isObject(payload) && request.method !== "GET" ? Object.entries(payload) : [];
  // In a body the name is a path.
  const fields = members.filter(([name]) => /^\w+$/.test(name));
  return [inHeaders, inBasic, named("query", [...url.searchParams]), named("body", fields)]
    .flatMap((sent) => sent.slice(0, MAX_VALUES))
    .filter(({ text }) => text !== "" && text.length <= MAX_LENGTH);
}

/** Describes a token that was never filled in. */
function unfilled([text]: string[]): Finding | null {
  if (text === undefined) return null;
  if (/^\s*(?:undefined|null|None)?\s*$/.test(text)) {
    const sentence = "The token that is sent is empty: its setting at the sender is missing.";
    return { cause: "secret_empty", text: sentence };
  }
  if (!VARIABLE.test(text)) return null;
  const sentence = "The sender sends the name of a variable. Give it the value of the token.";
  return { cause: "secret_variable", text: sentence };
}

/** Describes a request whose token is not recognized. */
function none(
  place: string,
  stored: StoredToken,
  { headers }: InboundRequest,
  texts: string[],
): Finding {
  if (texts.length > 0) {
    const text = `The token in ${place} is not the token of this endpoint. Give the sender the stored one, or save the sender's.`;
    return { cause: "unknown", text };
  }
  const namesOf = (isSo: (name: string, value: string) => boolean) =>
    [...headers]
      .flatMap(([name, value]) => (isSo(name, value) ? name : []))
      .slice(0, 5)
      .join(", ");
  const signed = namesOf(looksSigned);
  if (signed !== "") {
    const text = `The request has no token, but a signature in ${signed}: the sender signs its requests. Use auth.hmac or auth.signature.`;
    return { cause: "other_sender", text };
  }
  const given = headers.get("Authorization");
  if (stored.in === "basic" && given !== null) {
    const text =
      "The header Authorization must have Basic, and after it the base64 of user:password.";
    return { cause: /^basic\s/i.test(given) ? "encoding" : "token_place", text };
  }
  const others = namesOf((name) => /token|secret|api-?key|^authorization$/.test(name));
  const hint = others === "" ? "" : ` These headers hold another value: ${others}.`;
  return {
    cause: "token_missing",
    text: `The sender sends no token as ${expected(stored)}.${hint}`,
  };
}
