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
