import type { ExecutionRow } from "../../../contract/execution.ts";
import type { AllWebhookUsage, Percentiles } from "../../../contract/usage.ts";
import { told } from "../../components/charts/words.ts";
import { Badge, DataTable, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Dashboard } from "../../context.ts";
import type { WorkflowNames } from "../../lookups.ts";
import { EXECUTIONS, endpointPath, executionPath, requestPath } from "../../paths.ts";
import { countOf, DETAIL_LABELS, titleOf } from "../executions/labels.ts";
import { gistOf } from "../requests/labels.ts";
import { Traffic } from "./charts.tsx";
import { FirstRunPage, serveFirstRun } from "./first-run.tsx";
import { loadFirstRun } from "./first-run-state.ts";
import {
  isUntouched,
  loadOverview,
  type OverviewData,
  type Part,
  RANGES,
  type RangeId,
  type Refused,
  rangePath,
  readRange,
} from "./load.ts";

/** The account's balance, and what there was in the range, in a row of figures. */
export function Numbers({ data: { range, credits, usage, webhooks } }: { data: OverviewData }) {
  const span = RANGES.find(({ id }) => id === range)?.label ?? "";
  return (
    <section class="card" aria-label="Figures">
      <dl class="tiles">
        {credits.ok && (
          <Tile
            name="Credits available"
            value={told(credits.value.availableCredits, "count")}
            note={`${told(credits.value.reservedCredits, "count")} reserved, ${told(credits.value.consumedCredits, "count")} consumed in all`}
          />
        )}
        {usage.ok && <Runs figures={usage.value.total} span={span} />}
        {webhooks.ok && <Webhooks figures={webhooks.value.total} span={span} />}
      </dl>
      {!credits.ok && <p class="muted">{`Balance: ${credits.why}`}</p>}
    </section>
  );
}

interface Figures<Which extends "usage" | "webhooks"> {
  figures: Extract<OverviewData[Which], { ok: true }>["value"]["total"];
  /** The range in words. */
  span: string;
}

function Runs({ figures: { executions, creditsConsumed }, span }: Figures<"usage">) {
  const { completed, failed } = executions;
  return (
    <>
      <Tile
        name={`Executions in ${span}`}
        value={told(sum(executions), "count")}
        note={`${told(completed, "count")} completed, ${told(failed, "count")} failed`}
      />
      <Tile
        name={`Credits used in ${span}`}
        value={told(creditsConsumed, "count")}
        note="by the executions of this time"
      />
    </>
  );
}

function Webhooks({ figures: { requests, latencyMs }, span }: Figures<"webhooks">) {
  return (
    <>
      <Tile
        name={`Webhooks in ${span}`}
        value={told(sum(requests), "count")}
        note={`${told(requests.rejected, "count")} rejected, ${told(requests.failed, "count")} failed`}
      />
      <Tile
        name="Webhook to start, p50"
        value={half(latencyMs.toStart)}
        note={`${most(latencyMs.toStart)}; to completion p50 ${half(latencyMs.toCompletion)}`}
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
  return told(percentiles?.p50 ?? null, "duration");
}

function most(percentiles: Percentiles): string {
  return `p99 ${told(percentiles?.p99 ?? null, "duration")}`;
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** What goes on only once the reader has done something; nothing where there is none. */
export function Waiting({ data: { waiting, webhooks, workflowNames } }: { data: OverviewData }) {
  const runs = waiting.ok ? waiting.value : [];
  const holding = webhooks.ok ? webhooks.value.endpoints.filter(isHolding) : [];
  if (runs.length === 0 && holding.length === 0) return null;
  return (
    <section class="card attention" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for you</h2>
      <ul class="todo">
        {runs.map((row) => (
          <WaitingRun row={row} title={titleOf(row, workflowNames)} />
        ))}
        {holding.map((endpoint) => (
          <Holding endpoint={endpoint} />
        ))}
      </ul>
      {runs.length > 0 && (
        <a href={`${EXECUTIONS}?status=waiting_for_input`}>All executions that wait</a>
      )}
    </section>
  );
}

function WaitingRun({ row, title }: { row: ExecutionRow; title: string }) {
  return (
    <li>
      <Badge state={row.status} />
      <a href={executionPath(row.executionId)}>{title}</a>
      <span>{DETAIL_LABELS[row.statusDetail]}</span>
      <Time at={row.updatedAt} />
    </li>
  );
}

type Endpoint = AllWebhookUsage["endpoints"][number];

function Holding({ endpoint: { endpointId, name, queuedCount } }: { endpoint: Endpoint }) {
  return (
    <li>
      <Badge state="held" />
      <a href={endpointPath(endpointId)}>{name}</a>
      <span>{`${countOf(queuedCount, "request")} held until a workflow is attached`}</span>
    </li>
  );
}

/** What is queued where there is a workflow starts by itself. */
function isHolding({ workflowId, queuedCount }: Endpoint): boolean {
  return workflowId === null && queuedCount > 0;
}

/** The newest runs. */
export function LatestExecutions({
  latest,
  workflowNames,
}: {
  latest: Part<ExecutionRow[]>;
  workflowNames: WorkflowNames;
}) {
  return (
    <div>
      <h2>Latest executions</h2>
      {!latest.ok && <p class="muted">{latest.why}</p>}
      {latest.ok && latest.value.length === 0 && (
        <p>
          None yet. <a href={`${EXECUTIONS}/new`}>Start one.</a>
        </p>
      )}
      {latest.ok && latest.value.length > 0 && (
        <>
          <DataTable label="Latest executions" columns={["Status", "Execution", "Created"]}>
            {latest.value.map((row) => (
              <tr>
                <td>
                  <Badge state={row.status} />
                </td>
                <td class="wrap">
                  <a href={executionPath(row.executionId)}>{titleOf(row, workflowNames)}</a>
                </td>
                <td>
                  <Time at={row.createdAt} />
                </td>
              </tr>
            ))}
          </DataTable>
          <a href={EXECUTIONS}>All executions</a>
        </>
      )}
    </div>
  );
}

/** The newest requests that were rejected, of all endpoints. */
export function LatestRefused({ refused }: { refused: Part<Refused[]> }) {
  return (
    <div>
      <h2>Latest rejected requests</h2>
      {!refused.ok && <p class="muted">{refused.why}</p>}
      {refused.ok && refused.value.length === 0 && <p class="muted">None in this time.</p>}
      {refused.ok && refused.value.length > 0 && (
        <DataTable
          label="Latest rejected requests"
          columns={["Answer", "Received", "Endpoint", "Why"]}
        >
          {refused.value.map(({ entry, endpointName }) => (
            <tr>
              <td>
                <Badge state={String(entry.httpStatus)} />
              </td>
              <td>
                <a href={requestPath(entry.endpointId, entry.requestId)}>
                  <Time at={entry.receivedAt} />
                </a>
              </td>
              <td>{endpointName}</td>
              <td class="wrap">{gistOf(entry)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </div>
  );
}

/** How the account stands; where nothing has happened yet, the way to a first run. */
export function serveOverview(app: Dashboard): void {
  app.get("/", async (http) => {
    const api = http.get("api");
    const data = await loadOverview(api, readRange(http.req.query("range")), Date.now());
    if (!isUntouched(data)) return http.html(<OverviewPage data={data} />);
    return http.html(<FirstRunPage view={{ state: await loadFirstRun(api) }} />);
  });
  serveFirstRun(app);
}

/** How the account stands: what waits for the reader first, then figures, charts and what is new. */
export function OverviewPage({ data }: { data: OverviewData }) {
  return (
    <Layout
      title="Overview"
      section="overview"
      actions={
        <>
          <RangeSwitch range={data.range} />
          <a class="button primary" href={`${EXECUTIONS}/new`}>
            New execution
          </a>
        </>
      }
    >
      <Waiting data={data} />
      <Numbers data={data} />
      <Traffic data={data} />
      <div class="charts">
        <LatestExecutions latest={data.latest} workflowNames={data.workflowNames} />
        <LatestRefused refused={data.refused} />
      </div>
    </Layout>
  );
}

function RangeSwitch({ range }: { range: RangeId }) {
  return (
    <nav class="spans" aria-label="Time shown">
      {RANGES.map(({ id, label }) => (
        <a href={rangePath(id)} {...(id === range && { "aria-current": "true" })}>
          {label}
        </a>
      ))}
    </nav>
  );
}
