import { type JsonObject, jsonObject } from "../contract/json.ts";
import type { ReceivedRequest, RouteDecision } from "../contract/webhooks/inbox.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import type { PublicKeyScheme, SignatureScheme } from "../contract/webhooks/signature.ts";
import { isTelltale, REDACTED } from "../lib/redaction.ts";
import { tokensIn } from "./credentials.ts";
import type { ReceivedBody } from "./payload/body.ts";
import { objectOf } from "./payload/parse.ts";
import { allValues } from "./secrets.ts";
import type { Admission, Endpoint, InboundRequest } from "./types.ts";

export type LoggedParts = Omit<ReceivedRequest, "requestId" | "replayOf" | "edited" | "batch">;

const MAX_HEADERS = 100;
const MAX_VALUE_LENGTH = 4_096;
const MAX_METHOD_LENGTH = 20;
const MAX_IP_LENGTH = 50;
/** A secret that is short, one plain word or a short number also occurs where it is no secret. */
const WEAK = /^(?:.{0,7}|[a-z]{0,15}|\d{0,11})$/is;
/** The value of a required header is often a plain word, such as `production`, that payloads contain. */
const MIN_HEADER_SECRET_LENGTH = 16;

/**
 * Returns the tokens in the body of a refused request. A wrong one may be the secret of another endpoint,
 * or this one's mistyped.
 */
export async function refusedTokens(
  { config: { auth } }: Endpoint,
  request: InboundRequest,
  { verdict }: Admission,
): Promise<string[]> {
  if (verdict.kind !== "refuse" || auth.token?.in !== "body") return [];
  const { given } = await tokensIn(auth.token, request);
  return given.flat().filter((token) => token !== "");
}

/** Returns what the log keeps of a request, without credentials and signatures, by name and by value. */
export function redacted(by: Redactor, request: InboundRequest): LoggedParts {
  const { endpoint, hide } = by;
  const { body, bodyTruncated } = bodyOf(request.body, by);
  const contentType = request.headers.get("Content-Type");
  return {
    method: request.method.slice(0, MAX_METHOD_LENGTH),
    path: cut(hide(request.url.pathname)),
    query: queryOf(request.url.searchParams, endpoint, hide),
    headers: headersOf(endpoint, request.headers, hide),
    contentType: contentType === null ? null : cut(hide(contentType)),
    body,
    bodyTruncated,
    sourceIp: request.sourceIp?.slice(0, MAX_IP_LENGTH) ?? null,
    receivedAt: request.receivedAt,
  };
}

/**
 * Returns the admission without secrets. Mapped inputs are redacted as well, so that an execution gets
 * the same inputs whether its request is started at once, held or replayed.
 */
export function redactedAdmission({ hide }: Redactor, admission: Admission): Admission {
  const { checks, verdict } = admission;
  switch (verdict.kind) {
    case "handshake":
      return admission;
    case "accept": {
      const { mappedInputs, warnings, routes } = verdict;
      const inputs = mappedInputs && hideInputs(mappedInputs, hide);
      const hidden = { mappedInputs: inputs, warnings: warnings.map(hide) };
      return { checks, verdict: { ...verdict, ...hidden, routes: hideRoutes(routes, hide) } };
    }
    case "refuse": {
      const { refusal, routes } = verdict;
      const errors = refusal.errors.map((error) => hideError(error, hide));
      const hidden = { refusal: { ...refusal, errors }, routes: hideRoutes(routes, hide) };
      return { checks, verdict: { ...verdict, ...hidden } };
    }
  }
}

function hideRoutes(routes: RouteDecision[] | null, hide: Hide): RouteDecision[] | null {
  if (routes === null) return null;
  return routes.map(({ reason, key, inputs, warnings, errors, ...rest }) => ({
    ...rest,
    reason: hide(reason),
    key: key && hide(key),
    inputs: inputs && hideInputs(inputs, hide),
    warnings: warnings.map(hide),
    errors: errors.map((error) => hideError(error, hide)),
  }));
}

function hideError({ path, ...error }: StageError, hide: Hide): StageError {
  const shown = path === undefined ? {} : { path: hide(path) };
  return { ...error, ...shown, message: hide(error.message) };
}

/** Keeps the names of the inputs, which the workflow defines, and those within, which it reads them by. */
function hideInputs(inputs: JsonObject, hide: Hide): JsonObject {
  const text = JSON.stringify(inputs);
  return hide(text) === text ? inputs : jsonObject.parse(JSON.parse(hideInJson(text, hide)));
}

type Hide = (text: string) => string;

/** What hides the secrets of an endpoint in requests, and the values that it hides where they are whole. */
interface Redactor {
  endpoint: Endpoint;
  hide: Hide;
  values: string[];
}

/** Cached by endpoint, because many requests use the same one. */
const redactors = new WeakMap<Endpoint, Redactor>();

/** Returns what hides the secrets of an endpoint, and the tokens that a request has in their place. */
export function redactorOf(endpoint: Endpoint, given: string[] = []): Redactor {
  const known = given.length === 0 && redactors.get(endpoint);
  if (known) return known;
  const secrets = [...secretsOf(endpoint), ...given.filter((token) => !WEAK.test(token))];
  const values = [...wholeValues(endpoint), ...given];
  const redactor = { endpoint, hide: hider(secrets, values), values };
  if (given.length === 0) redactors.set(endpoint, redactor);
  return redactor;
}

/**
 * Returns a function that replaces each of the secrets, also if escaped, and each of `values` where it is
 * the whole text, also in quotes.
 */
function hider(secrets: string[], values: string[]): Hide {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const quoted = values.map((value) => JSON.stringify(value));
  return (text) => {
    if (values.includes(text)) return REDACTED;
    if (quoted.includes(text)) return JSON.stringify(REDACTED);
    return forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
  };
}

/** Returns the tokens that bodies and queries hold, weak ones included. */
function wholeValues({ config: { auth }, token }: Endpoint): string[] {
  const source = auth.token?.in;
  return source === "body" || source === "query" ? allValues(token) : [];
}

/** Returns a secret as it appears in plain text, JSON, an address and a form. */
function formsOf(secret: string): string[] {
  const inAddress = encodeURIComponent(secret);
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), inAddress, inForm];
}

function secretsOf({ token, hmac, headerValues }: Endpoint): string[] {
  const secrets = [token, hmac]
    .flatMap(allValues)
    .flatMap((secret) => [secret, secret.replace(/^whsec_/, "")]);
  return [
    ...secrets.filter((secret) => !WEAK.test(secret)),
    ...headerValues
      .filter((value) => value !== null)
      .filter((value) => value.length >= MIN_HEADER_SECRET_LENGTH),
  ];
}

function headersOf(endpoint: Endpoint, headers: Headers, hide: Hide): LoggedParts["headers"] {
  const own = ownSecretHeaders(endpoint);
  const kept = [...headers].slice(0, MAX_HEADERS).map(([name, value]) => {
    const isSecret = isTelltale(name) || own.has(name);
    return [name, isSecret ? REDACTED : cut(hide(value))] as const;
  });
  return Object.fromEntries(kept);
}

/** Returns the headers that carry a secret of this endpoint, in lower case as `Headers` lists them. */
function ownSecretHeaders({ config: { auth } }: Endpoint): Set<string> {
  const names = [
    auth.token?.header,
    ...[auth.hmac?.scheme, auth.signature?.scheme].flatMap(signatureHeaders),
    ...auth.headers.filter(({ value }) => value !== null).map(({ name }) => name),
  ];
  return new Set(names.flatMap((name) => (name ? [name.toLowerCase()] : [])));
}

function signatureHeaders(scheme: SignatureScheme | PublicKeyScheme | undefined): string[] {
  if (scheme === undefined || !("header" in scheme)) return [];
  if (!("aliases" in scheme)) return [scheme.header];
  const { aliases, furtherHeaders = [] } = scheme;
  return [...[scheme, ...aliases].map(({ header }) => header), ...furtherHeaders];
}

function queryOf(
  query: URLSearchParams,
  { config: { auth } }: Endpoint,
  hide: Hide,
): LoggedParts["query"] {
  const secretNames = ["hub.verify_token", auth.token?.in === "query" ? auth.token.name : null];
  return objectOf(
    [...query].map(([name, value]) => {
      return [name, secretNames.includes(name) ? REDACTED : hide(value)] as const;
    }),
  );
}

/** Returns the body of a request as the log keeps it. */
export function redactedBody(by: Redactor, request: InboundRequest): LoggedParts["body"] {
  return bodyOf(request.body, by).body;
}

/** Omits a body that is still compressed: no secret could be found in it. */
function bodyOf(body: ReceivedBody, by: Redactor): Pick<LoggedParts, "body" | "bodyTruncated"> {
  const decoded = body.kind === "whole" ? body.decoded : null;
  const whole = decoded?.kind === "whole" ? decoded.bytes : null;
  const bytes = body.kind === "whole" ? whole : body.beginning;
  return {
    body: bytes === null || bytes.length === 0 ? null : hideBytes(bytes, by),
    bodyTruncated: whole === null,
  };
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Returns bytes without a secret unchanged, also if they are not text. */
function hideBytes(bytes: Uint8Array, { hide, values }: Redactor): Uint8Array {
  const text = decoder.decode(bytes);
  const plain = hide(text);
  const isJson = JSON_START.test(text);
  // A body in which no secret occurs is not taken apart.
  if (plain === text && !(isJson && values.some((value) => text.includes(value)))) return bytes;
  return new TextEncoder().encode(isJson ? hideInJson(text, hide) : plain);
}

const JSON_START = /^\s*[{[]/;
/** A text in JSON, with the colon behind it if it is a name. The end may be cut off. */
const JSON_TEXT = /"(?:[^"\\]|\\.)*(?:"(\s*:)?|$)/gs;

/** Hides secrets in the values of JSON and keeps its names. */
function hideInJson(text: string, hide: Hide): string {
  return text.replace(JSON_TEXT, (found, colon) => (colon === undefined ? hide(found) : found));
}

function cut(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
