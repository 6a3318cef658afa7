import type { ExecutionRow } from "../../../contract/execution.ts";
import type { AllWebhookUsage } from "../../../contract/usage.ts";
import { Badge, Time } from "../../components/parts.tsx";
import { EXECUTIONS, runPath } from "../executions/paths.ts";
import { countOf, DETAILS, titleOf } from "../executions/words.ts";
import { endpointPath } from "../webhooks/paths.ts";
import type { OverviewData } from "./load.ts";

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
      <a href={runPath(row.executionId)}>{title}</a>
      <span>{DETAILS[row.statusDetail]}</span>
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
