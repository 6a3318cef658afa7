import type { Child } from "hono/jsx";
import type { AllWebhookUsage, Usage } from "../../../contract/usage.ts";
import { BarChart, type ChartData } from "../../components/bar-chart.tsx";
import { Badge, Time, ToldList } from "../../components/elements.tsx";
import { Action, Chips, Layout, show } from "../../components/layout.tsx";
import { TablePart } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { DECISIONS, decisionPath, EXECUTIONS, endpointPath, REQUESTS } from "../../paths.ts";
import { executionTable } from "../executions/list.tsx";
import { FirstSteps, serveFirstSteps } from "./first-run.tsx";
import {
  currentHour,
  isNewAccount,
  latestOf,
  loadOverview,
  type OverviewData,
  RANGES,
  type RangeId,
  readRange,
} from "./load.ts";

/** What requires an action of the reader: open decisions, and endpoints that hold requests. */
function Waiting({ data: { decisions, webhooks } }: { data: OverviewData }) {
  // With a workflow, queued requests start by themselves.
  const holding = (webhooks?.endpoints ?? []).filter(
    ({ workflowId, queuedCount }) => workflowId === null && queuedCount > 0,
  );
  if (decisions.length === 0 && holding.length === 0) return null;
  return (
    <section class="card attention" aria-labelledby="waiting">
      <h2 id="waiting">Requires action</h2>
      <ul class="todo">
        {decisions.map(({ decisionId, kind, title, promptPreview, expiresAt }) => (
          <li>
            <Badge
              state="waiting_for_input"
              label={kind === "approval" ? "Requires your approval" : "Asks a question"}
            />
            <a href={decisionPath(decisionId)}>{title}</a>
            <span>{promptPreview}</span>
            <span class="due">
              expires <Time at={expiresAt} />
            </span>
          </li>
        ))}
        {holding.map(({ endpointId, name, queuedCount }) => (
          <li>
            <Badge state="held" label="Held" />
            <a href={endpointPath(endpointId)}>{name}</a>
            <span>{`${formatCount(queuedCount, "request")} held until a workflow is attached`}</span>
          </li>
        ))}
      </ul>
      {decisions.length > 0 && <a href={DECISIONS}>View all decisions</a>}
    </section>
  );
}

/** Serves the account at a glance: what requires action, figures, charts, and the newest executions. */
export function serveOverview(app: Dashboard): void {
  app.get("/", async (http) => {
    const range = readRange(http.req.query("range"));
    const data = await loadOverview(http, range, Date.now());
    const isNew = isNewAccount(data);
    return show(
      http,
      <Layout
        title={isNew ? "Get started" : "Overview"}
        section="overview"
        crumb={null}
        live={livePath("/dashboard/overview/live", await fingerprint([data.latest, currentHour()]))}
        actions={
          !isNew && (
            <>
              <RangeSwitch range={range} hrefOf={pathWithRange("/dashboard")} />
              <Action scope="executions:write" href={`${EXECUTIONS}/new`}>
                Start execution
              </Action>
            </>
          )
        }
      >
        <FirstSteps data={data} isNew={isNew} />
        {!isNew && <Figures data={data} />}
      </Layout>,
    );
  });
  app.get("/overview/live", (http) =>
    streamFollowed(http, async () => [await latestOf(http.get("api")), currentHour()]),
  );
  serveFirstSteps(app);
}

function Figures({ data }: { data: OverviewData }) {
  const { credits, missing } = data;
  return (
    <>
      <Waiting data={data} />
      {credits && (
        <p class="figures">
          <strong>{`${formatNumber(credits.availableCredits)} credits available`}</strong>
          <span>{`${formatNumber(credits.reservedCredits)} held for executions that have not ended`}</span>
          <span>{`${formatNumber(credits.consumedCredits)} consumed by those that have`}</span>
        </p>
      )}
      <ToldList lines={[...missing]} />
      <Traffic data={data} />
      <TablePart
        title="Latest executions"
        rows={data.latest ?? "Executions could not be read."}
        nothing="No executions yet."
        {...executionTable(data.workflowNames)}
      >
        <a href={EXECUTIONS}>View all executions</a>
      </TablePart>
    </>
  );
}

/** Links to a page for each range of time. */
export function RangeSwitch({
  range,
  hrefOf,
}: {
  range: RangeId;
  hrefOf: (id: RangeId) => string;
}) {
  const links = RANGES.map(({ id, label }) => {
    return { label, href: hrefOf(id), isCurrent: id === range };
  });
  return <Chips label="Time range" links={links} />;
}

/** Returns the path of a page with a range; the shortest one is its default. */
export const pathWithRange =
  (path: string) =>
  (id: RangeId): string =>
    id === "24h" ? path : `${path}?range=${id}`;

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
function Traffic({ data: { usage, webhooks } }: { data: OverviewData }) {
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
