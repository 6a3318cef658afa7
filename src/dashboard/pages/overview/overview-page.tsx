import { Badge, Time, ToldList } from "../../components/elements.tsx";
import { Action, Chips, Layout, show } from "../../components/layout.tsx";
import { TablePart } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, formatNumber, sumOf } from "../../format.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { DECISIONS, decisionPath, EXECUTIONS, endpointPath } from "../../paths.ts";
import { areFirstStepsDismissed } from "../../session.ts";
import { executionTable } from "../executions/list.tsx";
import { Traffic } from "./charts.tsx";
import { FirstSteps, serveFirstSteps } from "./first-run.tsx";
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
function Numbers({ data: { range, credits, usage, webhooks, missing } }: { data: OverviewData }) {
  const span = RANGES.find(({ id }) => id === range)?.label ?? "";
  const executions = usage?.total.executions;
  const requests = webhooks?.total.requests;
  return (
    <section class="card" aria-label="Figures">
      <dl class="tiles">
        {credits && (
          <Tile
            name="Credits available"
            value={credits.availableCredits}
            note={`${formatNumber(credits.reservedCredits)} held for executions that have not ended`}
          />
        )}
        {executions && (
          <Tile
            name={`Executions in ${span}`}
            value={sumOf(executions)}
            note={`${formatNumber(executions.completed)} completed, ${formatNumber(executions.failed)} failed`}
          />
        )}
        {usage && (
          <Tile
            name={`Credits consumed in ${span}`}
            value={usage.total.creditsConsumed}
            note="including those of executions that have not ended"
          />
        )}
        {requests && (
          <Tile
            name={`Requests in ${span}`}
            value={sumOf(requests)}
            note={`${formatNumber(requests.rejected)} rejected, ${formatNumber(requests.failed)} failed`}
          />
        )}
      </dl>
      <ToldList lines={[...missing]} />
    </section>
  );
}

function Tile({ name, value, note }: { name: string; value: number; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="figure">{formatNumber(value)}</span>
        <span class="muted">{note}</span>
      </dd>
    </div>
  );
}

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
      {decisions.length > 0 && <a href={DECISIONS}>View all decisions</a>}
    </section>
  );
}

/** Serves the overview. */
export function serveOverview(app: Dashboard): void {
  app.get("/", async (http) => {
    const api = http.get("api");
    const loaded = await loadOverview(api, readRange(http.req.query("range")), Date.now());
    const data = { ...loaded, areStepsDismissed: areFirstStepsDismissed(http) };
    const live = livePath("/dashboard/overview/live", await fingerprint(await latestOf(api)));
    return show(http, <OverviewPage data={data} live={live} />);
  });
  app.get("/overview/live", (http) => streamFollowed(http, () => latestOf(http.get("api"))));
  serveFirstSteps(app);
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
            <RangeSwitch range={data.range} hrefOf={pathWithRange("/dashboard")} />
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
