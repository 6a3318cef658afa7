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

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a URL's host name, as the WHATWG parser writes it, names this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
