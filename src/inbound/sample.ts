import { DEFAULT_TOKEN_HEADER } from "../contract/inbound/endpoint.ts";
import { type OutgoingMessage, signedUrl, signHeaders } from "./signatures/verify.ts";
import type { Endpoint } from "./types.ts";

/** Stands for the value of a header that only has to be there. */
const ANY_VALUE = "sample";

/** What a sender would add to a message. */
export interface Credentials {
  url: URL;
  headers: Record<string, string>;
}

/** The message's address and the headers that the endpoint asks for, as its own sender would make them. */
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
