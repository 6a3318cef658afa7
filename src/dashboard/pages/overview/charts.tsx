import type { Child } from "hono/jsx";
import type { AllWebhookUsage, Usage } from "../../../contract/usage.ts";
import { BarChart, type ChartData } from "../../components/bar-chart.tsx";
import { Time } from "../../components/elements.tsx";
import { EXECUTIONS, REQUESTS } from "../../paths.ts";
import type { OverviewData } from "./load.ts";

type Look = ChartData["series"][number]["look"];

/** Returns a chart's data: of each bucket, the counts of each series. */
function chartOf<Bucket extends { start: string }>(
  { bucket, buckets }: { bucket: ChartData["bucket"]; buckets: readonly Bucket[] },
  series: readonly (readonly [label: string, look: Look, count: (of: Bucket) => number])[],
): ChartData {
  return {
    bucket,
    starts: buckets.map(({ start }) => start),
    series: series.map(([label, look, count]) => ({ label, look, values: buckets.map(count) })),
  };
}

const executionsData = (usage: Usage): ChartData =>
  chartOf(usage, [
    ["Completed", "good", ({ executions }) => executions.completed],
    ["Failed", "bad", ({ executions }) => executions.failed],
    ["Stopped", "idle", ({ executions }) => executions.stopped],
    ["Waiting", "attention", ({ executions }) => executions.waiting_for_input],
    ["Active", "busy", ({ executions }) => executions.active],
  ]);

const creditsData = (usage: Usage): ChartData =>
  chartOf(usage, [["Credits", "accent", ({ creditsConsumed }) => creditsConsumed]]);

/** Returns the requests over time by what became of them. */
export const requestsData = (usage: AllWebhookUsage): ChartData =>
  chartOf(usage, [
    ["Succeeded", "good", ({ requests }) => requests.succeeded],
    ["Failed", "bad", ({ requests }) => requests.failed],
    ["Rejected", "attention", ({ requests }) => requests.rejected],
    [
      "Duplicate, unrouted, superseded or logged",
      "idle",
      ({ requests: { duplicate, unrouted, superseded, logged } }) =>
        duplicate + unrouted + superseded + logged,
    ],
    ["Held or running", "busy", ({ requests: { queued, running } }) => queued + running],
  ]);

/** Returns the list of the executions that were created between two times. */
const executionsBetween = (from: string, to: string): string =>
  `${EXECUTIONS}?createdAfter=${from}&createdBefore=${to}`;

/** Executions, credits and requests over time. */
export function Traffic({ data: { usage, webhooks } }: { data: OverviewData }) {
  return (
    <>
      <div class="charts">
        {usage && (
          <>
            <BarChart
              id="runs"
              title="Executions by status"
              data={executionsData(usage)}
              hrefOf={executionsBetween}
            />
            <BarChart
              id="credits"
              title="Credits consumed"
              data={creditsData(usage)}
              hrefOf={executionsBetween}
            />
          </>
        )}
        {webhooks && (
          <BarChart
            id="webhooks"
            title="Requests by outcome"
            data={requestsData(webhooks)}
            hrefOf={(from, to) => `${REQUESTS}?receivedAfter=${from}&receivedBefore=${to}`}
          />
        )}
      </div>
      {usage && <CountedFrom what="Executions" usage={usage} />}
      {webhooks && <CountedFrom what="Requests" usage={webhooks} />}
      {webhooks?.moreEndpoints && (
        <p class="muted">
          {`Requests are those of the ${webhooks.endpoints.length} newest endpoints.`}
        </p>
      )}
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
