/**
 * How long a `Retry-After` header (RFC 9110 section 10.2.3: seconds, or an HTTP date) asks to wait, in
 * milliseconds from `now`; null when there is none or it says nothing that can be read.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const value = header?.trim() ?? "";
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  // Date.parse alone takes much that is no HTTP date: "-5" and "1.5" are days of 2001 to it.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL's host name, as the WHATWG parser writes it, is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
