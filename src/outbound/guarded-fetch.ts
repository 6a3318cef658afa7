import {
  type GuardedFetch,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from "../agent/ports/fetch.ts";
import { type AddressPolicy, checkAddress } from "./address.ts";
import { readCapped } from "./body.ts";
import { refusedHeaders } from "./headers.ts";
import { type Hop, nextHop } from "./redirect.ts";
import { resolvePublic } from "./resolve.ts";

export interface GuardedFetchOptions {
  policy: AddressPolicy;
  /** A resolver that names are looked up with first, or null to check their text alone. */
  dnsOverHttpsUrl: string | null;
  fetch?: typeof fetch;
}

/** The one name that the service goes by; what a caller sets in its place is ignored. */
export const USER_AGENT = "Prompthook/1.0";

/**
 * The only way out. `fetch` takes a name, not an address, so it cannot be held to the address
 * that was looked up: a name that changes between the look-up and the connection (DNS rebinding)
 * passes. The second wall is Cloudflare's network, from which no private address is reachable.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const connect: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  return async (request) => {
    request.signal.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), request.timeoutMs);
    try {
      const signal = AbortSignal.any([request.signal, deadline.signal]);
      return await follow({ ...request, signal }, { ...options, fetch: connect });
    } catch (error) {
      request.signal.throwIfAborted();
      throw deadline.signal.aborted ? timedOut(request) : asOutboundError(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

type Options = Required<GuardedFetchOptions>;

async function follow(request: OutboundRequest, options: Options): Promise<OutboundResponse> {
  let hop = firstHop(request);
  for (let redirects = 0; ; redirects++) {
    hop = { ...hop, url: await allowedUrl(hop.url, request.signal, options) };
    const response = await send(hop, request.signal, options.fetch);
    const next = nextHop(hop, response.status, response.headers.get("location"));
    if (!next || request.maxRedirects === 0) return await receive(hop, response, request);
    await response.body?.cancel();
    if (redirects === request.maxRedirects) {
      throw new OutboundError(
        "too_many_redirects",
        `The address redirects more than ${request.maxRedirects} times.`,
      );
    }
    hop = next;
  }
}

function firstHop({ method, url, headers = {}, body }: OutboundRequest): Hop {
  const refusal = refusedHeaders(headers);
  if (refusal) throw new OutboundError("header_refused", refusal);
  const sent = new Headers(headers);
  sent.set("user-agent", USER_AGENT);
  return { method: method.toUpperCase(), url, headers: sent, body: body ?? null };
}

function send(
  { url, method, headers, body }: Hop,
  signal: AbortSignal,
  connect: typeof fetch,
): Promise<Response> {
  return connect(url, { method, headers, body, signal, redirect: "manual" });
}

/** The canonical form of an address that may be connected to. */
async function allowedUrl(
  address: string,
  signal: AbortSignal,
  { policy, dnsOverHttpsUrl, fetch }: Options,
): Promise<string> {
  const check = checkAddress(address, policy);
  if (!check.ok) throw new OutboundError("address_refused", check.reason);
  if (check.kind === "name" && dnsOverHttpsUrl) {
    const found = await resolvePublic(check.url.hostname, { dnsOverHttpsUrl, fetch }, signal);
    if (!found.ok) {
      throw new OutboundError(
        found.kind === "refused" ? "address_refused" : "lookup_failed",
        found.reason,
      );
    }
  }
  return check.url.href;
}

async function receive(
  hop: Hop,
  response: Response,
  { maxBytes, signal }: OutboundRequest,
): Promise<OutboundResponse> {
  const body = await readCapped(response.body, maxBytes, signal);
  return { url: hop.url, status: response.status, headers: response.headers, ...body };
}

function timedOut({ timeoutMs }: OutboundRequest): OutboundError {
  return new OutboundError("timeout", `The address did not answer within ${timeoutMs} ms.`);
}

/** The runtime's own message stays inside: it can name parts of the network. */
function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError("network", "The address could not be reached, or broke off.");
}
