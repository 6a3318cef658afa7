import { DEFAULT_TOKEN_HEADER, type StoredAuth } from "../contract/webhooks/endpoint.ts";
import { fromBase64, toBase64 } from "../lib/encoding.ts";
import { readEach } from "./mapping/payload-path.ts";
import { payloadOf } from "./payload/parse.ts";
import { type OutgoingMessage, signedUrl, signHeaders } from "./signatures/verify.ts";
import type { Endpoint, InboundRequest } from "./types.ts";

export type StoredToken = NonNullable<StoredAuth["token"]>;

/** The tokens of a request. */
export interface GivenTokens {
  /** The place where a token must be. */
  place: string;
  /** Alternatives, one of which must be right; a body may hold several lists, each with one token. */
  given: string[][];
}

/** Returns the tokens at the place that the endpoint's authentication names. */
export async function tokensIn(
  { in: source, header, name = "" }: StoredToken,
  request: InboundRequest,
): Promise<GivenTokens> {
  switch (source) {
    case undefined: {
      const place = header ?? DEFAULT_TOKEN_HEADER;
      return { place, given: listOf(headerTokens(request.headers, place)) };
    }
    case "query":
      return { place: name, given: listOf(request.url.searchParams.getAll(name)) };
    case "basic":
      return { place: "Authorization", given: listOf(basicCredentials(request.headers)) };
    case "body": {
      const payload = await payloadOf(request);
      const values = payload === undefined ? [] : (readEach(payload, name) ?? []);
      return {
        place: name,
        given: values.map((value) => [typeof value === "string" ? value : ""]),
      };
    }
  }
}

const listOf = (tokens: string[]): string[][] => (tokens.length === 0 ? [] : [tokens]);

/** Returns the candidates: the named header, with or without `Bearer`, and a bearer token. */
function headerTokens(headers: Headers, name: string): string[] {
  const named = headers.get(name);
  const found = [named, bearerOf(named), bearerOf(headers.get("Authorization"))];
  return [...new Set(found.filter((text) => text !== null))];
}

function bearerOf(header: string | null): string | null {
  return /^Bearer +(\S.*)$/i.exec(header ?? "")?.[1] ?? null;
}

/** Returns `user:password` of Basic authentication (RFC 7617). */
export function basicCredentials(headers: Headers): string[] {
  const text = /^Basic +(\S+) *$/i.exec(headers.get("Authorization") ?? "")?.[1];
  const bytes = text === undefined ? null : fromBase64(text);
  return bytes === null ? [] : [new TextDecoder().decode(bytes)];
}

/** Value of a required header that may have any value. */
const ANY_VALUE = "sample";

/** The address and headers that authenticate a message. */
export interface Credentials {
  url: URL;
  headers: Record<string, string>;
}

/** Returns the address and headers that the endpoint's own sender would use for a message. */
export async function credentialsFor(
  { config: { auth }, token, hmac, headerValues }: Endpoint,
  message: OutgoingMessage,
): Promise<Credentials> {
  const headers: Record<string, string> = {};
  for (const [at, { name }] of auth.headers.entries())
    headers[name] = headerValues[at] ?? ANY_VALUE;
  const called = new URL(message.url);
  if (auth.token && token) addToken(auth.token, token.current, called, headers);
  if (auth.hmac === null || hmac === null) return { url: called, headers };
  const { scheme } = auth.hmac;
  const url = await signedUrl(scheme, { ...message, url: called });
  const signature = await signHeaders(scheme, hmac.current, { ...message, url });
  return { url, headers: { ...headers, ...signature } };
}

/** Adds the token to the address or the headers. One in the body belongs to the sample itself. */
function addToken(
  { in: source, name = "", header }: NonNullable<StoredAuth["token"]>,
  token: string,
  url: URL,
  headers: Record<string, string>,
): void {
  if (source === undefined) headers[header ?? DEFAULT_TOKEN_HEADER] = token;
  if (source === "query") url.searchParams.set(name, token);
  if (source === "basic") {
    headers.Authorization = `Basic ${toBase64(new TextEncoder().encode(token))}`;
  }
}
