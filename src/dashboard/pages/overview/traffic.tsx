import type { Child } from "hono/jsx";
import type { AllWebhookUsage, Usage } from "../../../contract/usage.ts";
import { BarChart } from "../../components/charts/bars.tsx";
import { LineChart } from "../../components/charts/lines.tsx";
import { Empty, Time } from "../../components/parts.tsx";
import { WEBHOOKS } from "../webhooks/paths.ts";
import { EndpointTable } from "./endpoints.tsx";
import type { OverviewData, Part } from "./load.ts";
import { creditsData, latencyData, runsData, webhooksData } from "./series.ts";

/** Runs, credits and webhooks over time. */
export function Traffic({ data: { usage, webhooks } }: { data: OverviewData }) {
  return (
    <>
      <div class="charts">
        {usage.ok ? <RunCharts usage={usage.value} /> : <Missing title="Executions" part={usage} />}
        {webhooks.ok ? (
          <WebhookCharts usage={webhooks.value} />
        ) : (
          <Missing title="Webhooks" part={webhooks} />
        )}
      </div>
      {usage.ok && <CountedFrom what="Executions" usage={usage.value} />}
      {webhooks.ok && <CountedFrom what="Webhooks" usage={webhooks.value} />}
      {webhooks.ok && webhooks.value.moreEndpoints && (
        <p class="muted">
          {`Webhooks are those of the ${webhooks.value.endpoints.length} newest endpoints.`}
        </p>
      )}
    </>
  );
}

function RunCharts({ usage }: { usage: Usage }) {
  return (
    <>
      <BarChart id="runs" title="Executions by status" data={runsData(usage)} />
      <LineChart
        id="credits"
        title="Credits used"
        data={creditsData(usage)}
        measure="count"
        filled
      />
    </>
  );
}

function WebhookCharts({ usage }: { usage: AllWebhookUsage }) {
  if (usage.endpoints.length === 0) return <NoEndpoint />;
  return (
    <>
      <BarChart id="webhooks" title="Webhooks by outcome" data={webhooksData(usage)} />
      <LineChart
        id="to-start"
        title="From webhook to start"
        data={latencyData(usage, "toStart")}
        measure="duration"
      />
      <LineChart
        id="to-completion"
        title="From webhook to completion"
        data={latencyData(usage, "toCompletion")}
        measure="duration"
      />
      <EndpointTable endpoints={usage.endpoints} />
    </>
  );
}

function NoEndpoint() {
  return (
    <Empty title="No webhooks yet">
      <p>An endpoint is a URL that starts an execution for each event that is sent to it.</p>
      <p class="actions centred">
        <a class="button primary" href="/dashboard/first-run#webhook">
          Receive a first one
        </a>
        <a class="button" href={`${WEBHOOKS}/new`}>
          Set up a provider
        </a>
      </p>
    </Empty>
  );
}

function CountedFrom({ what, usage }: { what: string; usage: Usage | AllWebhookUsage }): Child {
  if (usage.countedFrom === usage.from) return null;
  return (
    <p class="muted">
      {`${what} are counted from `}
      <Time at={usage.countedFrom} />
      {" on: before that there were too many."}
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
