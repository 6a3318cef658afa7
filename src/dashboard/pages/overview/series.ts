import type { AllWebhookUsage, Usage, WebhookFigures } from "../../../contract/usage.ts";
import type { ChartData } from "../../components/charts/data.ts";

/** Runs by what became of them. */
export function runsData({ bucket, buckets }: Usage): ChartData {
  const of = (status: keyof Usage["total"]["executions"]) =>
    buckets.map(({ executions }) => executions[status]);
  return {
    bucket,
    starts: startsOf(buckets),
    series: [
      { label: "Completed", look: "good", values: of("completed") },
      { label: "Failed", look: "bad", values: of("failed") },
      { label: "Stopped", look: "idle", values: of("stopped") },
      { label: "Waiting for input", look: "attention", values: of("waiting_for_input") },
      { label: "Active", look: "busy", values: of("active") },
    ],
  };
}

/** Credits that the runs of each bucket have used. */
export function creditsData({ bucket, buckets }: Usage): ChartData {
  const values = buckets.map(({ creditsConsumed }) => creditsConsumed);
  return {
    bucket,
    starts: startsOf(buckets),
    series: [{ label: "Credits used", look: "accent", values }],
  };
}

/** Webhooks by what became of them. */
export function webhooksData({ bucket, buckets }: AllWebhookUsage): ChartData {
  const of = (count: (requests: WebhookFigures["requests"]) => number) =>
    buckets.map(({ requests }) => count(requests));
  return {
    bucket,
    starts: startsOf(buckets),
    series: [
      { label: "Succeeded", look: "good", values: of(({ succeeded }) => succeeded) },
      { label: "Failed", look: "bad", values: of(({ failed }) => failed) },
      { label: "Rejected", look: "attention", values: of(({ rejected }) => rejected) },
      { label: "Duplicate", look: "idle", values: of(({ duplicate }) => duplicate) },
      {
        label: "Held or under way",
        look: "busy",
        values: of(({ queued, running }) => queued + running),
      },
    ],
  };
}

/** How long webhooks took up to a point, by the median and by the slowest of a hundred. */
export function latencyData(
  { bucket, buckets }: AllWebhookUsage,
  upTo: "toStart" | "toCompletion",
): ChartData {
  const of = (which: "p50" | "p99") =>
    buckets.map(({ latencyMs }) => latencyMs[upTo]?.[which] ?? null);
  return {
    bucket,
    starts: startsOf(buckets),
    series: [
      { label: "p50", look: "accent", values: of("p50") },
      { label: "p99", look: "attention", values: of("p99") },
    ],
  };
}

function startsOf(buckets: readonly { start: string }[]): string[] {
  return buckets.map(({ start }) => start);
}
