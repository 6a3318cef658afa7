import type { Settings } from "../env.ts";
import { readCapped } from "../lib/read-up-to.ts";
import {
  type Credential,
  type GuardedFetch,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  type Unlocked,
} from "../ports/fetch.ts";
import { type AddressPolicy, checkAddress } from "./address.ts";
import { covering, scrubbedHeaders, withCredentials } from "./credentials.ts";
import { requirePublic } from "./resolve.ts";

export interface GuardedFetchOptions {
  policy: AddressPolicy;
  /** The resolver that looks names up first, or null to check their text alone. */
  dnsOverHttpsUrl: string | null;
  /** Returns the credentials to add to requests; left out for none. */
  connections?: () => Promise<Unlocked>;
  /** A server answered 401 to a request with the credential of this connection. */
  onRefused?(connection: Pick<Credential, "connectionId" | "name">): void;
  fetch?: typeof fetch;
}

/** The User-Agent of every request; a caller cannot replace it. */
export const USER_AGENT = "Prompthook/1.0";

/**
 * Creates the only way to addresses that users choose. A name that changes between the look-up and the
 * connection (DNS rebinding) passes, since `fetch` takes the name and not the address that was looked
 * up. The second wall is Cloudflare's network, from which no private address is reachable.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const connect: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  return async (request) => {
    request.signal.throwIfAborted();
    const deadline = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const signal = AbortSignal.any([request.signal, deadline.signal]);
      const unlocked = (await options.connections?.()) ?? null;
      if (typeof unlocked?.missing === "string") {
        const message = `The connection ${unlocked.missing} was removed from the account, so nothing was sent.`;
        throw new OutboundError("connection_removed", message);
      }
      const context = {
        request: { ...request, signal },
        options: { ...options, fetch: connect },
        unlocked,
      };
      const hop = await allowed(firstHop(request), context);
      // Starts with the connection: a slow look-up, which has a deadline of its own, takes nothing from
      // the time of the receiver.
      timer = setTimeout(() => deadline.abort(), request.timeoutMs);
      return await follow(hop, context);
    } catch (error) {
      request.signal.throwIfAborted();
      throw deadline.signal.aborted ? timedOut(request) : asOutboundError(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Creates the fetch of a deployment, which never calls these hosts of the service itself. */
export function serviceFetch(
  { ALLOW_LOOPBACK, SERVICE_HOSTS, DNS_OVER_HTTPS_URL }: Settings,
  hosts: readonly string[],
  {
    schemes = ["https"],
    allowedHosts = null,
    ...options
  }: Partial<Pick<AddressPolicy, "schemes" | "allowedHosts">> &
    Pick<GuardedFetchOptions, "connections" | "onRefused"> = {},
): GuardedFetch {
  const ownHosts = [...hosts, ...SERVICE_HOSTS];
  return createGuardedFetch({
    policy: { allowLoopback: ALLOW_LOOPBACK, ownHosts, schemes, allowedHosts },
    dnsOverHttpsUrl: DNS_OVER_HTTPS_URL ?? null,
    ...options,
  });
}

interface Context {
  request: OutboundRequest;
  options: GuardedFetchOptions & { fetch: typeof fetch };
  unlocked: Unlocked | null;
}

/** Sends a hop whose address is allowed, and those that it redirects to. */
async function follow(first: Hop, context: Context): Promise<OutboundResponse> {
  const { request, options, unlocked } = context;
  const { maxRedirects = 0 } = request;
  let hop = first;
  for (let redirects = 0; ; redirects++) {
    // A redirect to another host never gets a credential, whatever that host is.
    const isSameHost = new URL(hop.url).host === new URL(first.url).host;
    const sent = isSameHost ? withCredentials(hop, unlocked, options.policy) : hop;
    const { url, ...init } = sent;
    const response = await options.fetch(url, {
      ...init,
      signal: request.signal,
      redirect: "manual",
    });
    if (response.status === 401 && sent !== hop) {
      for (const { connectionId, name } of covering(hop.url, unlocked))
        options.onRefused?.({ connectionId, name });
    }
    const next = nextHop(hop, response.status, response.headers.get("location"));
    if (!next || maxRedirects === 0) return await readResponse(hop, response, context);
    await response.body?.cancel();
    if (unlocked !== null && unlocked.scrubber.text(next.url) !== next.url) {
      throw new OutboundError("address_refused", "The address redirects with a credential in it.");
    }
    if (redirects === maxRedirects) {
      throw new OutboundError(
        "too_many_redirects",
        `The address redirects more than ${maxRedirects} times.`,
      );
    }
    hop = await allowed(next, context);
  }
}

function firstHop({ method, url, headers = {}, body }: OutboundRequest): Hop {
  const refusal = refusedHeaders(headers);
  if (refusal) throw new OutboundError("header_refused", refusal);
  const sent = new Headers(headers);
  sent.set("user-agent", USER_AGENT);
  return { method: method.toUpperCase(), url, headers: sent, body: body ?? null };
}

/** Returns the hop with the canonical form of its address, or throws if the address is not allowed. */
async function allowed(hop: Hop, { request, options }: Context): Promise<Hop> {
  return { ...hop, url: await allowedAddress(hop.url, options, request.signal) };
}

/** Returns the canonical form of an address, or throws an `OutboundError` if it is not allowed. */
export async function allowedAddress(
  address: string,
  { policy, dnsOverHttpsUrl, fetch }: Context["options"],
  signal: AbortSignal,
): Promise<string> {
  const check = checkAddress(address, policy);
  if (!check.ok) throw new OutboundError("address_refused", check.reason);
  if (check.kind === "name" && dnsOverHttpsUrl) {
    await requirePublic(check.url.hostname, { dnsOverHttpsUrl, fetch }, signal);
  }
  return check.url.href;
}

async function readResponse(
  hop: Hop,
  response: Response,
  { request: { maxBytes, signal, onBytes }, unlocked }: Context,
): Promise<OutboundResponse> {
  // What a server says of the length of an answer to HEAD is that of a body which never comes.
  if (hop.method === "HEAD") await response.body?.cancel();
  const body = hop.method === "HEAD" ? null : response.body;
  const { bytes, cut } = await readCapped(body, maxBytes, signal, onBytes);
  const { url } = hop;
  const { status, headers } = response;
  if (unlocked === null || unlocked.credentials.length === 0) {
    return { url, status, headers, bytes, cut };
  }
  // An answer may echo the credential; nothing of it goes further.
  const { scrubber } = unlocked;
  return {
    url: scrubber.text(url),
    status,
    headers: scrubbedHeaders(headers, scrubber.text),
    bytes: scrubber.bytes(bytes, cut),
    cut,
  };
}

function timedOut({ timeoutMs }: OutboundRequest): OutboundError {
  return new OutboundError("timeout", `The address did not answer within ${timeoutMs} ms.`);
}

/** Hides the runtime's own message, which can name parts of the network. */
function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(
    "network",
    "The address could not be reached, or closed the connection.",
  );
}

/** The parts of a request that a redirect can change. */
interface Hop {
  method: string;
  url: string;
  headers: Headers;
  body: string | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that may go to another origin; any other could carry a secret. */
const CROSS_ORIGIN_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/**
 * Returns the request of a redirect (Fetch standard, HTTP-redirect fetch), or null to return the
 * response unchanged: it is not a redirect, its location is invalid, or following it would send a method
 * other than GET or HEAD to another origin. The last rule is stricter than the standard: a body or a
 * command for one party is never repeated to another.
 */
function nextHop(hop: Hop, status: number, location: string | null): Hop | null {
  if (!REDIRECTS.has(status) || location === null) return null;
  const url = URL.parse(location, hop.url);
  if (!url) return null;
  const crossesOrigin = url.origin !== new URL(hop.url).origin;
  const toGet = becomesGet(hop.method, status);
  if (!toGet && crossesOrigin && hop.method !== "GET" && hop.method !== "HEAD") return null;
  return {
    method: toGet ? "GET" : hop.method,
    url: url.href,
    headers: keptHeaders(hop.headers, { toGet, crossesOrigin }),
    body: toGet ? null : hop.body,
  };
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function keptHeaders(
  headers: Headers,
  { toGet, crossesOrigin }: { toGet: boolean; crossesOrigin: boolean },
): Headers {
  const kept = new Headers();
  for (const [name, value] of headers) {
    if (crossesOrigin && !CROSS_ORIGIN_HEADERS.has(name)) continue;
    // Without the body, its headers and the key of its effect have no meaning.
    if (toGet && (name.startsWith("content-") || name === "idempotency-key")) continue;
    kept.set(name, value);
  }
  return kept;
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, section 5.5, less obs-text: no CR, LF or NUL, which would begin another header. */
const VALUE = /^[\t\x20-\x7e]*$/;

const MAX_HEADERS = 64;
const MAX_HEADERS_LENGTH = 16_384;

/**
 * Headers that belong to the connection (RFC 9110, section 7.6.1), to the routing of the request,
 * or to the origin as a proxy in front of the target sees it.
 */
const REFUSED = new Set([
  "host",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "content-length",
  "expect",
  "via",
  "forwarded",
  "true-client-ip",
  "x-real-ip",
]);
const REFUSED_PREFIXES = ["cf-", "proxy-", "x-forwarded-"];

/** Returns why headers are refused, as a sentence, or null. */
export function refusedHeaders(headers: Record<string, string>): string | null {
  const entries = Object.entries(headers);
  const length = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > MAX_HEADERS || length > MAX_HEADERS_LENGTH) {
    return `At most ${MAX_HEADERS} headers of ${MAX_HEADERS_LENGTH} characters together are allowed.`;
  }
  for (const [name, value] of entries) {
    if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a header name.`;
    if (!VALUE.test(value)) return `The value of the header ${name} has forbidden characters.`;
    if (isRefused(name.toLowerCase())) return `The header ${name} must not be set.`;
  }
  return null;
}

function isRefused(name: string): boolean {
  return REFUSED.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
