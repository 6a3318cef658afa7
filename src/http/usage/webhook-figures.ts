import type { InboxUsage, UsageRange, UsageStratum, WebhookFigures } from "../../contract/usage.ts";
import { percentilesOf } from "./percentiles.ts";
import { iso, startsOf } from "./range.ts";

/** Latencies that are looked at for one answer, over all buckets, statuses and endpoints. */
const MOST_SAMPLES = 24_000;
/** More of one bucket and status would not make its percentiles much better. */
const ENOUGH_SAMPLES = 300;
const MEASURED_STATUSES = 3;

/** How many latencies are asked for of each status in each bucket of each endpoint. */
export function samplesFor({ from, to, bucketMs }: UsageRange, endpoints: number): number {
  const places = ((to - from) / bucketMs) * Math.max(1, endpoints) * MEASURED_STATUSES;
  return Math.max(1, Math.min(ENOUGH_SAMPLES, Math.floor(MOST_SAMPLES / places)));
}

/** What inboxes counted, together: by bucket and in all. */
export function webhookBuckets(
  range: UsageRange,
  inboxes: readonly InboxUsage[],
): {
  countedFrom: number;
  buckets: (WebhookFigures & { start: string })[];
  total: WebhookFigures;
} {
  const countedFrom = Math.max(range.from, ...inboxes.map((inbox) => inbox.countedFrom));
  const strata = inboxes
    .flatMap((inbox) => inbox.strata)
    // A bucket that one inbox did not count would look like a quiet one.
    .filter(({ start }) => start + range.bucketMs > countedFrom);
  const byStart = Map.groupBy(strata, ({ start }) => start);
  const buckets = startsOf(range).map((start) => ({
    start: iso(start),
    ...webhookFigures(byStart.get(start) ?? []),
  }));
  return { countedFrom, buckets, total: webhookFigures(strata) };
}

/** The figures of these together. */
export function webhookFigures(strata: readonly UsageStratum[]): WebhookFigures {
  const requests = { rejected: 0, queued: 0, running: 0, succeeded: 0, failed: 0, duplicate: 0 };
  for (const { status, count } of strata) requests[status] += count;
  const samplesOf = (part: "toStart" | "toCompletion") =>
    strata.map((stratum) => ({
      values: stratum[part],
      sampled: stratum.sampled,
      of: stratum.count,
    }));
  return {
    requests,
    latencyMs: {
      toStart: percentilesOf(samplesOf("toStart")),
      toCompletion: percentilesOf(samplesOf("toCompletion")),
    },
  };
}
