import { Layout } from "../../components/layout.tsx";
import { EXECUTIONS } from "../executions/paths.ts";
import { LatestRefused, LatestRuns } from "./latest.tsx";
import type { OverviewData } from "./load.ts";
import { Numbers } from "./numbers.tsx";
import { RANGES, type RangeId, rangePath } from "./range.ts";
import { Traffic } from "./traffic.tsx";
import { Waiting } from "./waiting.tsx";

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
        <LatestRuns latest={data.latest} workflowNames={data.workflowNames} />
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
