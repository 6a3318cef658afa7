import { unescapedOrNull } from "../lib/encoding.ts";
import { coversHost, isLoopbackHost } from "../lib/http.ts";
import type { Credential, Unlocked } from "../ports/fetch.ts";
import type { AddressPolicy } from "./address.ts";

interface Request {
  url: string;
  headers: Headers;
}

/**
 * Returns a request with the credentials of the connections that cover its address. They go over https; to
 * a loopback host, where that is allowed, also over http, since nothing leaves the machine.
 */
export function withCredentials<R extends Request>(
  request: R,
  unlocked: Unlocked | null,
  { allowLoopback }: Pick<AddressPolicy, "allowLoopback">,
): R {
  const url = new URL(request.url);
  const matching = covering(request.url, unlocked);
  if (matching.length === 0) return request;
  if (url.protocol !== "https:" && !(allowLoopback && isLoopbackHost(url.hostname))) return request;
  const headers = new Headers(request.headers);
  for (const { header, value } of matching) headers.set(header, value);
  return { ...request, headers };
}

/** Returns the credentials of the connections that cover an address. */
export function covering(address: string, unlocked: Unlocked | null): Credential[] {
  const url = new URL(address);
  return (unlocked?.credentials ?? []).filter((each) => covers(each, url));
}

function covers({ hosts, pathPrefix }: Credential, url: URL): boolean {
  if (!coversHost(hosts, url)) return false;
  if (pathPrefix === null) return true;
  const { pathname } = url;
  if (mayClimb(pathname)) return false;
  const prefix = pathPrefix.replace(/\/$/, "");
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}

/** The most times that a path is decoded; no server decodes so often. */
const MAX_DECODINGS = 5;

/**
 * Tells whether a server could read a path as one above it. Servers differ in how often they decode, in the
 * characters that they take for `/` and `.`, drop or cut off (`..;a=b`), and in the escapes that they accept.
 */
function mayClimb(pathname: string): boolean {
  const separators = pathname.split("/").length;
  let path = pathname;
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
    // Other forms of characters, such as a full-width dot, become the usual ones.
    const decoded = unescapedOrNull(path)?.normalize("NFKC") ?? null;
    if (decoded === path)
      return path.split("/").length !== separators || /\/\.\.|[\\;\p{Cc}]/u.test(path);
    if (decoded === null) return true;
    path = decoded;
  }
  return true;
}

/** Returns headers with their values scrubbed. */
export function scrubbedHeaders(headers: Headers, text: (text: string) => string): Headers {
  return new Headers([...headers].map(([name, value]) => [text(name), text(value)]));
}
