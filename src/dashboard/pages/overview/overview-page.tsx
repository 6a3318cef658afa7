import type { DecisionRecord } from "../../../contract/decisions.ts";
import type { AllWebhookUsage, Percentiles } from "../../../contract/usage.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Action, show } from "../../components/reader.tsx";
import { type Column, TablePart } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, formatDuration, formatNumber } from "../../format.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { DECISIONS, decisionPath, EXECUTIONS, endpointPath } from "../../paths.ts";
import { executionTable } from "../executions/list.tsx";
import { REQUEST_COLUMNS } from "../requests/request-log.tsx";
import { Traffic } from "./charts.tsx";
import { FirstSteps, serveFirstEndpoint } from "./first-run.tsx";
import {
  isNewAccount,
  latestOf,
  loadOverview,
  type OverviewData,
  RANGES,
  type RangeId,
  readRange,
} from "./load.ts";

/** The account's balance and the figures of the range. */
function Numbers({ data: { range, credits, usage, webhooks } }: { data: OverviewData }) {
  const span = RANGES.find(({ id }) => id === range)?.label ?? "";
  return (
    <section class="card" aria-label="Figures">
      <dl class="tiles">
        {credits.ok && (
          <Tile
            name="Credits available"
            value={formatNumber(credits.value.availableCredits)}
            note={`${formatNumber(credits.value.reservedCredits)} reserved for executions that have not ended`}
          />
        )}
        {usage.ok && <ExecutionTiles figures={usage.value.total} span={span} />}
        {webhooks.ok && <RequestTiles figures={webhooks.value.total} span={span} />}
      </dl>
      {!credits.ok && <p class="muted">{`Balance: ${credits.why}`}</p>}
    </section>
  );
}

interface TileProps<Which extends "usage" | "webhooks"> {
  figures: Extract<OverviewData[Which], { ok: true }>["value"]["total"];
  /** The range in words. */
  span: string;
}

function ExecutionTiles({ figures: { executions, creditsConsumed }, span }: TileProps<"usage">) {
  const { completed, failed } = executions;
  return (
    <>
      <Tile
        name={`Executions in ${span}`}
        value={formatNumber(sum(executions))}
        note={`${formatNumber(completed)} completed, ${formatNumber(failed)} failed`}
      />
      <Tile
        name={`Credits consumed in ${span}`}
        value={formatNumber(creditsConsumed)}
        note="including those of executions that have not ended"
      />
    </>
  );
}

function RequestTiles({ figures: { requests, latencyMs }, span }: TileProps<"webhooks">) {
  return (
    <>
      <Tile
        name={`Requests in ${span}`}
        value={formatNumber(sum(requests))}
        note={`${formatNumber(requests.rejected)} rejected, ${formatNumber(requests.failed)} failed`}
      />
      <Tile
        name="Start delay, p50"
        value={half(latencyMs.toStart)}
        note={`${most(latencyMs.toStart)}; total time p50 ${half(latencyMs.toCompletion)}`}
      />
    </>
  );
}

function Tile({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="figure">{value}</span>
        <span class="muted">{note}</span>
      </dd>
    </div>
  );
}

function half(percentiles: Percentiles): string {
  return formatDuration(percentiles?.p50 ?? null);
}

function most(percentiles: Percentiles): string {
  return `p99 ${formatDuration(percentiles?.p99 ?? null)}`;
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** What requires an action of the reader. */
function Waiting({ data: { decisions, webhooks } }: { data: OverviewData }) {
  const open = decisions.ok ? decisions.value : [];
  const holding = webhooks.ok ? webhooks.value.endpoints.filter(isHolding) : [];
  if (open.length === 0 && holding.length === 0) return null;
  return (
    <section class="card attention" aria-labelledby="waiting">
      <h2 id="waiting">Requires action</h2>
      <ul class="todo">
        {open.map((decision) => (
          <OpenDecision decision={decision} />
        ))}
        {holding.map((endpoint) => (
          <Holding endpoint={endpoint} />
        ))}
      </ul>
      {open.length > 0 && <a href={DECISIONS}>View all decisions</a>}
    </section>
  );
}

function OpenDecision({ decision }: { decision: DecisionRecord }) {
  const { decisionId, kind, title, promptPreview, expiresAt } = decision;
  return (
    <li>
      <Badge
        state="waiting_for_input"
        label={kind === "approval" ? "Requires your approval" : "Asks a question"}
      />
      <a href={decisionPath(decisionId)}>{title}</a>
      <span>{promptPreview}</span>
      <Time at={expiresAt} />
    </li>
  );
}

type Endpoint = AllWebhookUsage["endpoints"][number];

function Holding({ endpoint: { endpointId, name, queuedCount } }: { endpoint: Endpoint }) {
  return (
    <li>
      <Badge state="held" />
      <a href={endpointPath(endpointId)}>{name}</a>
      <span>{`${formatCount(queuedCount, "request")} held until a workflow is attached`}</span>
    </li>
  );
}

/** With a workflow, queued requests start by themselves. */
function isHolding({ workflowId, queuedCount }: Endpoint): boolean {
  return workflowId === null && queuedCount > 0;
}

const REJECTED_COLUMNS = REQUEST_COLUMNS.filter(({ name }) =>
  ["Request", "HTTP", "Received"].includes(name),
);

const rejectedColumns = ({ webhooks }: OverviewData): Column<LogEntry>[] => [
  ...REJECTED_COLUMNS,
  {
    name: "Endpoint",
    isBare: true,
    cell: ({ endpointId }) =>
      webhooks.ok && webhooks.value.endpoints.find((one) => one.endpointId === endpointId)?.name,
  },
];

/** Serves the overview. */
export function serveOverview(app: Dashboard): void {
  app.get("/", async (http) => {
    const api = http.get("api");
    const data = await loadOverview(api, readRange(http.req.query("range")), Date.now());
    const live = livePath("/dashboard/overview/live", await fingerprint(await latestOf(api)));
    return show(http, <OverviewPage data={data} live={live} />);
  });
  app.get("/overview/live", (http) => streamFollowed(http, () => latestOf(http.get("api"))));
  serveFirstEndpoint(app);
}

/** The account at a glance: what requires action, figures, charts, the newest executions and rejections. */
function OverviewPage({ data, live }: { data: OverviewData; live: string }) {
  const isNew = isNewAccount(data);
  return (
    <Layout
      title={isNew ? "Get started" : "Overview"}
      section="overview"
      live={live}
      actions={
        !isNew && (
          <>
            <RangeSwitch range={data.range} path="/dashboard" />
            <Action scope="executions:write" href={`${EXECUTIONS}/new`}>
              Start execution
            </Action>
          </>
        )
      }
    >
      <FirstSteps data={data} />
      {!isNew && <Figures data={data} />}
    </Layout>
  );
}

function Figures({ data }: { data: OverviewData }) {
  return (
    <>
      <Waiting data={data} />
      <Numbers data={data} />
      <Traffic data={data} />
      <TablePart
        title="Latest executions"
        rows={data.latest.ok ? data.latest.value : data.latest.why}
        nothing="No executions yet."
        {...executionTable(data.workflowNames)}
      >
        <a href={EXECUTIONS}>View all executions</a>
      </TablePart>
      <TablePart
        title="Latest rejected requests"
        rows={data.rejected.ok ? data.rejected.value : data.rejected.why}
        nothing="No rejected requests in this range."
        columns={rejectedColumns(data)}
        idOf={({ requestId }) => `row-${requestId}`}
      />
    </>
  );
}

/** Links to a page for each range of time. */
export function RangeSwitch({ range, path }: { range: RangeId; path: string }) {
  return (
    <nav class="chips" aria-label="Time range">
      {RANGES.map(({ id, label }) => (
        <a
          href={id === "24h" ? path : `${path}?range=${id}`}
          {...(id === range && { "aria-current": "true" })}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
