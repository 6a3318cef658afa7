import { DEFAULT_TOKEN_HEADER, type StoredAuth } from "../contract/webhooks/endpoint.ts";
import { toBase64 } from "../lib/encoding.ts";
import { type OutgoingMessage, signedUrl, signHeaders } from "./signatures/verify.ts";
import type { Endpoint } from "./types.ts";

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
