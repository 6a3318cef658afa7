/**
 * Returns the delay of a `Retry-After` header (RFC 9110 §10.2.3: seconds, or an HTTP date) in milliseconds
 * from `now`, or null if it is missing or invalid.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const value = header?.trim() ?? "";
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  // Date.parse also accepts texts that are no HTTP date: it reads "-5" and "1.5" as days of 2001.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Whether two addresses lead to the same scheme, host and port. */
export function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

/** Adds parameters to the query of an address; a list is a repeated one. */
export function addToQuery(url: URL, query: Readonly<Record<string, string | string[]>>): void {
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) url.searchParams.append(name, each);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a URL's host name, as the WHATWG parser writes it, names this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

const PATTERN = /^(\*\.)?([^/?#@\\\s*]+)$/;
const HAS_PORT = /:\d+$/;

/**
 * Returns a pattern of hosts in its canonical form, or null if it is none: `example.com`, `*.example.com` for
 * its subdomains, an IP address; each with or without a port.
 */
export function hostPattern(text: string): string | null {
  const [, wildcard = "", host] = PATTERN.exec(text) ?? [];
  const url = host === undefined ? null : URL.parse(`https://${host}/`);
  if (host === undefined || url === null || url.hostname === "") return null;
  const isAddress = /^(?:\[|[\d.]+$)/.test(url.hostname);
  if (wildcard !== "" && (isAddress || !url.hostname.includes("."))) return null;
  // The parser drops the port 443, which a pattern may mean.
  const port = HAS_PORT.exec(host)?.[0] ?? "";
  return wildcard + bare(url.hostname) + port;
}

/** Whether one of these canonical patterns covers the host of an address. */
export function coversHost(patterns: readonly string[], url: URL): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === "http:" ? "80" : "443");
  return patterns.some((pattern) => {
    const portOf = HAS_PORT.exec(pattern)?.[0] ?? "";
    if (portOf !== "" && portOf !== `:${port}`) return false;
    const name = pattern.slice(0, pattern.length - portOf.length);
    return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}

/** Removes the root's trailing dot. */
const bare = (hostname: string) => hostname.replace(/\.$/, "");
