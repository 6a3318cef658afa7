import type { AllWebhookUsage, Usage } from "../../../contract/usage.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Action, show } from "../../components/reader.tsx";
import { TablePart } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, formatNumber, sumOf } from "../../format.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { DECISIONS, decisionPath, EXECUTIONS, endpointPath } from "../../paths.ts";
import { executionTable } from "../executions/list.tsx";
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

function ExecutionTiles({ figures, span }: { figures: Usage["total"]; span: string }) {
  const { completed, failed } = figures.executions;
  return (
    <>
      <Tile
        name={`Executions in ${span}`}
        value={formatNumber(sumOf(figures.executions))}
        note={`${formatNumber(completed)} completed, ${formatNumber(failed)} failed`}
      />
      <Tile
        name={`Credits consumed in ${span}`}
        value={formatNumber(figures.creditsConsumed)}
        note="including those of executions that have not ended"
      />
    </>
  );
}

function RequestTiles({ figures, span }: { figures: AllWebhookUsage["total"]; span: string }) {
  const { requests } = figures;
  return (
    <Tile
      name={`Requests in ${span}`}
      value={formatNumber(sumOf(requests))}
      note={`${formatNumber(requests.rejected)} rejected, ${formatNumber(requests.failed)} failed`}
    />
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

/** What requires an action of the reader: open decisions, and endpoints that hold requests. */
function Waiting({ data: { decisions, webhooks } }: { data: OverviewData }) {
  const open = decisions.ok ? decisions.value : [];
  // With a workflow, queued requests start by themselves.
  const holding = (webhooks.ok ? webhooks.value.endpoints : []).filter(
    ({ workflowId, queuedCount }) => workflowId === null && queuedCount > 0,
  );
  if (open.length === 0 && holding.length === 0) return null;
  return (
    <section class="card attention" aria-labelledby="waiting">
      <h2 id="waiting">Requires action</h2>
      <ul class="todo">
        {open.map(({ decisionId, kind, title, promptPreview, expiresAt }) => (
          <li>
            <Badge
              state="waiting_for_input"
              label={kind === "approval" ? "Requires your approval" : "Asks a question"}
            />
            <a href={decisionPath(decisionId)}>{title}</a>
            <span>{promptPreview}</span>
            <Time at={expiresAt} />
          </li>
        ))}
        {holding.map(({ endpointId, name, queuedCount }) => (
          <li>
            <Badge state="held" />
            <a href={endpointPath(endpointId)}>{name}</a>
            <span>{`${formatCount(queuedCount, "request")} held until a workflow is attached`}</span>
          </li>
        ))}
      </ul>
      {open.length > 0 && <a href={DECISIONS}>View all decisions</a>}
    </section>
  );
}

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

/** The account at a glance: what requires action, figures, charts, and the newest executions. */
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
