import { DEFAULT_TOKEN_HEADER } from "../contract/inbound/endpoint.ts";
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
  if (auth.token && token) headers[auth.token.header ?? DEFAULT_TOKEN_HEADER] = token.current;
  if (auth.hmac === null || hmac === null) return { url: message.url, headers };
  const { scheme } = auth.hmac;
  const url = await signedUrl(scheme, message);
  const signature = await signHeaders(scheme, hmac.current, { ...message, url });
  return { url, headers: { ...headers, ...signature } };
}
