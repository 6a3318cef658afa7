import type { Child } from "hono/jsx";
import type { AllWebhookUsage, Usage, WebhookFigures } from "../../../contract/usage.ts";
import { BarChart, type ChartData } from "../../components/charts/bar-chart.tsx";
import { Time } from "../../components/elements.tsx";
import { type Column, RowLink, TablePart } from "../../components/table.tsx";
import { formatDuration, formatNumber } from "../../format.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import type { OverviewData, Part } from "./load.ts";

/** Executions by status. */
function executionsData({ bucket, buckets }: Usage): ChartData {
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

/** Credits that the executions of each bucket consumed. */
function creditsData({ bucket, buckets }: Usage): ChartData {
  const values = buckets.map(({ creditsConsumed }) => creditsConsumed);
  return {
    bucket,
    starts: startsOf(buckets),
    series: [{ label: "Credits", look: "accent", values }],
  };
}

/** Requests by outcome. */
function requestsData({ bucket, buckets }: AllWebhookUsage): ChartData {
  const of = (count: (requests: WebhookFigures["requests"]) => number) =>
    buckets.map(({ requests }) => count(requests));
  return {
    bucket,
    starts: startsOf(buckets),
    series: [
      { label: "Succeeded", look: "good", values: of(({ succeeded }) => succeeded) },
      { label: "Failed", look: "bad", values: of(({ failed }) => failed) },
      { label: "Rejected", look: "attention", values: of(({ rejected }) => rejected) },
      {
        label: "Duplicate, unrouted, superseded or logged",
        look: "idle",
        values: of(
          ({ duplicate, unrouted, superseded, logged }) =>
            duplicate + unrouted + superseded + logged,
        ),
      },
      {
        label: "Held or running",
        look: "busy",
        values: of(({ queued, running }) => queued + running),
      },
    ],
  };
}

function startsOf(buckets: readonly { start: string }[]): string[] {
  return buckets.map(({ start }) => start);
}

const COLUMNS: Column<AllWebhookUsage["endpoints"][number]>[] = [
  {
    name: "Endpoint",
    is: "wrap",
    isBare: true,
    cell: ({ endpointId, name }) => <RowLink href={endpointPath(endpointId)}>{name}</RowLink>,
  },
  { name: "Requests", is: "num", cell: ({ requests }) => formatNumber(totalOf(requests)) },
  { name: "Rejected", is: "num", cell: ({ requests }) => formatNumber(requests.rejected) },
  { name: "Failed", is: "num", cell: ({ requests }) => formatNumber(requests.failed) },
  {
    name: "Start delay p50",
    is: "num",
    cell: ({ latencyMs: { toStart } }) => formatDuration(toStart?.p50 ?? null),
  },
];

function totalOf(requests: AllWebhookUsage["total"]["requests"]): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** Executions, credits and requests over time. */
export function Traffic({ data: { usage, webhooks } }: { data: OverviewData }) {
  return (
    <>
      <div class="charts">
        {usage.ok ? (
          <ExecutionCharts usage={usage.value} />
        ) : (
          <Missing title="Executions" part={usage} />
        )}
        {webhooks.ok ? (
          <BarChart id="webhooks" title="Requests by outcome" data={requestsData(webhooks.value)} />
        ) : (
          <Missing title="Requests" part={webhooks} />
        )}
      </div>
      {webhooks.ok && webhooks.value.endpoints.length > 0 && (
        <TablePart
          title="Requests by endpoint"
          rows={webhooks.value.endpoints}
          nothing=""
          columns={COLUMNS}
        >
          <a href={WEBHOOKS}>View all endpoints</a>
        </TablePart>
      )}
      {usage.ok && <CountedFrom what="Executions" usage={usage.value} />}
      {webhooks.ok && <CountedFrom what="Requests" usage={webhooks.value} />}
      {webhooks.ok && webhooks.value.moreEndpoints && (
        <p class="muted">
          {`Requests are those of the ${webhooks.value.endpoints.length} newest endpoints.`}
        </p>
      )}
    </>
  );
}

function ExecutionCharts({ usage }: { usage: Usage }) {
  return (
    <>
      <BarChart id="runs" title="Executions by status" data={executionsData(usage)} />
      <BarChart id="credits" title="Credits consumed" data={creditsData(usage)} />
    </>
  );
}

function CountedFrom({ what, usage }: { what: string; usage: Usage | AllWebhookUsage }): Child {
  if (usage.countedFrom === usage.from) return null;
  return (
    <p class="muted">
      {`${what} are counted from `}
      <Time at={usage.countedFrom} />
      {" on: there are too many earlier ones."}
    </p>
  );
}

function Missing({ title, part }: { title: string; part: Extract<Part<unknown>, { ok: false }> }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="muted">{part.why}</p>
    </section>
  );
}
