import { epochMilliseconds } from "../../lib/epoch.ts";

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The instant that a signed timestamp names, in epoch milliseconds, or null: epoch seconds or
 * milliseconds, ISO 8601 with an offset, an HTTP date. Nothing else is read, since some templates join
 * the timestamp to its neighbours without a separator, and a lenient reader could be fed a part of them.
 */
export function signedTime(text: string): number | null {
  if (/^\d{9,14}$/.test(text)) return epochMilliseconds(Number(text));
  if (!ISO.test(text) && !HTTP_DATE.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
