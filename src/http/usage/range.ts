import type * as z from "zod";
import { closed } from "../../contract/fields.ts";
import { type UsageBucket, type UsageRange, usageBucket } from "../../contract/usage.ts";
import { invalid } from "../problem.ts";
import { moment } from "../query.ts";

const BUCKET_MS: Record<UsageBucket, number> = { hour: 3_600_000, day: 86_400_000 };
/** Buckets of a range that names no beginning: a day of hours, a month of days. */
const USUAL_BUCKETS: Record<UsageBucket, number> = { hour: 24, day: 30 };
/** A month of hours, or two years of days. */
export const MOST_BUCKETS = 744;

/** The query of a usage route. */
export const usageQuery = closed({
  from: moment
    .optional()
    .describe(
      "Where to begin, in the bucket that this lies in. Otherwise 24 hours or 30 days ago.",
    ),
  to: moment.optional().describe("Where to end, with the bucket that this lies in. Otherwise now."),
  bucket: usageBucket
    .default("hour")
    .describe("How long a bucket is. All begin at whole hours or days of UTC."),
});

/**
 * The whole buckets that a query is about. UTC has days of one length, so that nothing but their
 * number is needed. Throws for a range that is empty, to come, or of too many buckets. `now` in
 * epoch milliseconds.
 */
export function rangeOf(query: z.output<typeof usageQuery>, now: number): UsageRange {
  const bucketMs = BUCKET_MS[query.bucket];
  const last = Math.min(query.to ?? now, now);
  const to = Math.ceil(last / bucketMs) * bucketMs;
  const earliest = query.from ?? to - USUAL_BUCKETS[query.bucket] * bucketMs;
  const from = Math.floor(Math.max(earliest, 0) / bucketMs) * bucketMs;
  if (from >= to || earliest >= last) {
    throw invalid("from", "range", "must be before to, in the past and after 1970");
  }
  const buckets = (to - from) / bucketMs;
  if (buckets > MOST_BUCKETS) {
    const hint = query.bucket === "hour" ? "; bucket=day covers more" : "";
    throw invalid("from", "range", `is ${buckets} buckets ago, of ${MOST_BUCKETS} at most${hint}`);
  }
  return { from, to, bucketMs };
}

/** What an answer says of its range. */
export function rangeFields(
  bucket: UsageBucket,
  { from, to }: UsageRange,
  countedFrom: number,
): { bucket: UsageBucket; from: string; to: string; countedFrom: string } {
  return { bucket, from: iso(from), to: iso(to), countedFrom: iso(countedFrom) };
}

/** The beginnings of the buckets, the oldest first. */
export function startsOf({ from, to, bucketMs }: UsageRange): number[] {
  return Array.from({ length: (to - from) / bucketMs }, (_, at) => from + at * bucketMs);
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
