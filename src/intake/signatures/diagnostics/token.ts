import type { AdviceChange, Cause } from "../../../contract/webhooks/advice.ts";
import { fromBase64 } from "../../../lib/encoding.ts";
import { isObject } from "../../../lib/json-values.ts";
import { payloadOf } from "../../payload/parse.ts";
import { matchesAny } from "../../secrets.ts";
import { basicCredentials, type StoredToken, tokensIn } from "../../tokens.ts";
import type { InboundRequest, OpenSecret, Others } from "../../types.ts";
import { appliedToToken } from "./change.ts";
import { type Diagnosis, diagnosisOf, VARIABLE } from "./findings.ts";
import { editedSecret, type Finding, STORED_EDITS } from "./keys.ts";
import { endpointOfToken } from "./other-endpoints.ts";
import { isWithinRate, TOO_MANY } from "./rate.ts";
import { looksSigned, percentDecoded } from "./sent-headers.ts";

/** A request whose token is missing or wrong. */
export interface UnverifiedToken {
  stored: StoredToken;
  secret: OpenSecret;
  request: InboundRequest;
  /** Epoch milliseconds. */
  now: number;
  others: Others;
}

/** Values of one request that are compared with the token. */
const MAX_VALUES = 60;
const MAX_LENGTH = 1_000;

/** Where a token is, as a change of `auth.token` names it. */
type TokenPlace = NonNullable<AdviceChange["token"]>;

/** A text of the request that may be a token, and the setting that reads it there. */
interface Sent {
  text: string;
  /** Names the place in a sentence. */
  where: string;
  /** Null for a place that no setting reads. */
  token: TokenPlace | null;
}

interface Found {
  finding: Finding;
  change: AdviceChange | null;
}

/**
 * Explains why a request's token is missing or wrong, without showing a token. What is right in a part of
 * it is told last, after all that takes time: how long the answer takes must not tell a guess from the
 * beginning of the token.
 */
export async function diagnoseToken(unverified: UnverifiedToken): Promise<Diagnosis> {
  const { stored, secret, request, now, others } = unverified;
  if (!isWithinRate(secret, now)) return TOO_MANY;
  const { place, given } = await tokensIn(stored, request);
  // A field that the body lacks counts as an empty one.
  const least = stored.in === "body" ? 1 : 0;
  const texts = given.flat().filter(({ length }) => length >= least && length <= MAX_LENGTH);
  const sent = await sentTexts(request);
  const found = (await written(unverified, texts)) ?? (await elsewhere(unverified, sent));
  if (found !== null) {
    const change = found.change && (await verified(found.change, unverified));
    return diagnosisOf([found.finding], change);
  }
  const isGiven = texts.some((text) => text !== "");
  const other = isGiven
    ? await endpointOfToken(others, (secrets) => matchesAny(texts, secrets))
    : null;
  if (other !== null) return diagnosisOf([other]);
  return diagnosisOf([
    inPart(stored, secret.current, texts) ?? none(place, stored, request, texts),
  ]);
}

/** Returns the change, if the request has the token under it. */
async function verified(
  change: AdviceChange,
  { stored, secret, request }: UnverifiedToken,
): Promise<AdviceChange | null> {
  const after = appliedToToken(change, stored, secret);
  if (after === null) return null;
  const { given } = await tokensIn(after.stored, request);
  const isRight = given.length > 0 && (await matchesAny(given.flat(), [after.secret.current]));
  return isRight ? change : null;
}

/** How a sender may have written a token, with what the token was before. */
const WRITTEN: [read: (text: string) => string | null, cause: Cause, text: string][] = [
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
  [fromBase64Text, "encoded_twice", "is encoded in base64 once more"],
  [percentDecoded, "encoded_twice", "is percent-encoded once more"],
  [
    (text) => text.replaceAll(" ", "+"),
    "url",
    "has a + that is not percent-encoded as %2B, and is read as a space",
  ],
];

/** Finds the token as it may have been written, by the sender or when it was stored. */
async function written(
  { stored, secret, now }: UnverifiedToken,
  texts: string[],
): Promise<Found | null> {
  const { current, previous } = secret;
  for (const [read, cause, text] of WRITTEN) {
    const readings = texts.map(read).filter((each) => each !== null);
    if (!(await matchesAny(readings, [current]))) continue;
    const finding = {
      cause,
      text: `The token that is sent ${text}. Have the sender send it bare.`,
    };
    return { finding, change: null };
  }
  for (const { edit, finding } of STORED_EDITS) {
    const edited = editedSecret(current, edit);
    if (edited === current || !(await matchesAny(texts, [edited]))) continue;
    return { finding, change: { token: placeOf(stored), secret: edit } };
  }
  if (
    previous !== null &&
    now >= previous.validUntil &&
    (await matchesAny(texts, [previous.value]))
  ) {
    const text =
      "The sender uses the previous token, which is no longer valid. Give it the current one.";
    return { finding: { cause: "secret_previous", text }, change: null };
  }
  return null;
}

function placeOf({
  preset,
  header,
  in: source,
  name,
}: StoredToken): AdviceChange["token"] & object {
  if (preset !== undefined) return { preset };
  return {
    ...(header !== null && { header }),
    ...(source !== undefined && { in: source }),
    ...(name !== undefined && { name }),
  };
}

/** Finds the token at another place. */
async function elsewhere({ stored, secret }: UnverifiedToken, sent: Sent[]): Promise<Found | null> {
  for (const { text, where, token } of sent) {
    if (!(await matchesAny([text], [secret.current]))) continue;
    const isRead = stored.in !== "basic" && token !== null;
    const setting = isRead ? `Set auth.token to ${settingText(token)}, or have` : "Have";
    return {
      finding: {
        cause: "token_place",
        text: `The token is in ${where}. ${setting} the sender send it as ${expected(stored)}.`,
      },
      change: isRead ? { token, secret: null } : null,
    };
  }
  return null;
}

const settingText = (token: TokenPlace): string =>
  `{${Object.entries(token)
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
    .join(", ")}}`;

function expected({ in: source, header, name }: StoredToken): string {
  switch (source) {
    case "basic":
      return "user:password of Basic authentication";
    case "query":
      return `${name} in the query`;
    case "body":
      return `${name} in the body`;
    case undefined:
      return header === null
        ? "the header X-Webhook-Token or Authorization: Bearer"
        : `the header ${header}`;
  }
}

/** Returns the texts of a request that may be its token. */
async function sentTexts(request: InboundRequest): Promise<Sent[]> {
  const { headers, url } = request;
  const inHeaders = [...headers].flatMap(([name, value]): Sent[] => {
    const token = { header: name };
    const [, word, bare] = /^([A-Za-z-]+):? +(\S.*)$/.exec(value) ?? [];
    const isBearer = word?.toLowerCase() === "bearer";
    const isBasic = word?.toLowerCase() === "basic";
    return [
      { text: value, where: `the header ${name}`, token },
      ...(bare === undefined || isBasic
        ? []
        : [
            {
              text: bare,
              where: isBearer
                ? `the header ${name}`
                : `the header ${name}, after ${word} in place of Bearer`,
              token: isBearer ? token : null,
            },
          ]),
    ];
  });
  const [, user = "", password = ""] =
    /^([^:]*):?(.*)$/s.exec(basicCredentials(headers)[0] ?? "") ?? [];
  const inBasic = [user, password].map((text) => ({
    text,
    where: "the credentials of Basic authentication",
    token: null,
  }));
  const inQuery = [...url.searchParams].map(([name, text]) => ({
    text,
    where: `${name} in the query`,
    token: { in: "query" as const, name },
  }));
  const payload = await payloadOf(request);
  const fields = isObject(payload) && request.method !== "GET" ? Object.entries(payload) : [];
  const inBody = fields.flatMap(([name, text]) =>
    typeof text === "string" && /^\w+$/.test(name)
      ? [{ text, where: `${name} in the body`, token: { in: "body" as const, name } }]
      : [],
  );
  return [inHeaders, inBasic, inQuery, inBody]
    .flatMap((sent) => sent.slice(0, MAX_VALUES))
    .filter(({ text }) => text !== "" && text.length <= MAX_LENGTH);
}

/** Says which part of the token is right. */
function inPart({ in: source }: StoredToken, secret: string, texts: string[]): Finding | null {
  const [text] = texts;
  if (text === undefined) return null;
  if (/^\s*(?:undefined|null|None)?\s*$/.test(text)) {
    const sentence = "The token that is sent is empty: its setting at the sender is missing.";
    return { cause: "secret_empty", text: sentence };
  }
  if (VARIABLE.test(text)) {
    const sentence = "The sender sends the name of a variable. Give it the value of the token.";
    return { cause: "secret_variable", text: sentence };
  }
  if (source === "basic") return inCredentials(secret, text);
  const [start = ""] = texts.filter((each) => secret.startsWith(each) && each.length >= 4);
  if (start !== "") {
    const sentence = "The token that is sent only begins like the stored one: a part is cut off.";
    return { cause: "secret_cut", text: sentence };
  }
  if (texts.some((each) => each.startsWith(secret))) {
    const sentence = "The token that is sent has more behind it than the stored one.";
    return { cause: "secret_cut", text: sentence };
  }
  if (texts.some((each) => each.toLowerCase() === secret.toLowerCase())) {
    const sentence = "The token that is sent has another case than the stored one.";
    return { cause: "secret_cut", text: sentence };
  }
  return null;
}

function inCredentials(secret: string, text: string): Finding | null {
  const [user, password] = halves(secret);
  const [sentUser, sentPassword] = halves(text);
  if (sentUser === password && sentPassword === user) {
    return {
      cause: "swapped",
      text: "The user name and the password are swapped. Swap them at the sender.",
    };
  }
  const right =
    sentUser === user
      ? "The user name is right, the password is not."
      : sentPassword === password
        ? "The password is right, the user name is not."
        : null;
  if (right !== null) return { cause: "unknown", text: right };
  return text.includes(":")
    ? null
    : {
        cause: "unknown",
        text: "The credentials must be user:password, with a colon between them.",
      };
}

function halves(credentials: string): [user: string, password: string] {
  const at = credentials.indexOf(":");
  return at < 0 ? [credentials, ""] : [credentials.slice(0, at), credentials.slice(at + 1)];
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
  const signed = [...headers].filter(([name, value]) => looksSigned(name, value));
  if (signed.length > 0) {
    const names = signed
      .map(([name]) => name)
      .slice(0, 5)
      .join(", ");
    const text = `The request has no token, but a signature in ${names}: the sender signs its requests. Use auth.hmac or auth.signature.`;
    return { cause: "other_sender", text };
  }
  const given = headers.get("Authorization");
  if (stored.in === "basic" && given !== null) {
    const text = /^basic\s/i.test(given)
      ? "The header Authorization has Basic, but no base64 of user:password after it."
      : "The header Authorization has another scheme than Basic. Have the sender use Basic authentication.";
    return { cause: /^basic\s/i.test(given) ? "encoding" : "token_place", text };
  }
  const others = [...headers].map(([name]) => name).filter((name) => TOKEN_LIKE.test(name));
  const hint =
    others.length === 0
      ? ""
      : ` These headers hold another value: ${others.slice(0, 5).join(", ")}.`;
  const text = `The sender sends no token as ${expected(stored)}.${hint}`;
  return { cause: "token_missing", text };
}

const TOKEN_LIKE = /token|secret|api-?key|^authorization$/;

function fromBase64Text(text: string): string | null {
  const bytes = text.length < 4 ? null : fromBase64(text.trim());
  return bytes === null ? null : new TextDecoder().decode(bytes).trim();
}
