/** The parts of a request that a redirect can change. */
export interface Hop {
  method: string;
  url: string;
  headers: Headers;
  body: string | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that may go to another origin: all others could carry a secret, whatever their name. */
const CROSS_ORIGIN_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/**
 * The request that a redirect asks for, by the Fetch standard's HTTP-redirect fetch, or null when
 * the answer is to be handed back as it is: it is no redirect, it names no readable address, or
 * following it would send a method other than GET or HEAD to another origin. The last is stricter
 * than the standard: a body, or a command, meant for one party is never repeated to another.
 */
export function nextHop(hop: Hop, status: number, location: string | null): Hop | null {
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
    // What described the body, and the key that named the effect, ends with them.
    if (toGet && (name.startsWith("content-") || name === "idempotency-key")) continue;
    kept.set(name, value);
  }
  return kept;
}
